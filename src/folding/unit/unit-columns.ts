/*
 * Every column of the unit table (docs/product.md §3, and Type of §10): title, width, sort value and text.
 */
import { t } from '@lingui/core/macro'
import type { Unit } from '../../protocol/client/client-data.ts'
import { lacksPasskey, osName, osText } from '../client/client.ts'
import {
  compareTexts,
  formatList,
  formatNumber,
  formatPercent,
  formatPoints,
  formatValue,
  UNKNOWN,
} from '../text/format.ts'
import { groupNameOf, groupTitleOf } from '../client/group.ts'
import { finite, list, ownValue, text } from '../shared/read.ts'
import { shortResources, shownUnitResources, unitGpuNames } from '../client/resources.ts'
import { formatBothClocks, formatInterval, formatLocalShort, formatRelative } from '../text/times.ts'
import type { ColumnName, SortValue, UnitColumn, UnitContext } from './unit-column.ts'
import { clientWords, STATUS_WIDTH, statusAppearance, unitProgress, unitReason, unitStatus } from './unit-status.ts'
import { clientTime, hasEnded } from './unit-meaning.ts'
import * as work from './unit-progress.ts'
import { withOriginal } from '../text/client-words.ts'

type Cell<T> = (unit: Unit, context: UnitContext) => T

function idOf(name: ColumnName): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

function atClient({ data, now }: UnitContext): number {
  return clientTime(data, now)
}
function marked(isGuess: (unit: Unit, now: number) => boolean): Cell<boolean> {
  return (unit, context) => work.isStale(unit, atClient(context)) || isGuess(unit, atClient(context))
}

/** Why an estimate is marked; undefined when it is not. */
const guessDetail: Cell<string | undefined> = (unit, context) => {
  const at = atClient(context)
  if (!work.isPpdGuess(unit, at)) return undefined
  const tpf = work.tpfSeconds(unit, at)
  return (work.workShare(unit) ?? 0) < 0.01 || tpf === undefined
    ? t`A guess: in the first percent the speed is not known yet.`
    : t`Not certain: the work server expected another time than was measured. It takes about ${formatInterval(tpf * 100)} in all, less if the computer slept.`
}

const pointsDetail: Cell<string | undefined> = (unit, context) =>
  guessDetail(unit, context) ??
  (lacksPasskey(context.data) && !hasEnded(unit) ? t`With a bonus that is not earned without a passkey.` : undefined)

/** A column of texts, which are also the sort values. */
function texts(
  name: ColumnName,
  title: string,
  hint: string,
  width: number,
  read: Cell<string | undefined>,
): UnitColumn {
  return {
    id: idOf(name),
    name,
    title,
    hint,
    align: 'start',
    width,
    grows: width >= 20,
    value: (unit, context) => text(read(unit, context)),
    text: (unit, context) => text(read(unit, context)) ?? UNKNOWN,
  }
}

/** A column of numbers, right-aligned. */
function numbers(
  name: ColumnName,
  title: string,
  hint: string,
  width: number,
  read: Cell<number | undefined>,
  show: (value: number | undefined, context: UnitContext) => string,
): UnitColumn {
  return {
    id: idOf(name),
    name,
    title,
    hint,
    align: 'end',
    width,
    grows: false,
    value: read,
    text: (unit, context) => show(read(unit, context), context),
  }
}

/** A column of instants: relative time, local time and UTC on hover. */
function instants(name: ColumnName, title: string, hint: string, read: Cell<number | undefined>): UnitColumn {
  return {
    ...numbers(name, title, hint, 10, read, (at, { now }) => formatRelative(at, now)),
    detail: (unit, context) => {
      const at = read(unit, context)
      return at === undefined ? undefined : formatBothClocks(at, context)
    },
  }
}

function plain(value: number | undefined): string {
  return formatValue(value)
}
function grouped(value: number | undefined, { locale }: UnitContext): string {
  return formatNumber(value, { locale })
}

const statusOf: Cell<string> = (unit, { data, now }) => unitStatus(unit, data, now)
const statusLabel: Cell<string> = (unit, context) => statusAppearance(statusOf(unit, context)).label
const statusDetail: Cell<string> = (unit, context) =>
  withOriginal(
    unitReason(unit, context.data, context.now) ?? statusAppearance(statusOf(unit, context)).hint,
    clientWords(unit),
  )

const eta: UnitColumn = {
  ...numbers(
    'ETA',
    'ETA',
    t`Estimated time left`,
    8,
    (unit, context) => work.timeLeft(unit, atClient(context)),
    formatInterval,
  ),
  // An `eta` of a newer client that cannot be parsed is shown unchanged.
  text: (unit, context) => {
    const seconds = work.timeLeft(unit, atClient(context))
    return seconds === undefined ? formatValue(work.unknownEta(unit)) : formatInterval(seconds)
  },
  detail: (unit, context) =>
    work.deadlineWarning(work.deadlineRisk(unit, context.now)) ??
    (work.isGuess(unit, atClient(context)) ? guessDetail(unit, context) : undefined),
  isLate: (unit, { now }) => work.deadlineRisk(unit, now) !== 'none',
  isStale: marked(work.isGuess),
}

