import type { Ref } from 'react'
import { classNames } from '../class-names.ts'
import styles from './progress-bar.module.css'
import type { Tone } from './tone.ts'
import tones from './tones.module.css'

type LiveProps = {
  readonly label: string
  readonly tone: Tone
  /** Work is in progress: the bar is striped, and animated unless the user prefers reduced motion. */
  readonly isMoving?: boolean
  readonly ref: Ref<HTMLDivElement>
}

type Props = Omit<LiveProps, 'ref'> & {
  /** From 0 to 1; undefined when unknown. */
  readonly share: number | undefined
  /** The share as text, such as '42.3%'. */
  readonly valueText: string
}

/** A bar whose share is set through `ref`, without rendering. */
export const LiveBar = ({ label, tone, isMoving = false, ref }: LiveProps) => (
  <div
    ref={ref}
    role="progressbar"
    aria-label={label}
    className={classNames(styles['track'], tones[tone], isMoving && styles['moving'])}
  >
    {isMoving ? <span className={styles['ribbon']} /> : undefined}
  </div>
)

/** Sets the background size, which causes a repaint but no layout and no compositing layer. */
export const fillBar = (bar: HTMLElement, share: number | undefined, valueText: string): void => {
  const length = `${(share ?? 0) * 100}%`
  bar.style.backgroundSize = `${length} 100%`
  if (bar.firstElementChild instanceof HTMLElement) bar.firstElementChild.style.inlineSize = length
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
