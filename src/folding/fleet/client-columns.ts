/*
 * Every column of the table of clients: title, width, sort value and text. A column is added by an entry.
 */
import { plural, t } from '@lingui/core/macro'
import { badgeAppearance } from '../client/badges.ts'
import { shortGpuName } from '../client/resources.ts'
import { groupTitle } from '../client/group.ts'
import { unitCounts, type StateCount } from '../client/unit-counts.ts'
import type { StateAppearance } from '../shared/appearance.ts'
import { formatList, formatNumber, formatPoints, formatValue, UNKNOWN } from '../text/format.ts'
import { formatBothClocks, formatInterval, formatRelative } from '../text/times.ts'
import { formatMoney, formatWatts, GUESS_HINT, withOrigin } from '../power/power-text.ts'
import { LEAST_USUAL, shareOfUsual, shareText } from './ppd-history.ts'
import type { SortValue } from '../unit/unit-column.ts'
import { clientStatusAppearance, CLIENT_STATUSES, riskAppearance, riskLevel, type ClientFacts } from './client-facts.ts'

export type ClientColumn = {
  /** Stable id for code, tests, addresses and styles: 'next-finish'. */
  readonly id: string
  readonly title: string
  /** Shown when the heading is hovered or focused. */
  readonly hint: string
  readonly align: 'start' | 'end'
  /** Usual width of its texts in `ch`. */
  readonly width: number
  readonly value: (facts: ClientFacts) => SortValue
  /** `now`: epoch milliseconds. */
  readonly text: (facts: ClientFacts, now: number) => string
  /** Whether the text changes with the time alone. */
  readonly isTimed?: boolean
  /** More about a cell, on hover. */
  readonly detail?: (facts: ClientFacts) => string | undefined
  /** Icon and tone before the text; undefined for none. */
  readonly look?: (facts: ClientFacts) => Pick<StateAppearance, 'icon' | 'tone'> | undefined
  /** Counts by state, each with its own icon, in place of the text. */
  readonly counts?: (facts: ClientFacts) => readonly StateCount[]
}

/** What is wrong with the client, the worst first; empty when nothing is. */
export function clientProblems(facts: ClientFacts): readonly string[] {
  return [
    facts.failedGroups > 0
      ? plural(facts.failedGroups, { one: '# group stopped by failures', other: '# groups stopped by failures' })
      : undefined,
    facts.failedUnits > 0
      ? plural(facts.failedUnits, { one: '# work unit failed or lost', other: '# work units failed or lost' })
      : undefined,
    facts.state === 'disconnected'
      ? facts.identity === 'left-over'
        ? badgeAppearance('left-over').label
        : t`Out of reach`
      : undefined,
    facts.identity === 'same-id' ? badgeAppearance('same-id').label : undefined,
    riskAppearance(facts.deadlineRisk)?.label,
    facts.state === 'idle' ? t`No work` : undefined,
    facts.isTooOld ? t`Client too old` : undefined,
  ].filter(problem => problem !== undefined)
}

function used(count: number, there: number | undefined, isConnected: boolean): string {
  const total = there === undefined ? UNKNOWN : formatNumber(there)
  return t`${isConnected ? formatNumber(count) : UNKNOWN} of ${total}`
}

function groupNames({ groups }: ClientFacts): string {
  return formatList(groups.map(groupTitle))
}

/** Why nothing is compared with what is usual. */
export const NOT_ENOUGH_HISTORY = t`Not enough history: what is usual is known after ${LEAST_USUAL.units} work units and ${LEAST_USUAL.hours} hours of folding.`

/** The column with a small chart of points per day. */
export const PPD_TREND_COLUMN = 'ppd-trend'

/** The columns that need the client’s history. */
export const HISTORY_COLUMNS: ReadonlySet<string> = new Set([PPD_TREND_COLUMN, 'ppd-usual', 'points-day'])

/** The columns that need the code of power. */
export const POWER_COLUMNS: ReadonlySet<string> = new Set(['watts', 'ppkwh', 'cost-day'])

function guessDetail({ power }: ClientFacts): string | undefined {
  return power?.isGuess === true ? GUESS_HINT : undefined
}

function marked(text: string, { power }: ClientFacts): string {
  return withOrigin(text, power?.isGuess === true ? 'guess' : undefined)
}

