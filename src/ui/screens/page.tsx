import type { ReactNode } from 'react'
import { classNames } from '../parts/class-names.ts'
import styles from './page.module.css'

type Props = {
  readonly title: string
  /** The machine or unit that the screen is about, for the title of the browser tab. */
  readonly subject?: string | undefined
  readonly subtitle?: ReactNode
  readonly actions?: ReactNode
  /** Heading and actions stay visible while the rest scrolls. */
  readonly hasStickyActions?: boolean
  /** Only screen readers get the heading; the main menu shows it already. */
  readonly isTitleHidden?: boolean
  /** The screen fills the height of the window, and scrolls inside. */
  readonly fillsHeight?: boolean
  readonly children: ReactNode
}

/** The frame of a screen: title of the browser tab, heading, actions and content. */
export const Page = ({
  title,
  subject,
  subtitle,
  actions,
  isTitleHidden = false,
  hasStickyActions = false,
  fillsHeight = false,
  children,
}: Props) => (
  <div
    className={classNames(styles['page'], fillsHeight && styles['filling'])}
    {...(fillsHeight ? { 'data-filling': '' } : {})}
  >
    <title>{[title, subject, 'Foldboard'].filter(part => part !== undefined).join(' · ')}</title>
    <header
      className={isTitleHidden ? 'visually-hidden' : classNames(styles['head'], hasStickyActions && styles['sticky'])}
    >
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
