/*
 * Every column of the unit table (docs/product.md §3, and Type of §10): its heading, how wide, what it sorts by
 * and what it shows.
 */
import { t } from '@lingui/core/macro'
import type { Unit } from '../../protocol/client-data.ts'
import { osName, osText } from '../machine/client.ts'
import { chosenLocales, formatNumber, formatPercent, formatPoints, formatValue, UNKNOWN } from '../shared/format.ts'
import { groupNameOf, groupTitle, isGroupFinishing } from '../machine/group.ts'
import { finite, list, own, text } from '../shared/read.ts'
import { shortResources, unitGpuNames, unitResources } from '../machine/resources.ts'
import { formatBothClocks, formatInterval, formatLocalShort, formatRelative } from '../shared/times.ts'
import type { SortValue, UnitColumn, UnitContext } from './unit-column.ts'
import { statusLook, unitProgress, unitReason, unitStatus } from './unit-status.ts'
import * as work from './unit-progress.ts'

type Cell<T> = (unit: Unit, context: UnitContext) => T

const isStale: Cell<boolean> = (unit, { now }) => work.isStale(unit, now)

/** A column of texts: sorted and shown the same. */
const words = (id: string, title: string, hint: string, width: number, read: Cell<string | undefined>): UnitColumn => ({
  id,
  title,
  hint,
  align: 'start',
  width,
  grows: width >= 20,
  value: (unit, context) => text(read(unit, context)),
  text: (unit, context) => text(read(unit, context)) ?? UNKNOWN,
})

/** A column of numbers, right-aligned. */
const numbers = (
  id: string,
  title: string,
  hint: string,
  width: number,
  read: Cell<number | undefined>,
  show: (value: number | undefined, context: UnitContext) => string,
): UnitColumn => ({
  id,
  title,
  hint,
  align: 'end',
  width,
  grows: false,
  value: read,
  text: (unit, context) => show(read(unit, context), context),
})

/** A column of instants: relative, both clocks on hover. */
const instants = (id: string, title: string, hint: string, read: Cell<number | undefined>): UnitColumn => ({
  ...numbers(id, title, hint, 10, read, (at, { now }) => formatRelative(at, now)),
  detail: (unit, context) => {
    const at = read(unit, context)
    return at === undefined ? undefined : formatBothClocks(at, context)
  },
})

const plain = (value: number | undefined): string => formatValue(value)
const grouped = (value: number | undefined, { locale }: UnitContext): string => formatNumber(value, { locale })

const statusOf: Cell<string> = (unit, { data, now }) => unitStatus(unit, isGroupFinishing(data, unit), now)
const statusWord: Cell<string> = (unit, context) => statusLook(statusOf(unit, context)).word
const statusDetail: Cell<string> = (unit, context) =>
  unitReason(unit, context.now) ?? statusLook(statusOf(unit, context)).hint

const eta: UnitColumn = {
  ...numbers(
    'eta',
    'ETA',
    t`Time until the work is done, as the machine estimates it`,
    8,
    work.etaSeconds,
    formatInterval,
  ),
  // A text that is no length of time is a newer client's and shown as it is.
  text: unit => {
    const seconds = work.etaSeconds(unit)
    return seconds === undefined ? formatValue(unit.eta) : formatInterval(seconds)
  },
  detail: (unit, { now }) => work.deadlineWords(work.deadlineRisk(unit, now)),
  isLate: (unit, { now }) => work.deadlineRisk(unit, now) !== 'none',
  isStale,
}

const deadline: UnitColumn = {
  ...instants('deadline', t`Deadline`, t`Results that come later earn nothing`, work.deadlineAt),
  detail: (unit, context) => {
    const at = work.deadlineAt(unit)
    const warning = work.deadlineWords(work.deadlineRisk(unit, context.now))
    return (
      [at === undefined ? undefined : formatBothClocks(at, context), warning]
        .filter(part => part !== undefined)
        .join(' ') || undefined
    )
  },
  isLate: (unit, { now }) => ['deadline', 'passed'].includes(work.deadlineRisk(unit, now)),
}

const timeout: UnitColumn = {
  ...instants('timeout', t`Timeout`, t`Results that come later earn no bonus`, work.timeoutAt),
  isLate: (unit, { now }) => work.deadlineRisk(unit, now) !== 'none',
}

