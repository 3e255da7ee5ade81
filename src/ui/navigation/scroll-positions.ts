/** Milliseconds in which content that comes late may still bring a position back. */
const LATE_CONTENT = 3000
const STORAGE_KEY = 'foldboard.scroll'
/** What a person does to scroll elsewhere. */
const SCROLLING = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

const isPosition = (entry: unknown): entry is [string, number] =>
  Array.isArray(entry) && typeof entry[0] === 'string' && Number.isFinite(entry[1])

/** Empty where storage is forbidden or damaged. */
const readStored = (window: Window): Map<string, number> => {
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(STORAGE_KEY) ?? '[]')
    return new Map(Array.isArray(stored) ? stored.filter(isPosition) : [])
  } catch {
    return new Map()
  }
}

/** How far the page was scrolled at each entry of the browser's history. Reloading the page keeps them. */
export const createScrollPositions = (window: Window) => {
  const positions = readStored(window)
  let stopRestoring = (): void => undefined

  /** While content is still to come, the page may be too short. */
  const restore = (position: number): void => {
    const { documentElement: root } = window.document
    const scroll = (): boolean => {
      window.scrollTo(0, position)
      return window.scrollY >= position - 1
    }
    if (scroll()) return
    const end = performance.now() + LATE_CONTENT
    const observer = new ResizeObserver(() => {
      if (performance.now() > end || scroll()) stopRestoring()
    })
    stopRestoring = () => {
      observer.disconnect()
      for (const type of SCROLLING) window.removeEventListener(type, stopRestoring)
      stopRestoring = () => undefined
    }
    for (const type of SCROLLING) window.addEventListener(type, stopRestoring, { passive: true })
    observer.observe(root)
  }

  return {
    of: (key: string): number | undefined => positions.get(key),
    /** Notes the position of the entry that is being left. */
    save: (key: string): void => {
      stopRestoring()
      positions.set(key, window.scrollY)
    },
    /** The entry is replaced, so nobody returns to it. Does not ask for the position, which may need a layout. */
    replace: (key: string, keepsPosition: boolean): void => {
      if (!keepsPosition) stopRestoring()
      positions.delete(key)
    },
    store: (): void => {
      try {
        window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...positions]))
      } catch {
        // Without storage a reload begins at the top.
      }
    },
    restore,
  }
}
