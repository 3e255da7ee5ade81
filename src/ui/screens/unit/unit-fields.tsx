import { Link } from 'react-router-dom'
import { DETAIL_COLUMNS, columnsOf } from '../../../folding/unit/column-sets.ts'
import { UNKNOWN } from '../../../folding/text/format.ts'
import type { UnitColumn, UnitContext } from '../../../folding/unit/unit-column.ts'
import { statusAppearance } from '../../../folding/unit/unit-status.ts'
import { formatBothClocks, formatUtc } from '../../../folding/text/times.ts'
import { speedText } from '../../../folding/unit/speed-text.ts'
import { clientTime } from '../../../folding/unit/unit-meaning.ts'
import { assignedAt, deadlineAt, speedOf } from '../../../folding/unit/unit-progress.ts'
import type { Unit } from '../../../protocol/client/client-data.ts'
import { classNames } from '../../parts/class-names.ts'
import { UnknownFacts } from '../../parts/display/unknown-facts.tsx'
import { StatusMark } from '../../parts/display/status-mark.tsx'
import { Icon } from '../../parts/icons/icon.tsx'
import { statusOf } from '../../../folding/unit/unit-cells.ts'
import { useUnitValue } from './unit-source.ts'
import styles from './unit-fields.module.css'

function Status() {
  const { icon, tone, label, lang } = statusAppearance(useUnitValue(statusOf) ?? '')
  return <StatusMark icon={icon} tone={tone} text={label} lang={lang} />
}

/** The text below a value. The deadline risk, the detail of the ETA, is in the notice above the fields. */
function detailOf({ id, detail }: UnitColumn, unit: Unit, context: UnitContext): string | undefined {
  if (id === 'eta') return undefined
  if (id === 'assign-time') return formatUtc(assignedAt(unit))
  if (id === 'tpf') {
    const speed = speedOf(unit, clientTime(context.data, context.now))
    return speed === undefined ? undefined : speedText(speed.by)
  }
  return id === 'deadline' ? formatBothClocks(deadlineAt(unit)) : detail?.(unit, context)
}

function Text({ column }: { column: UnitColumn }) {
  const text = useUnitValue(column.text) ?? UNKNOWN
  const detail = useUnitValue((unit, context) => detailOf(column, unit, context))
  const isStale = useUnitValue((unit, context) => column.isStale?.(unit, context) === true) ?? false
  const isLate = useUnitValue((unit, context) => column.isLate?.(unit, context) === true) ?? false
  return (
    <span className={classNames(isStale && styles['stale'], isLate && styles['late'])}>
      <span className="inline-flex align-center gap-1">
        {isLate ? <Icon name="warning" /> : undefined}
        <bdi>{text}</bdi>
      </span>
      {detail === undefined || detail === text || text === UNKNOWN ? undefined : (
        <bdi className={styles['detail']}>{detail}</bdi>
      )}
    </span>
  )
}

function Value({ column }: { column: UnitColumn }) {
  if (column.id === 'status-text') return <Status />
  return <Text column={column} />
}

/** They stand in the head of the page. */
const ABOVE: readonly string[] = ['progress', 'machine', 'base-credit', 'project']

/** Where the guide explains a title, by the column. */
const WORDS: Readonly<Record<string, string>> = {
  core: '/help/words#core',
  deadline: '/help/words#deadline',
  ppd: '/help/words#ppd',
  rcg: '/help/words#rcg',
  timeout: '/help/words#timeout',
  tpf: '/help/words#tpf',
}

function Title({ id, title }: UnitColumn) {
  const word = WORDS[id]
  return word === undefined ? title : <Link to={word}>{title}</Link>
}

const columns = columnsOf(DETAIL_COLUMNS).filter(({ id }) => !ABOVE.includes(id))

function Fields({ shown }: { readonly shown: readonly UnitColumn[] }) {
  return (
    <dl className={styles['fields']}>
      {shown.map(column => (
        <div key={column.id} className={styles['field']} data-column={column.id}>
          <dt title={column.hint}>
            <Title {...column} />
          </dt>
          <dd>
            <Value column={column} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The fields of Work Unit Details (docs/product.md §2). Those of which nothing is known are folded. */
export function UnitFields() {
  const unknown = useUnitValue((unit, context) =>
    columns.flatMap(({ id, text }) => (text(unit, context) === UNKNOWN ? [id] : [])).join(' '),
  )
  const ids = new Set(unknown?.split(' '))
  return (
    <div>
      <Fields shown={columns.filter(({ id }) => !ids.has(id))} />
      <UnknownFacts count={columns.filter(({ id }) => ids.has(id)).length}>
        <Fields shown={columns.filter(({ id }) => ids.has(id))} />
      </UnknownFacts>
    </div>
  )
}
