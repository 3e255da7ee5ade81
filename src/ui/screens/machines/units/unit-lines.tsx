import type { UnitColumn } from '../../../../folding/unit/unit-column.ts'
import { UNIT_COLUMNS } from '../../../../folding/unit/unit-columns.ts'
import { useUnitAt } from './use-unit.ts'
import styles from './unit-lines.module.css'

/** Two columns of the same content each: the shorter one is left out. */
const REPEATED: readonly string[] = ['status-text', 'gpus', 'os']

function Line({ unit, column }: { unit: string; column: UnitColumn }) {
  const text = useUnitAt(unit, column.text)
  return (
    <div className={styles['line']}>
      <dt title={column.hint}>{column.title}</dt>
      <dd>{text}</dd>
    </div>
  )
}

/** Every column of a unit that its row does not show, as labelled lines. `shown`: ids of those that it does. */
export function UnitLines({ unit, shown }: { unit: string; shown: readonly string[] }) {
  return (
    <dl className={styles['lines']}>
      {UNIT_COLUMNS.filter(({ id }) => !shown.includes(id) && !REPEATED.includes(id)).map(column => (
        <Line key={column.id} unit={unit} column={column} />
      ))}
    </dl>
  )
}
