import { classNames } from '../class-names.ts'
import styles from './progress-bar.module.css'
import type { Tone } from './tone.ts'
import tones from './tones.module.css'

type Props = {
  /**
   * Of a task that the user waits for. Without it the bar is decoration: screen readers announce every progress bar on the
   * screen again and again, so the share of a work unit is only read as text.
   */
  readonly label?: string
  readonly tone: Tone
  /** Work is in progress: the bar is striped. */
  readonly isMoving?: boolean
  /** From 0 to 1; undefined when unknown. */
  readonly share: number | undefined
  /** The share as text, such as '42.3%'. */
  readonly valueText?: string
}

export function ProgressBar({ label, tone, isMoving = false, share = 0, valueText }: Props) {
  const percent = Math.round(share * 1000) / 10
  return (
    <div
      {...(label === undefined
        ? { 'aria-hidden': true }
        : { role: 'progressbar', 'aria-label': label, 'aria-valuenow': percent, 'aria-valuetext': valueText })}
      className={classNames(styles['track'], tones[tone], isMoving && styles['moving'])}
    >
      <span className={styles['fill']} style={{ inlineSize: `${percent}%` }} />
    </div>
  )
}
