import { useLayoutEffect, useState } from 'react'
import styles from './log-view.module.css'

/** Heights of a row and of the view in pixels; characters per row; indentation of wrapped rows in characters. */
export type CharacterMetrics = {
  readonly rowHeight: number
  readonly height: number
  readonly columns: number
  readonly indent: number
}

const SAMPLE = 'x'.repeat(64)
const MEASURE = 'measure'

/** Invisible text that is measured. */
export function CharacterSample() {
  return (
    <span data-role={MEASURE} className={styles['measure']} aria-hidden="true">
      {SAMPLE}
    </span>
  )
}

function measureCharacters(scroller: HTMLElement): CharacterMetrics | undefined {
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

function isSame(one: CharacterMetrics, other: CharacterMetrics): boolean {
  return (
    one.rowHeight === other.rowHeight &&
    one.height === other.height &&
    one.columns === other.columns &&
    one.indent === other.indent
  )
}

/** Used while nothing is laid out. Lines do not wrap, so that rows are not counted twice. */
const unmeasured: CharacterMetrics = { rowHeight: 20, height: 800, columns: Number.POSITIVE_INFINITY, indent: 4 }

/** Measures how much text fits the view, again when its size or font changes. */
export function useCharacterMetrics(box: HTMLElement): CharacterMetrics {
  const [metrics, setMetrics] = useState(() => measureCharacters(box) ?? unmeasured)
  useLayoutEffect(() => {
    const measure = (): void => {
      const found = measureCharacters(box)
      if (found !== undefined) setMetrics(current => (isSame(current, found) ? current : found))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    const sample = box.querySelector(`[data-role=${MEASURE}]`)
    if (sample !== null) observer.observe(sample)
    return () => observer.disconnect()
  }, [box])
  return metrics
}
