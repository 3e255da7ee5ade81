import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './empty-state.module.css'

type Props = {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  /** What can be done next. */
  readonly actions?: ReactNode
}

/** Nothing to show, why, and what to do about it. */
export const EmptyState = ({ icon, title, children, actions }: Props) => (
  <div className={styles['empty']}>
    <span className={styles['picture']}>
      <Icon name={icon} />
    </span>
    <h2 className={styles['title']}>{title}</h2>
    {children === undefined ? undefined : <div className={styles['text']}>{children}</div>}
    {actions === undefined ? undefined : <div className={styles['actions']}>{actions}</div>}
  </div>
)
