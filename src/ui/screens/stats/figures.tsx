import type { ReactNode } from 'react'
import { Icon } from '../../parts/icons/icon.tsx'
import styles from './stats.module.css'

type Figure = {
  readonly label: string
  readonly value: ReactNode
  readonly note?: string | undefined
  readonly isMain?: boolean
}

/** Labeled numbers. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className={styles['figures']}>
      {figures.map(({ label, value, note, isMain = false }) => (
        <div key={label} {...(isMain ? { 'data-main': '' } : {})}>
          <dt>{label}</dt>
          <dd>
            <span className="nowrap">{value}</span>
            {note === undefined ? undefined : <span className={styles['note']}> {note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type PanelProps = {
  readonly label: string
  readonly title: string
  /** Of its page on the statistics site. */
  readonly address?: string
  readonly picture: ReactNode
  readonly mark?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The donor or the team, with its figures. */
export function Panel({ label, title, address, picture, mark, actions, children }: PanelProps) {
  return (
    <section aria-label={label} className={styles['panel']}>
      <header className="line gap-3">
        <span className={styles['picture']}>{picture}</span>
        <div className={styles['names']}>
          <p className="quiet type-2">{label}</p>
          <h2 className="type-6 strong tight tracking anywhere">
            {address === undefined ? (
              <bdi>{title}</bdi>
            ) : (
              <a href={address} target="_blank" rel="noopener noreferrer" className={styles['link']}>
                <bdi>{title}</bdi>
                <Icon name="external" />
              </a>
            )}
          </h2>
        </div>
        {mark}
      </header>
      {children}
      {actions === undefined ? undefined : <footer className={styles['actions']}>{actions}</footer>}
    </section>
  )
}
