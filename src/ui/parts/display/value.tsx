import { UNKNOWN } from '../../../folding/text/format.ts'
import { classNames } from '../class-names.ts'
import styles from './value.module.css'

type Props = {
  /** Formatted, or '???'. */
  readonly children: string
  readonly unit?: string
  readonly isStale?: boolean
  readonly isLarge?: boolean
}

/** A number with its unit in a quieter color. */
export function Value({ children, unit, isStale = false, isLarge = false }: Props) {
  return (
    <span
      className={classNames(
        'nowrap',
        isLarge && styles['large'],
        isStale && styles['stale'],
        children === UNKNOWN && 'quiet',
      )}
    >
      {children}
      {unit === undefined ? undefined : <span className={styles['unit']}> {unit}</span>}
    </span>
  )
}