/** All columns, in the order in which they are offered. */
export const UNIT_COLUMNS: readonly UnitColumn[] = [
  numbers('project', t`Project`, t`The project that the work belongs to`, 8, work.projectOf, plain),
  words('type', t`Type`, t`Whether it is computed on the CPU or a GPU`, 5, work.unitType),
  numbers('cpus', t`CPUs`, t`CPU cores that it uses`, 5, unit => finite(unit.cpus), plain),
  numbers(
    'gpus',
    t`GPUs`,
    t`How many GPUs it uses`,
    5,
    unit => (Array.isArray(unit.gpus) ? list(unit.gpus).length : undefined),
    plain,
  ),
  words('gpus-text', t`GPUs Text`, t`The GPUs that it uses`, 26, (unit, { data }) =>
    Array.isArray(unit.gpus) ? unitGpuNames(unit, data?.info).join(', ') || t`None` : undefined,
  ),
  { ...words('status', t`Status`, t`What it is doing`, 14, statusWord), detail: statusDetail },
  {
    ...words('status-text', t`Status Text`, t`What it is doing, in words`, 14, statusWord),
    detail: statusDetail,
  },
  {
    ...numbers(
      'progress',
      t`Progress`,
      t`How much is done`,
      16,
      (unit, { now }) => unitProgress(unit, now),
      (share, { locale }) => formatPercent(share, locale),
    ),
    grows: true,
  },
  {
    ...numbers('ppd', 'PPD', t`Points per day`, 11, work.ppdOf, (ppd, { locale }) => formatPoints(ppd, locale)),
    isStale,
  },
  eta,
  numbers(
    'tpf',
    'TPF',
    t`Time per frame: the time for one percent`,
    8,
    (unit, { now }) => work.tpfSeconds(unit, now),
    formatInterval,
  ),
  words('os', 'OS', t`The machine’s operating system`, 8, (_, { data }) => osName(data?.info)),
  words(
    'os-text',
    t`OS Text`,
    t`The machine’s operating system with its version`,
    14,
    (unit, { data }) =>
      text(own(unit, 'os_title')) ?? (osName(data?.info) === undefined ? undefined : osText(data?.info)),
  ),
  words('core', t`Core`, t`The programme that computes it`, 6, work.coreOf),
  deadline,
  timeout,
  words('rcg', 'RCG', t`Run, clone and gen: which piece of the project it is`, 14, work.rcgOf),
  numbers(
    'run-time',
    t`Run Time`,
    t`How long it has been computed`,
    9,
    (unit, { now }) => work.runTime(unit, now),
    formatInterval,
  ),
  numbers(
    'base-credit',
    t`Base Credit`,
    t`Points without bonus`,
    11,
    unit => finite(work.assignmentOf(unit)?.credit),
    grouped,
  ),
  {
    ...instants('assign-time', t`Assign Time`, t`When it was assigned`, work.assignedAt),
    width: 18,
    text: (unit, context) => formatLocalShort(work.assignedAt(unit), context),
  },
  numbers(
    'number',
    t`Number`,
    t`The machine’s own count of units; its log says WU and this number`,
    8,
    unit => finite(unit.number),
    plain,
  ),
  words('machine', t`Machine`, t`The machine that computes it`, 20, (_, { machine }) => text(machine)),
  words('work-server', t`Work Server`, t`The server that gave it`, 20, unit => text(work.assignmentOf(unit)?.ws)),
  words('version', t`Version`, t`The machine’s client version`, 8, (_, { data }) => text(own(data?.info, 'version'))),
  {
    ...words('resources', t`Resources`, t`CPUs and GPUs that it uses`, 26, (unit, { data, locale }) =>
      unitResources(unit, data?.info, locale),
    ),
    text: (unit, { data, locale }) => shortResources(unitResources(unit, data?.info, locale) ?? UNKNOWN),
    detail: (unit, { data, locale }) => unitResources(unit, data?.info, locale),
  },
  words('group-name', t`Group Name`, t`The resource group that it belongs to`, 14, unit =>
    groupTitle(groupNameOf(unit)),
  ),
]

/** Compares two values of a column: numbers by size, texts as people sort; what is unknown comes last. */
export const compareValues = (
  a: SortValue,
  b: SortValue,
  direction: 'ascending' | 'descending' = 'ascending',
): number => {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  const sign = direction === 'ascending' ? 1 : -1
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
  return sign * collator.compare(String(a), String(b))
}

const collator = new Intl.Collator(chosenLocales(), { numeric: true, sensitivity: 'base' })
