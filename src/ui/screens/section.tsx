import { useId, type ReactNode } from 'react'
import { classNames } from '../parts/class-names.ts'
import page from './page.module.css'

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
      className={classNames('stack gap-4', className)}
      {...(isLive ? { 'aria-live': 'polite' } : {})}
    >
      <header className={page['head']}>
        <div>
          <div className="line gap-1">
            <h2 id={id} className="type-5 strong">
              {title}
            </h2>
            {help}
          </div>
          {note === undefined ? undefined : <p className="quiet type-3">{note}</p>}
        </div>
        {tools}
      </header>
      {children}
    </section>
  )
}
