import { useLayoutEffect, useState, type RefObject } from 'react'

/** Where the list begins on the page: what stands above it may come and go. */
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
