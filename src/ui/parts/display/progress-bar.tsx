import { classNames } from '../class-names.ts'
import styles from './progress-bar.module.css'
import type { Tone } from './tone.ts'
import tones from './tones.module.css'

type Props = {
  readonly label: string
  /** From 0 to 1; undefined when it is not known. */
  readonly share: number | undefined
  /** The same in words, such as '42.3%'. */
  readonly words: string
  readonly tone: Tone
  /** Something is working on it: the bar is striped, and the stripes move for those who do not mind. */
  readonly isMoving?: boolean
}

/** How far something is. It moves by transform alone, so that nothing around it is laid out again. */
export const ProgressBar = ({ label, share, words, tone, isMoving = false }: Props) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuetext={words}
    {...(share === undefined ? {} : { 'aria-valuenow': Math.round(share * 1000) / 10 })}
    className={classNames(styles['track'], tones[tone])}
  >
    <div
      className={classNames(styles['fill'], isMoving && styles['moving'])}
      style={{ transform: `translateX(${((share ?? 0) - 1) * 100}%)` }}
    />
  </div>
)
