import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { ButtonLink } from '../actions/button-link.tsx'
import { classNames } from '../class-names.ts'
import type { Tone } from '../display/tone.ts'
import tones from '../display/tones.module.css'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './banner.module.css'

export type BannerProps = {
  readonly tone: Tone
  readonly icon: IconName
  readonly children: ReactNode
  readonly actions?: ReactNode
  /** Where the guide explains it. */
  readonly help?: string
  /** Announced immediately (role `alert`), for the result of a user action. */
  readonly isUrgent?: boolean
}

/** A message about the whole screen, with actions. */
export function Banner({ tone, icon, children, actions, help, isUrgent = false }: BannerProps) {
  return (
    <div {...(isUrgent ? { role: 'alert' } : {})} className={classNames(styles['banner'], tones[tone])}>
      <Icon name={icon} />
      <div className={styles['text']}>{children}</div>
      {actions === undefined && help === undefined ? undefined : (
        <div className="flex gap-2">
          {actions}
          {help === undefined ? undefined : <ButtonLink to={help}>{t`Help`}</ButtonLink>}
        </div>
      )}
    </div>
  )
}
