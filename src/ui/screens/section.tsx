import { useId, type ReactNode } from 'react'
import { classNames } from '../parts/class-names.ts'
import page from './page.module.css'
import styles from './section.module.css'

type Props = {
  readonly title: ReactNode
  /** Beside the title. */
  readonly help?: ReactNode
  readonly note?: ReactNode
  readonly tools?: ReactNode
  /** Screen readers announce changes in it. */
  readonly isLive?: boolean
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A part of a screen with its own heading. */
export function Section({ title, help, note, tools, isLive = false, className, children }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={classNames(styles['section'], className)}
      {...(isLive ? { 'aria-live': 'polite' } : {})}
    >
      <header className={page['head']}>
        <div>
          <div className={styles['titleLine']}>
            <h2 id={id} className={styles['title']}>
              {title}
            </h2>
            {help}
          </div>
          {note === undefined ? undefined : <p className={styles['note']}>{note}</p>}
        </div>
        {tools}
      </header>
      {children}
    </section>
  )
}
