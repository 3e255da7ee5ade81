/** How far beyond the window's edge something is still near. */
const MARGIN = '10%'

/** Knows which of many elements, each under a key of its own, are scrolled far away. `onNear` is told of one that comes back. */
export const createSight = (onNear: (key: string) => void) => {
  const keys = new Map<Element, string>()
  const far = new Set<string>()
  const note = ({ target, isIntersecting }: IntersectionObserverEntry): void => {
    const key = keys.get(target)
    if (key === undefined) return
    if (!isIntersecting) far.add(key)
    else if (far.delete(key)) onNear(key)
  }
  let observer: IntersectionObserver | undefined
  return {
    /** False until it is known. */
    isFar: (key: string): boolean => far.has(key),
    place(key: string, element: Element): () => void {
      observer ??= new IntersectionObserver(entries => entries.forEach(note), { rootMargin: MARGIN })
      keys.set(element, key)
      observer.observe(element)
      return () => {
        keys.delete(element)
        far.delete(key)
        observer?.unobserve(element)
      }
    },
  }
}
