import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './badge.module.css'
import type { Tone } from './tone.ts'
import tones from './tones.module.css'

type Props = { readonly tone: Tone; readonly icon?: IconName; readonly children: string }

/** A short label with a colored background. */
export function Badge({ tone, icon, children }: Props) {
  return (
    <span className={classNames(styles['badge'], tones[tone])}>
      {icon === undefined ? undefined : <Icon name={icon} />}
      {children}
    </span>
  )
}
