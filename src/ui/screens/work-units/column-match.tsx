import { plural, t } from '@lingui/core/macro'
import { useEffect, useMemo, useState } from 'react'
import {
  FOREIGN_FIELDS,
  guessColumns,
  readForeign,
  readTable,
  type ColumnChoice,
  type ForeignLine,
  type ForeignTable,
} from '../../../folding/unit/foreign-csv.ts'
import { writeJson } from '../../../folding/unit/unit-file.ts'
import { formatList } from '../../../folding/text/format.ts'
import lists from '../../dialogs/dialog-list.module.css'
import styles from '../../dialogs/direct-clients/direct-clients.module.css'
import { useSystem } from '../../hooks/system-context.ts'
import { Button } from '../../parts/actions/button.tsx'
import { classNames } from '../../parts/class-names.ts'
import { StatusMark } from '../../parts/display/status-mark.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'

/** Lines that are shown; those that are not taken over come first. */
const MOST_LINES = 500
const NONE = ''

function shownOf({ status }: ForeignLine) {
  switch (status) {
    case 'new':
      return { icon: 'plus', tone: 'running', text: t({ message: 'New', context: 'work unit' }) } as const
    case 'known':
      return { icon: 'done', tone: 'done', text: t`In the history already` } as const
    case 'noProject':
      return { icon: 'fail', tone: 'failed', text: t`No project` } as const
    case 'noTime':
      return { icon: 'fail', tone: 'failed', text: t`No time when it ended` } as const
  }
}

type Props = { readonly file: File; readonly onClose: () => void }

function Match({ table, onClose }: { readonly table: ForeignTable; readonly onClose: () => void }) {
  const { history } = useSystem()
  const [choice, setChoice] = useState<ColumnChoice>(() => guessColumns(table))
  const [known] = useState(() => history.getSnapshot().context.history)
  const { excerpt, lines } = useMemo(() => readForeign(table, choice, known), [table, choice, known])
  const options = useMemo(
    () => [{ id: NONE, label: t`None` }, ...table.titles.map((label, at) => ({ id: String(at), label }))],
    [table],
  )
  const used = new Set(Object.values(choice))
  const left = formatList(table.titles.filter((_, at) => !used.has(at)))
  const { length } = excerpt.units
  const shown = lines.toSorted((a, b) => Number(a.status === 'new') - Number(b.status === 'new')).slice(0, MOST_LINES)
  const add = (): void => {
    history.send({ type: 'history.import', file: new Blob([writeJson(excerpt)]) })
    onClose()
  }
  return (
    <Dialog
      title={t`Columns of the file`}
      onLeave={onClose}
      isForm
      footer={
        <>
          <Button onPress={onClose}>{t`Cancel`}</Button>
          <Button
            kind="primary"
            onPress={add}
            blockedBecause={length === 0 ? t`No line is a work unit that is not in the history.` : undefined}
          >
            {t`Import ${plural(length, { one: '# work unit', other: '# work units' })}`}
          </Button>
        </>
      }
    >
      <div className={styles['add']}>
        {FOREIGN_FIELDS.map(({ id, label }) => (
          <Select
            key={id}
            label={label}
            options={options}
            value={String(choice[id] ?? NONE)}
            onChange={at => setChoice({ ...choice, [id]: at === NONE ? undefined : Number(at) })}
          />
        ))}
      </div>
      {left === '' ? undefined : <p className={lists['quiet']}>{t`Columns that are left out: ${left}`}</p>}
      <ol className={classNames('grid line-below', styles['preview'])} aria-label={t`Preview`} tabIndex={0}>
        {shown.map(line => (
          <li key={line.line} className="flex wrap align-baseline gap-1-3 pad-block-1 line-above">
            <span className="tabular quiet type-2">{t`Line ${line.line}`}</span>
            <span className={styles['address']}>{line.text}</span>
            <StatusMark {...shownOf(line)} />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

/** What the columns of another program's file mean, and what becomes of each line. */
export function ColumnMatch({ file, onClose }: Props) {
  const [table, setTable] = useState<ForeignTable>()
  useEffect(() => {
    file.text().then(
      text => setTable(readTable(text)),
      () => setTable({ titles: [], rows: [] }),
    )
  }, [file])
  return table === undefined ? null : <Match table={table} onClose={onClose} />
}