const deadline: UnitColumn = {
  ...instants('Deadline', t`Deadline`, t`Later results earn no points`, work.deadlineAt),
  detail: (unit, context) => {
    const at = work.deadlineAt(unit)
    const warning = work.deadlineWarning(work.deadlineRisk(unit, context.now))
    return (
      [at === undefined ? undefined : formatBothClocks(at, context), warning]
        .filter(part => part !== undefined)
        .join(' ') || undefined
    )
  },
  isLate: (unit, { now }) => ['deadline', 'passed'].includes(work.deadlineRisk(unit, now)),
}

const timeout: UnitColumn = {
  ...instants('Timeout', t`Timeout`, t`Later results earn no bonus`, work.timeoutAt),
  isLate: (unit, { now }) => work.deadlineRisk(unit, now) !== 'none',
}

/** All columns, in the order in which the settings offer them. */
export const UNIT_COLUMNS: readonly UnitColumn[] = [
  numbers('Project', t`Project`, t`The project of the work unit`, 8, work.projectOf, plain),
  texts('Type', t`Type`, t`Computed on CPU or GPU`, 5, work.unitType),
  numbers('CPUs', t`CPUs`, t`CPUs used`, 5, unit => finite(unit.cpus), grouped),
  numbers(
    'GPUs',
    t`GPUs`,
    t`Number of GPUs used`,
    5,
    unit => (Array.isArray(unit.gpus) ? list(unit.gpus).length : undefined),
    grouped,
  ),
  texts('GPUs Text', t`GPUs Text`, t`Names of the GPUs used`, 26, (unit, { data }) =>
    Array.isArray(unit.gpus) ? formatList(unitGpuNames(unit, data?.info)) || t`None` : undefined,
  ),
  {
    ...texts('Status', t`Status`, t`What the work unit is doing`, STATUS_WIDTH, statusLabel),
    grows: false,
    detail: statusDetail,
  },
  {
    ...texts('Status Text', t`Status Text`, t`Status as text`, STATUS_WIDTH, statusLabel),
    grows: false,
    detail: statusDetail,
  },
  {
    ...numbers(
      'Progress',
      t`Progress`,
      t`Share of the work that is done`,
      16,
      (unit, context) => unitProgress(unit, atClient(context)),
      (share, { locale }) => formatPercent(share, locale),
    ),
    grows: true,
  },
  {
    ...numbers('PPD', 'PPD', t`Points per day`, 11, work.ppdOf, (ppd, { locale }) => formatPoints(ppd, locale)),
    detail: pointsDetail,
    isStale: marked(work.isPpdGuess),
  },
  eta,
  numbers(
    'TPF',
    'TPF',
    t`Time per frame: time for 1% of the work unit`,
    8,
    (unit, context) => work.tpfSeconds(unit, atClient(context)),
    formatInterval,
  ),
  texts('OS', t`OS`, t`The machine’s operating system`, 8, (_, { data }) => osName(data?.info)),
  texts(
    'OS Text',
    t`OS Text`,
    t`The machine’s operating system with its version`,
    14,
    (unit, { data }) =>
      text(ownValue(unit, 'os_title')) ?? (osName(data?.info) === undefined ? undefined : osText(data?.info)),
  ),
  texts('Core', t`Core`, t`The program that computes the work`, 6, work.coreOf),
  deadline,
  timeout,
  texts('RCG', 'RCG', t`Run, clone and gen: identify the work unit within its project`, 14, work.rcgOf),
  numbers(
    'Run Time',
    t`Run Time`,
    t`Computing time so far`,
    9,
    (unit, context) => work.runTime(unit, atClient(context)),
    formatInterval,
  ),
  numbers(
    'Base Credit',
    t`Base Credit`,
    t`Points without bonus`,
    11,
    unit => finite(work.assignmentOf(unit)?.credit),
    grouped,
  ),
  {
    ...instants('Assign Time', t`Assign Time`, t`When the work unit was assigned`, work.assignedAt),
    width: 18,
    text: (unit, context) => formatLocalShort(work.assignedAt(unit), context),
  },
  numbers(
    'Number',
    t`Number`,
    t`The machine’s own unit number; its log has it after WU`,
    8,
    unit => finite(unit.number),
    plain,
  ),
  texts('Machine', t`Machine`, t`The machine that computes the work unit`, 20, (_, { machine: client }) =>
    text(client),
  ),
  texts('Work Server', t`Work Server`, t`The server that assigned the work unit`, 20, unit =>
    text(work.assignmentOf(unit)?.ws),
  ),
  texts('Version', t`Version`, t`The machine’s client version`, 8, (_, { data }) =>
    text(ownValue(data?.info, 'version')),
  ),
  {
    ...texts('Resources', t`Resources`, t`CPUs and GPUs used`, 26, (unit, { data, locale }) =>
      shownUnitResources(unit, data?.info, locale),
    ),
    text: (unit, { data, locale }) => shortResources(shownUnitResources(unit, data?.info, locale) ?? UNKNOWN),
    detail: (unit, { data, locale }) => shownUnitResources(unit, data?.info, locale),
  },
  texts('Group Name', t`Group Name`, t`The resource group of the work unit`, 14, (unit, { data }) =>
    groupTitleOf(data?.info, groupNameOf(unit)),
  ),
]

/** Compares two values of a column: numbers by size, texts in natural order, undefined last. */
export function compareValues(a: SortValue, b: SortValue, direction: 'ascending' | 'descending' = 'ascending'): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  const sign = direction === 'ascending' ? 1 : -1
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
  return sign * compareTexts(String(a), String(b))
}