/** All columns, in the order in which the column chooser offers them. */
export const CLIENT_COLUMNS: readonly ClientColumn[] = [
  {
    id: 'name',
    title: t`Machine`,
    hint: t`The name of the machine`,
    align: 'start',
    width: 22,
    value: ({ name }) => name,
    text: ({ name }) => name,
    detail: ({ name, address }) => (address === undefined ? name : `${name} (${address})`),
  },
  {
    id: 'state',
    title: t`State`,
    hint: t`What the machine is doing`,
    align: 'start',
    width: 19,
    value: ({ state }) => CLIENT_STATUSES.indexOf(state),
    text: ({ state }) => clientStatusAppearance(state).label,
    detail: ({ state, identity }) =>
      [clientStatusAppearance(state).hint, ...(identity === undefined ? [] : [badgeAppearance(identity).hint])].join(
        ' ',
      ),
    look: ({ state }) => clientStatusAppearance(state),
  },
  {
    id: 'next-finish',
    title: t`Next finish`,
    hint: t`When the first of its running work units is ready`,
    align: 'end',
    width: 11,
    value: ({ nextFinish }) => nextFinish,
    text: ({ nextFinish }, now) =>
      nextFinish === undefined ? '–' : formatInterval(Math.max(0, nextFinish - now) / 1000),
    isTimed: true,
    detail: ({ nextFinish }) => (nextFinish === undefined ? t`Nothing is running.` : formatBothClocks(nextFinish)),
  },
  {
    id: 'tpf',
    title: 'TPF',
    hint: t`Time per frame, 1% of a work unit, of the one that is ready first`,
    align: 'end',
    width: 8,
    value: ({ nextTpf }) => nextTpf,
    text: ({ nextTpf }) => (nextTpf === undefined ? '–' : formatInterval(nextTpf)),
  },
  {
    id: 'gpu-names',
    title: 'GPU',
    hint: t`The GPUs of the machine that can fold`,
    align: 'start',
    width: 24,
    value: ({ gpus }) => (gpus.length === 0 ? undefined : formatList(gpus.map(shortGpuName))),
    text: ({ gpus, gpusThere }) =>
      gpus.length === 0 ? (gpusThere === undefined ? UNKNOWN : t`None`) : formatList(gpus.map(shortGpuName)),
    detail: ({ gpus }) => (gpus.length === 0 ? undefined : gpus.join('\n')),
  },
  {
    id: 'ppd',
    title: 'PPD',
    hint: t`Points per day now`,
    align: 'end',
    width: 11,
    value: ({ isConnected, ppd }) => (isConnected ? ppd : undefined),
    text: ({ isConnected, ppd }) => (isConnected ? formatPoints(ppd) : UNKNOWN),
  },
  {
    id: 'ppd-usual',
    title: t`Of usual`,
    hint: t`Points per day now, compared with what is usual for this machine`,
    align: 'end',
    width: 9,
    value: shareOfUsual,
    text: facts => {
      const share = shareOfUsual(facts)
      return share === undefined ? (facts.isConnected && facts.ppd === 0 ? '–' : UNKNOWN) : shareText(share)
    },
    detail: ({ usualPpd, pointsDay }) => {
      if (usualPpd !== undefined) return t`Usual: ${formatPoints(usualPpd)} PPD`
      // Points of a day are known as soon as the history is.
      return pointsDay === undefined ? t`The history of this machine is not known yet.` : NOT_ENOUGH_HISTORY
    },
  },
  {
    id: PPD_TREND_COLUMN,
    title: t`PPD, 7 days`,
    hint: t`Points per day over the last seven days; sorted by what is usual for the machine`,
    align: 'start',
    width: 13,
    value: ({ usualPpd }) => usualPpd,
    text: ({ usualPpd }) => formatPoints(usualPpd),
  },
  {
    id: 'units',
    title: t`Units`,
    hint: t`Work units by state`,
    align: 'start',
    width: 14,
    value: ({ isConnected, unitCount }) => (isConnected ? unitCount : undefined),
    text: ({ isConnected, unitCount, units }) => {
      if (!isConnected) return UNKNOWN
      const counts = unitCounts(units).map(({ label }) => label)
      return unitCount === 0 ? t({ message: 'None', context: 'work units' }) : formatList(counts)
    },
    counts: ({ units }) => unitCounts(units),
  },
  {
    id: 'problem',
    title: t`Problems`,
    hint: t`What needs attention; sorted by how serious it is`,
    align: 'start',
    width: 24,
    value: ({ problem }) => problem,
    text: facts => formatList(clientProblems(facts)) || t({ message: 'None', context: 'problems' }),
    detail: facts => clientProblems(facts).join('\n') || undefined,
    look: ({ problem }) =>
      problem === 3 ? { icon: 'fail', tone: 'failed' } : problem > 0 ? { icon: 'warning', tone: 'waiting' } : undefined,
  },
  {
    id: 'cpus',
    title: t`CPUs`,
    hint: t`CPUs in use, of those that the machine has`,
    align: 'end',
    width: 10,
    value: ({ isConnected, cpusUsed }) => (isConnected ? cpusUsed : undefined),
    text: ({ cpusUsed, cpusThere, isConnected }) => used(cpusUsed, cpusThere, isConnected),
  },
  {
    id: 'gpus',
    title: t`GPUs`,
    hint: t`GPUs in use, of those that can fold`,
    align: 'end',
    width: 8,
    value: ({ isConnected, gpusUsed }) => (isConnected ? gpusUsed : undefined),
    text: ({ gpusUsed, gpusThere, isConnected }) => used(gpusUsed, gpusThere, isConnected),
  },
  {
    id: 'deadline',
    title: t`Deadline risk`,
    hint: t`Whether a work unit will miss its timeout or deadline`,
    align: 'start',
    width: 18,
    value: ({ deadlineRisk }) => riskLevel(deadlineRisk),
    text: ({ deadlineRisk }) => riskAppearance(deadlineRisk)?.label ?? t`None`,
    detail: ({ deadlineRisk }) => riskAppearance(deadlineRisk)?.hint,
    look: ({ deadlineRisk }) => riskAppearance(deadlineRisk),
  },
  {
    id: 'points-day',
    title: t`Points, 24 h`,
    hint: t`Credit of the work units that ended in the last 24 hours`,
    align: 'end',
    width: 12,
    value: ({ pointsDay }) => pointsDay,
    text: ({ pointsDay }) => formatPoints(pointsDay),
  },
  {
    id: 'watts',
    title: t`Watts`,
    hint: t`What the machine draws now; ≈ marks what contains a guess`,
    align: 'end',
    width: 9,
    value: ({ power }) => power?.watts,
    text: facts => marked(formatWatts(facts.power?.watts), facts),
    detail: guessDetail,
  },
  {
    id: 'ppkwh',
    title: t`Points/kWh`,
    hint: t`Points per kilowatt hour now`,
    align: 'end',
    width: 12,
    value: ({ power }) => power?.pointsPerKwh,
    text: facts => marked(formatPoints(facts.power?.pointsPerKwh), facts),
    detail: guessDetail,
  },
  {
    id: 'cost-day',
    title: t`Cost per day`,
    hint: t`A day of what the machine draws now, at today’s prices`,
    align: 'end',
    width: 12,
    value: ({ power }) => power?.costDay,
    text: facts => marked(formatMoney(facts.power?.costDay, facts.power?.currency ?? 'EUR'), facts),
    detail: guessDetail,
  },
  {
    id: 'projects',
    title: t`Projects`,
    hint: t`The projects of its work units`,
    align: 'start',
    width: 14,
    value: ({ projects }) => projects[0],
    text: ({ projects }) => (projects.length === 0 ? '–' : formatList(projects.map(String))),
    detail: ({ projects }) => (projects.length === 0 ? undefined : formatList(projects.map(String))),
  },
  {
    id: 'failed-units',
    title: t`Failed units`,
    hint: t`Work units that failed or got lost in a row, in the group with most`,
    align: 'end',
    width: 12,
    value: ({ isConnected, failedUnits }) => (isConnected ? failedUnits : undefined),
    text: ({ isConnected, failedUnits }) => (isConnected ? formatNumber(failedUnits) : UNKNOWN),
  },
  {
    id: 'version',
    title: t`Version`,
    hint: t`The version of the folding client`,
    align: 'start',
    width: 8,
    value: ({ version }) => version,
    text: ({ version }) => formatValue(version),
  },
  {
    id: 'os',
    title: t`OS`,
    hint: t`The operating system`,
    align: 'start',
    width: 16,
    value: ({ os, osVersion }) => (os === undefined ? undefined : [os, osVersion ?? ''].join(' ')),
    text: ({ os, osVersion }) =>
      os === undefined ? UNKNOWN : [os, osVersion].filter(part => part !== undefined).join(' '),
  },
  {
    id: 'groups',
    title: t`Groups`,
    hint: t`Number of resource groups`,
    align: 'end',
    width: 7,
    value: ({ groups }) => groups.length,
    text: ({ groups }) => formatNumber(groups.length),
    detail: facts => (facts.groups.length === 0 ? undefined : groupNames(facts)),
  },
  {
    id: 'tags',
    title: t`Tags`,
    hint: t`Your own tags`,
    align: 'start',
    width: 18,
    value: ({ tags }) => (tags.length === 0 ? undefined : formatList(tags)),
    text: ({ tags }) => (tags.length === 0 ? '–' : formatList(tags)),
    detail: ({ tags }) => (tags.length === 0 ? undefined : formatList(tags)),
  },
  {
    id: 'last-heard',
    title: t`Last heard`,
    hint: t`When the last message of the machine was received`,
    align: 'end',
    width: 11,
    value: ({ lastHeard }) => lastHeard,
    text: ({ lastHeard }, now) => (lastHeard === undefined ? t`Never` : formatRelative(lastHeard, now)),
    isTimed: true,
    detail: ({ lastHeard }) => (lastHeard === undefined ? undefined : formatBothClocks(lastHeard)),
  },
]

/** The column that names the client: always shown. */
export const CLIENT_NAME_COLUMN = 'name'

/** The column that says how old all of a row is, too. */
export const CLIENT_STATE_COLUMN = 'state'

/** Shown until a person chooses others. */
export const DEFAULT_CLIENT_COLUMNS: readonly string[] = CLIENT_COLUMNS.map(({ id }) => id).filter(
  id => !['projects', 'failed-units'].includes(id) && !POWER_COLUMNS.has(id),
)
