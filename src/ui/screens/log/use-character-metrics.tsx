import { useLayoutEffect, useState, type RefObject } from 'react'
import styles from './log-view.module.css'

/** Pixels of a row and of the view; how many letters a row has, and by how many further rows of a line are indented. */
export type Letters = {
  readonly rowHeight: number
  readonly height: number
  readonly columns: number
  readonly indent: number
}

const SAMPLE = 'x'.repeat(64)
const MEASURE = 'measure'

/** Letters that are measured and never seen. */
export const Measure = () => (
  <span data-role={MEASURE} className={styles['measure']} aria-hidden="true">
    {SAMPLE}
  </span>
)

const lettersOf = (scroller: HTMLElement): Letters | undefined => {
  const sample = scroller.querySelector(`[data-role=${MEASURE}]`)
  const size = sample?.getBoundingClientRect()
  if (sample === null || size === undefined || size.width === 0) return undefined
  const style = getComputedStyle(sample)
  const room = scroller.clientWidth - 2 * Number.parseFloat(style.marginInlineEnd)
  return {
    rowHeight: size.height,
    height: scroller.clientHeight,
    columns: Math.max(8, Math.floor(room / (size.width / SAMPLE.length))),
    indent: Number(style.getPropertyValue('--log-indent')),
  }
}

const isSame = (one: Letters, other: Letters): boolean =>
  one.rowHeight === other.rowHeight &&
  one.height === other.height &&
  one.columns === other.columns &&
  one.indent === other.indent

/** Until it is measured, no line wraps: rows are not counted in vain. */
const unmeasured: Letters = { rowHeight: 20, height: 800, columns: Number.POSITIVE_INFINITY, indent: 4 }

/** How much text the view takes, measured again when it is resized or its letters change. */
export const useLetters = (scroller: RefObject<HTMLElement | null>): Letters => {
  const [letters, setLetters] = useState(unmeasured)
  useLayoutEffect(() => {
    const box = scroller.current
    if (box === null) return undefined
    const measure = (): void => {
      const found = lettersOf(box)
      if (found !== undefined) setLetters(known => (isSame(known, found) ? known : found))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    const sample = box.querySelector(`[data-role=${MEASURE}]`)
    if (sample !== null) observer.observe(sample)
    return () => observer.disconnect()
  }, [scroller])
  return letters
}
