import { useSelectorAlsoHidden } from '../hooks/use-selector.ts'
import type { ReactNode } from 'react'
import { selectAttentionCount } from '../../machines/incidents/incidents/incidents.selectors.ts'
import { useSystem } from '../hooks/system-context.ts'
import { classNames } from '../parts/class-names.ts'
import styles from './page.module.css'

type HeadProps = {
  readonly title: string
  readonly subtitle?: ReactNode
  readonly actions?: ReactNode
  /** Heading and actions stay visible while the rest scrolls. */
  readonly hasStickyActions?: boolean
}

type Props = HeadProps & {
  /** The client or unit that the screen is about, for the title of the browser tab. */
  readonly subject?: string | undefined
  /** In place of the heading and actions. */
  readonly head?: ReactNode
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

function Head({
  title,
  subtitle,
  actions,
  hasStickyActions = false,
  isTitleHidden = false,
  Heading = 'h1',
}: HeadProps & { readonly isTitleHidden?: boolean; readonly Heading?: 'h1' | 'h2' }) {
  return (
    <header
      className={isTitleHidden ? 'visually-hidden' : classNames(styles['head'], hasStickyActions && styles['sticky'])}
    >
      <div>
        <Heading tabIndex={-1} className={styles['title']}>
          {title}
        </Heading>
        {subtitle === undefined ? undefined : <p className={styles['subtitle']}>{subtitle}</p>}
      </div>
      {actions === undefined ? undefined : <div className={styles['actions']}>{actions}</div>}
    </header>
  )
}

/** A part of a page with a heading and actions of its own. */
export function SubPage({ children, ...head }: HeadProps & { readonly children: ReactNode }) {
  return (
    <div className={styles['page']}>
      <Head {...head} Heading="h2" />
      {children}
    </div>
  )
}

/** The frame of a screen: title of the browser tab, heading, actions and content. */
export function Page({ subject, head, fillsHeight = false, children, ...headProps }: Props) {
  return (
    <div
      className={classNames(styles['page'], fillsHeight && styles['filling'])}
      {...(fillsHeight ? { 'data-filling': '' } : {})}
    >
      <TabTitle parts={[headProps.title, subject, 'Foldboard']} />
      {head ?? <Head {...headProps} />}
      {children}
    </div>
  )
}
