import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import type { Tone } from '../display/tone.ts'
import tones from '../display/tones.module.css'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './banner.module.css'

type Props = {
  readonly tone: Tone
  readonly icon: IconName
  readonly children: ReactNode
  readonly actions?: ReactNode
  /** It is read out at once: the outcome of something that somebody has just done. */
  readonly isUrgent?: boolean
}

/** Something that holds for the whole screen, and what to do about it. */
export const Banner = ({ tone, icon, children, actions, isUrgent = false }: Props) => (
  <div {...(isUrgent ? { role: 'alert' } : {})} className={classNames(styles['banner'], tones[tone])}>
    <Icon name={icon} />
    <div className={styles['text']}>{children}</div>
    {actions === undefined ? undefined : <div className={styles['actions']}>{actions}</div>}
  </div>
)
