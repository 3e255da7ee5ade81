type Subscribe = (onChange: () => void) => () => void

/** Listeners that were not called because the page was hidden. */
const missed = new Set<() => void>()

function callMissed(): void {
  if (document.hidden) return
  const listeners = [...missed]
  missed.clear()
  for (const listener of listeners) listener()
}

/** Subscribes to changes while the page is seen: nothing is rendered in a hidden page, and all at once when it is shown. */
export function whileSeen(subscribe: Subscribe): Subscribe {
  return onChange => {
    // Adding a listener twice has no effect.
    document.addEventListener('visibilitychange', callMissed)
    const unsubscribe = subscribe(() => {
      if (document.hidden) missed.add(onChange)
      else onChange()
    })
    return () => {
      missed.delete(onChange)
      unsubscribe()
    }
  }
}
