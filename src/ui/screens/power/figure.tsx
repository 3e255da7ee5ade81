import { Fragment } from 'react'
import { GUESS_HINT } from '../../../folding/power/power-text.ts'
import styles from './power.module.css'

type FigureProps = {
  readonly label: string
  readonly value: string
  readonly notes?: readonly string[]
  readonly isMain?: boolean
}

/** A figure with its name above and notes below. */
export function Figure({ label, value, notes = [], isMain = false }: FigureProps) {
  return (
    <div {...(isMain ? { 'data-main': '' } : {})}>
      <dt>{label}</dt>
      <dd {...(value.startsWith('≈') ? { title: GUESS_HINT } : {})}>
        <bdi>{value}</bdi>
        {notes.length === 0 ? undefined : (
          <span className={styles['note']}>
            {notes.map((note, index) => (
              <Fragment key={note}>
                {index === 0 ? ' ' : ' · '}
                <bdi>{note}</bdi>
              </Fragment>
            ))}
          </span>
        )}
      </dd>
    </div>
  )
}
