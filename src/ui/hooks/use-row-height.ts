import { useLayoutEffect, useState } from 'react'

const BEFORE_MEASURED = 38

/** The height that the styles give to all rows, measured on a hidden one: `ruler` is its ref. `density` may change it. */
export function useRowHeight(density?: string) {
  // A state, so that another element is measured when the grid changes between its forms for phones and larger screens.
  const [element, ruler] = useState<HTMLDivElement | null>(null)
  const [height, setHeight] = useState(BEFORE_MEASURED)
  useLayoutEffect(() => {
    if (element === null) return undefined
    const measure = (): void => {
      if (element.offsetHeight > 0) setHeight(element.offsetHeight)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [density, element])
  return { ruler, height }
}
