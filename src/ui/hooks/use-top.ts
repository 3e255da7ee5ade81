import { useLayoutEffect, useState, type RefObject } from 'react'

/** The list's offset from the top of the page in pixels, updated when content above it changes. */
export const useTop = (list: RefObject<HTMLDivElement | null>): number => {
  const [top, setTop] = useState(0)
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
