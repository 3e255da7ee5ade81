import { useLayoutEffect, useState, type RefObject } from 'react'

/** The list's offset from the top of the page in pixels, updated when content above it changes; undefined until it is laid out. */
export function useTop(list: RefObject<HTMLDivElement | null>): number | undefined {
  const [top, setTop] = useState<number>()
  useLayoutEffect(() => {
    const measure = (): void => {
      const element = list.current
      if (element !== null) setTop(element.getBoundingClientRect().top + window.scrollY)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return top
}
