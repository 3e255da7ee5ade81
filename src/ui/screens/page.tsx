import type { ReactNode } from 'react'
import { classNames } from '../parts/class-names.ts'
import styles from './page.module.css'

type Props = {
  readonly title: string
  /** What it is the screen of: without it, the tabs of several machines are called the same. */
  readonly of?: string | undefined
  readonly subtitle?: ReactNode
  readonly actions?: ReactNode
  /** The heading and the actions stay in reach while the rest scrolls. */
  readonly keepsActions?: boolean
  /** The menu says it already, and the screen has better use for the room. */
  readonly isTitleHidden?: boolean
  /** The screen takes the height that the window has, and scrolls inside. */
  readonly isFilling?: boolean
  readonly children: ReactNode
}

/** A screen's frame: its heading, what can be done, and the rest. The tab is named after it. */
export const Page = ({
  title,
  of,
  subtitle,
  actions,
  isTitleHidden = false,
  keepsActions = false,
  isFilling = false,
  children,
}: Props) => (
  <div
    className={classNames(styles['page'], isFilling && styles['filling'])}
    {...(isFilling ? { 'data-filling': '' } : {})}
  >
    <title>{[title, of, 'Foldboard'].filter(part => part !== undefined).join(' · ')}</title>
    <header className={isTitleHidden ? 'visually-hidden' : classNames(styles['head'], keepsActions && styles['kept'])}>
      <div>
        <h1 tabIndex={-1} className={styles['title']}>
          {title}
        </h1>
        {subtitle === undefined ? undefined : <p className={styles['subtitle']}>{subtitle}</p>}
      </div>
      {actions === undefined ? undefined : <div className={styles['actions']}>{actions}</div>}
    </header>
    {children}
  </div>
)
