import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { formatNumber, formatPercent, formatPoints, formatWholePercent } from '../../../folding/text/format.ts'
import { formatLocalShort } from '../../../folding/text/times.ts'
import { clientTime } from '../../../folding/unit/unit-meaning.ts'
import { endOf } from '../../../folding/unit/history.ts'
import { unitChart, type ChartLimit, type UnitChart as Chart } from '../../../folding/unit/unit-chart.ts'
import type { UnitRecord } from '../../../folding/unit/unit-record.ts'
import { statusAppearance } from '../../../folding/unit/unit-status.ts'
import { selectRecord } from '../../../machines/units/records/records.selectors.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { ChartTable } from '../../parts/charts/chart-table.tsx'
import { Plot } from '../../parts/charts/plot.tsx'
import type { PlotMark } from '../../parts/charts/plot-marks.ts'
import tones from '../../parts/display/tones.module.css'
import styles from './unit-chart.module.css'
import { useUnitSource, useUnitValue } from './unit-source.ts'
import { UnitTimeline } from './unit-timeline.tsx'

const LIMITS: Readonly<Record<ChartLimit['kind'], { readonly label: string; readonly color: string }>> = {
  end: { label: t`Ended`, color: '--text-quiet' },
  expected: { label: t`Expected end`, color: '--text-quiet' },
  timeout: { label: t`Timeout`, color: '--tone-waiting' },
  deadline: { label: t`Deadline`, color: '--tone-failed' },
}

/** CSS pixels. */
const HEIGHT = 190

function marksOf({ interruptions, setBacks, limits }: Chart): readonly PlotMark[] {
  return [
    ...interruptions.map(({ from: at, to: until, status }): PlotMark =>
      status === undefined
        ? { kind: 'hatch', at, until, color: '--line-strong' }
        : { kind: 'band', at, until, color: `--tone-${statusAppearance(status).tone}` },
    ),
    ...setBacks.map(({ at }): PlotMark => ({ kind: 'drop', at, color: '--tone-failed' })),
    ...limits.map(({ at, kind }): PlotMark => ({ kind: 'line', at, ...LIMITS[kind] })),
  ]
}

/** From the last progress to the expected end. */
function trendOf({ progress, limits }: Chart): readonly PlotMark[] {
  const last = progress.findLast(({ value }) => value !== undefined)
  const end = limits.find(({ kind }) => kind === 'expected')
  return last?.value === undefined || end === undefined
    ? []
    : [{ kind: 'trend', at: last.at, until: end.at, values: [last.value, 1], color: '--text-quiet' }]
}

/** What the marks without a label mean. */
function Legend({ chart: { interruptions, setBacks } }: { readonly chart: Chart }) {
  const states = [...new Set(interruptions.flatMap(({ status }) => status ?? []))].map(statusAppearance)
  return (
    <ul className={styles['legend']}>
      {interruptions.some(({ status }) => status === undefined) ? (
        <li>
          <span className={styles['hatch']} aria-hidden="true" />
          {t`Not seen`}
        </li>
      ) : undefined}
      {states.map(({ label, tone }) => (
        <li key={label} className={tones[tone]}>
          <span className={styles['band']} aria-hidden="true" />
          {label}
        </li>
      ))}
      {setBacks.length === 0 ? undefined : (
        <li>
          <span className={styles['drop']} aria-hidden="true" />
          {t`Continued from its last checkpoint`}
        </li>
      )}
    </ul>
  )
}

/** Rows of the table at most, about. */
const ROWS = 40

function formatMeasured(value: number): string {
  return formatNumber(value, { digits: 1 })
}

function Table({ record: { moments }, input }: { readonly record: UnitRecord; readonly input: string | undefined }) {
  const step = Math.ceil(moments.length / ROWS)
  return (
    <ChartTable
      label={t`History`}
      columns={[t`Time`, t`State`, t`Progress`, 'PPD', ...(input === undefined ? [] : [input])]}
      rows={[...moments]
        .reverse()
        .filter((_, place) => place % step === 0)
        .map(({ at, status, progress, ppd, input: measured }) => ({
          key: at,
          cells: [
            formatLocalShort(at),
            statusAppearance(status).label,
            formatPercent(progress),
            formatPoints(ppd),
            ...(input === undefined ? [] : [measured === undefined ? '' : formatMeasured(measured.value)]),
          ],
        }))}
    />
  )
}

function Charts({ record, chart }: { readonly record: UnitRecord; readonly chart: Chart }) {
  const shared = useMemo(
    () => ({ range: [chart.from, chart.to] as const, marks: marksOf(chart), height: HEIGHT, isFromZero: true }),
    [chart],
  )
  const progressMarks = useMemo(() => [...shared.marks, ...trendOf(chart)], [shared, chart])
  return (
    <>
      <p className="quiet type-3">
        {t`What this browser saw while Foldboard was open. Nothing is known of other times.`}
      </p>
      <div className={styles['plots']}>
        <div>
          <Plot
            {...shared}
            samples={chart.progress}
            name={t`Progress`}
            unit=""
            most={1}
            marks={progressMarks}
            format={formatWholePercent}
          />
        </div>
        <div>
          <Plot {...shared} samples={chart.ppd} name={t`Points per day`} unit="PPD" />
        </div>
        {chart.input === undefined ? undefined : (
          <div>
            <Plot
              {...shared}
              samples={chart.input.samples}
              name={chart.input.name}
              unit={chart.input.name}
              format={formatMeasured}
            />
          </div>
        )}
      </div>
      <Legend chart={chart} />
      <Table record={record} input={chart.input?.name} />
    </>
  )
}

/** Progress and points per day of the unit over time, as this browser saw them, with what interrupted it. */
export function UnitChart({ unit: id }: { readonly unit: string }) {
  const { records } = useSystem()
  const record = useSelector(records, selectRecord(id))
  const isComing = useSelector(records, snapshot => snapshot.hasTag('loading'))
  const source = useUnitSource()
  const isOver = useUnitValue(endOf) !== undefined
  // Drawn again when more was seen, not with every figure.
  const chart = useMemo(() => {
    const { unit, context } = source.read() ?? {}
    return unit === undefined || context === undefined
      ? undefined
      : unitChart(record, unit, clientTime(context.data, context.now))
  }, [record, source])
  return (
    <>
      <UnitTimeline record={record} />
      {record === undefined || chart === undefined ? (
        isComing || isOver ? undefined : (
          <p className="quiet type-3">{t`The chart begins within two minutes.`}</p>
        )
      ) : (
        <Charts record={record} chart={chart} />
      )}
    </>
  )
}
