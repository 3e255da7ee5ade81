import type { Ref } from 'react'
import { classNames } from '../class-names.ts'
import styles from './progress-bar.module.css'
import type { Tone } from './tone.ts'
import tones from './tones.module.css'

type LiveProps = {
  /**
   * Of a task that the user waits for. Without it the bar is decoration: screen readers announce every progress bar on the
   * screen again and again, so the share of a work unit is only read as text.
   */
  readonly label?: string
  readonly tone: Tone
  /** Work is in progress: the bar is striped while there are few, and animated unless the user prefers reduced motion. */
  readonly isMoving?: boolean
  readonly ref: Ref<HTMLDivElement>
}

type Props = Omit<LiveProps, 'ref'> & {
  /** From 0 to 1; undefined when unknown. */
  readonly share: number | undefined
  /** The share as text, such as '42.3%'. */
  readonly valueText?: string
}

/** A bar whose share is set through `ref`, without rendering. */
export const LiveBar = ({ label, tone, isMoving = false, ref }: LiveProps) => (
  <div
    ref={ref}
    {...(label === undefined ? { 'aria-hidden': true } : { role: 'progressbar', 'aria-label': label })}
    className={classNames(styles['track'], tones[tone], isMoving && styles['moving'])}
  >
    <span className={styles['fill']} />
  </div>
)

const widths = new WeakMap<Element, number>()
const isObserved = new WeakSet<Element>()
const observer =
  typeof ResizeObserver === 'undefined'
    ? undefined
    : new ResizeObserver(entries => {
        for (const { target, contentRect } of entries) widths.set(target, contentRect.width)
      })

/** In whole pixels of the screen, as a percentage, which stays right when the bar is resized. */
const lengthOf = (bar: Element, share: number): string => {
  const pixels = (widths.get(bar) ?? 0) * devicePixelRatio
  const rounded = pixels > 0 ? Math.round(share * pixels) / pixels : share
  return `${Number((rounded * 100).toFixed(3))}%`
}

/** Sets what a bar shows. A step that changes no pixel and no text changes nothing in the document. */
export const fillBar = (bar: HTMLElement, share: number | undefined, valueText?: string): void => {
  if (!isObserved.has(bar)) {
    isObserved.add(bar)
    observer?.observe(bar)
  }
  const length = lengthOf(bar, share ?? 0)
  const { firstElementChild: fill } = bar
  if (fill instanceof HTMLElement && fill.style.inlineSize !== length) fill.style.inlineSize = length
  if (valueText === undefined || bar.ariaValueText === valueText) return
  bar.ariaValueText = valueText
  bar.ariaValueNow = share === undefined ? null : String(Math.round(share * 1000) / 10)
}

export const ProgressBar = ({ share, valueText, ...bar }: Props) => (
  <LiveBar
    {...bar}
    ref={element => {
      if (element !== null) fillBar(element, share, valueText)
    }}
  />
)
