import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './empty-state.module.css'

type Props = {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
  /** `start`: aligned with the heading above. */
  readonly align?: 'center' | 'start'
}

/** Shown in place of missing content: what is missing, why, and what to do. */
export function EmptyState({ icon, title, children, actions, align = 'center' }: Props) {
  return (
    <div className={classNames(styles['empty'], align === 'start' && styles['start'])}>
      <span className={styles['picture']}>
        <Icon name={icon} />
      </span>
      <h2 className="type-6 strong tight tracking balance">{title}</h2>
      {children === undefined ? undefined : <div className="grid gap-2 quiet pretty">{children}</div>}
      {actions === undefined ? undefined : <div className="flex wrap gap-2 pad-top-2">{actions}</div>}
    </div>
  )
}
