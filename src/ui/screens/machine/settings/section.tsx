import { useId, type ReactNode } from 'react'
import styles from './settings.module.css'

type Props = {
  readonly title: string
  /** A sentence below the title. */
  readonly about?: ReactNode
  readonly help?: ReactNode
  readonly level?: 2 | 3
  readonly children: ReactNode
}

/** A section of the settings: title on the left, fields on the right; on a phone one above the other. */
export function Section({ title, about, help, level = 2, children }: Props) {
  const id = useId()
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <div className="grid content-start gap-1">
        <span className="line gap-1 type-5 strong anywhere">
          <Heading id={id}>{title}</Heading>
          {help}
        </span>
        {about === undefined ? undefined : <p className="quiet type-3 pretty">{about}</p>}
      </div>
      <div className="grid content-start gap-4 shrink">{children}</div>
    </section>
  )
}
