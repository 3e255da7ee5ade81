import { useSelectorAlsoHidden } from '../hooks/use-selector.ts'
import type { ReactNode } from 'react'
import { selectAttentionCount } from '../../machines/incidents/incidents/incidents.selectors.ts'
import { useSystem } from '../hooks/system-context.ts'
import { classNames } from '../parts/class-names.ts'
import styles from './page.module.css'

type Props = {
  readonly title: string
  /** The client or unit that the screen is about, for the title of the browser tab. */
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

/** The title of the browser tab, with the number of incidents that need attention in front. */
function TabTitle({ parts }: { readonly parts: readonly (string | undefined)[] }) {
  const count = useSelectorAlsoHidden(useSystem().incidents, selectAttentionCount)
  const name = parts.filter(part => part !== undefined).join(' · ')
  return <title>{count === 0 ? name : `(${count}) ${name}`}</title>
}

/** The frame of a screen: title of the browser tab, heading, actions and content. */
export function Page({
  title,
  subject,
  subtitle,
  actions,
  isTitleHidden = false,
  hasStickyActions = false,
  fillsHeight = false,
  children,
}: Props) {
  return (
    <div
      className={classNames(styles['page'], fillsHeight && styles['filling'])}
      {...(fillsHeight ? { 'data-filling': '' } : {})}
    >
      <TabTitle parts={[title, subject, 'Foldboard']} />
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
}
