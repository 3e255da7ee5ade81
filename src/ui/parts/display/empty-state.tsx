import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './empty-state.module.css'

type Props = {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  /** What can be done next. */
  readonly actions?: ReactNode
  /** `start`: under a heading, whose edge it shares. */
  readonly align?: 'center' | 'start'
}

/** Nothing to show, why, and what to do about it. */
export const EmptyState = ({ icon, title, children, actions, align = 'center' }: Props) => (
  <div className={classNames(styles['empty'], align === 'start' && styles['start'])}>
    <span className={styles['picture']}>
      <Icon name={icon} />
    </span>
    <h2 className={styles['title']}>{title}</h2>
    {children === undefined ? undefined : <div className={styles['text']}>{children}</div>}
    {actions === undefined ? undefined : <div className={styles['actions']}>{actions}</div>}
  </div>
)
