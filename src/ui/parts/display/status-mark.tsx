import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './status-mark.module.css'
import type { Tone } from './tone.ts'
import tones from './tones.module.css'

type Props = {
  readonly icon: IconName
  readonly tone: Tone
  readonly text: string
  /** Only the shape: the word is there for those who cannot see it. */
  readonly isBrief?: boolean
}

/** A state: its shape, its word and its colour, in that order. */
export const StatusMark = ({ icon, tone, text, isBrief = false }: Props) => (
  <span className={classNames(styles['mark'], tones[tone])}>
    <Icon name={icon} />
    <span className={isBrief ? 'visually-hidden' : styles['word']}>{text}</span>
  </span>
)
