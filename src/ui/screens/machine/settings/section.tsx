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
      <div className={styles['about']}>
        <span className={styles['heading']}>
          <Heading id={id}>{title}</Heading>
          {help}
        </span>
        {about === undefined ? undefined : <p className={styles['quiet']}>{about}</p>}
      </div>
      <div className={styles['fields']}>{children}</div>
    </section>
  )
}
