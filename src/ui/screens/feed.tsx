import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { classNames } from '../parts/class-names.ts'
import { Skeleton } from '../parts/display/skeleton.tsx'
import styles from './feed.module.css'

/** A list of entries to read, each with a picture beside it. */
export function Feed({
  className,
  children,
}: {
  readonly className: string | undefined
  readonly children: ReactNode
}) {
  return <div className={classNames(styles['feed'], className)}>{children}</div>
}

type EntryProps = {
  /** An element of class `feedPicture`. */
  readonly picture: ReactNode
  readonly title: ReactNode
  /** Beside the text, or below it where there is no room. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function FeedEntry({ picture, title, aside, children }: EntryProps) {
  return (
    <article className={classNames(styles['entry'], aside !== undefined && styles['wide'])}>
      {picture}
      <div className="stack gap-2 prose">
        <h2 className="type-6 strong tight tracking balance">{title}</h2>
        {children}
      </div>
      {aside === undefined ? undefined : <div className={styles['aside']}>{aside}</div>}
    </article>
  )
}

export const feedPicture = styles['picture']

export function FeedLoading({ label }: { readonly label: string }) {
  return (
    <>
      <p className="quiet">{t`Loading...`}</p>
      <Skeleton label={label} rows={6} />
    </>
  )
}
