/*
 * A time by which a machine shall have nothing left to compute. A client fetches by itself, and how long a unit takes is known only
 * afterwards: `finish` is set before the first fetch whose unit would usually end too late.
 */
import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import type { ClientData, ClientInfo, Unit } from '../../protocol/client/client-data.ts'
import { groupsOf, groupState } from '../client/group.ts'
import { LEAD } from '../client/processor-changes.ts'
import { claimingUnits, unitNames } from '../client/resource-changes.ts'
import { enabledGpus, gpuIds, gpuModel } from '../client/resources.ts'
import { ownValue, positive, text, texts } from '../shared/read.ts'
import { formatInterval, formatLocalShort } from '../text/times.ts'
import { endOf, type ArchivedUnit } from '../unit/history.ts'
import { clientTime, isUnsent } from '../unit/unit-meaning.ts'
import { timeLeft, workShare } from '../unit/unit-progress.ts'

const instant = v.pipe(v.number(), v.finite())
const shortText = v.pipe(v.string(), v.maxLength(200))
/** Hardware and groups of a client. */
export const MOST_OF_A_CLIENT = 100

const idleTime = v.object({
  /** Epoch milliseconds. */
  until: instant,
  /** Whether what is not done then is paused. */
  pauses: v.boolean(),
  /** Seconds that units take at most, usually: by the model of a GPU, and of those without. */
  lengths: v.pipe(
    v.record(shortText, v.pipe(v.number(), v.minValue(0))),
    v.check(lengths => Object.keys(lengths).length <= MOST_OF_A_CLIENT),
  ),
  /** When groups were asked to finish. */
  asked: v.pipe(
    v.record(shortText, instant),
    v.check(groups => Object.keys(groups).length <= MOST_OF_A_CLIENT),
  ),
})
export type IdleTime = Readonly<v.InferOutput<typeof idleTime>>

/** By the own ids of clients. */
export type IdleTimes = Readonly<Record<string, IdleTime>>
export const NO_TIMES: IdleTimes = Object.freeze({})

const idleTimes = v.pipe(
  v.record(shortText, idleTime),
  v.check(times => Object.keys(times).length <= 10_000),
)

/** Undefined when it is nothing of the kind. */
export function parseIdleTimes(value: unknown): IdleTimes | undefined {
  const parsed = v.safeParse(idleTimes, value)
  return parsed.success ? parsed.output : undefined
}

export function idleTimeOf(times: IdleTimes, client: string | undefined): IdleTime | undefined {
  return client !== undefined && Object.hasOwn(times, client) ? times[client] : undefined
}

export function withIdleTime(times: IdleTimes, client: string, time: IdleTime | undefined): IdleTimes {
  const { [client]: _, ...others } = times
  return time === undefined ? others : { ...others, [client]: time }
}

/** The hardware of units without a GPU. */
export const CPUS = 'cpus'

/** The model of its GPU. A server keeps of units that ended only what they used, in words. */
function hardwareOf(unit: Unit, info: ClientInfo | undefined): string {
  const [gpu] = texts(unit.gpus)
  if (gpu !== undefined) return gpuModel(info, gpu)
  const resources = text(ownValue(unit, 'resources')) ?? ''
  const models = gpuIds(info).map(id => gpuModel(info, id))
  return models.toSorted((a, b) => b.length - a.length).find(model => resources.includes(model)) ?? CPUS
}

/** How long the last units of some hardware ran, in seconds. */
export type UsualLength = {
  readonly hardware: string
  readonly middle: number
  readonly long: number
  readonly count: number
}

const LAST_UNITS = 50
/** Download and upload; seconds. */
const TRANSFER = 300

/** By hardware, from units that were credited. `long`: nine of ten were shorter. */
export function usualLengths(
  units: Iterable<Pick<ArchivedUnit, 'machine' | 'unit'>>,
  client: string,
  info: ClientInfo | undefined,
): readonly UsualLength[] {
  const runs = new Map<string, Pick<ArchivedUnit, 'unit'>[]>()
  for (const archived of units) {
    const { unit } = archived
    if (archived.machine !== client || unit.result !== 'credited' || (positive(unit.run_time) ?? 0) === 0) continue
    const hardware = hardwareOf(unit, info)
    runs.set(hardware, [...(runs.get(hardware) ?? []), archived])
  }
  return [...runs].map(([hardware, all]) => {
    const seconds = all
      .sort((a, b) => (endOf(b.unit) ?? 0) - (endOf(a.unit) ?? 0))
      .slice(0, LAST_UNITS)
      .map(({ unit }) => positive(unit.run_time) ?? 0)
      .sort((a, b) => a - b)
    const at = (share: number): number => seconds[Math.min(seconds.length - 1, Math.floor(seconds.length * share))] ?? 0
    return { hardware, middle: at(0.5), long: at(0.9) + TRANSFER, count: seconds.length }
  })
}

/**
 * When a client must be told at the latest to fetch no other unit, 0 for at once, and how long after that the other one usually
 * ends: milliseconds.
 */
export type Fetch = { readonly at: number; readonly lasts: number }

/** Of hardware with these units; with none, at once. `now`: on this page's clock. */
export function fetchesOf(
  data: ClientData,
  units: readonly Unit[],
  gpus: readonly string[],
  lengths: IdleTime['lengths'],
  now: number,
): readonly Fetch[] {
  const { info } = data
  if (units.length === 0) {
    const hardware = [CPUS, ...gpus.map(gpu => gpuModel(info, gpu))]
    return [{ at: 0, lasts: Math.max(...hardware.map(name => lengths[name] ?? 0)) * 1000 }]
  }
  const at = clientTime(data, now)
  return units.flatMap(unit => {
    const left = isUnsent(unit) ? 0 : timeLeft(unit, at)
    const share = workShare(unit) ?? 0
    // In the first percent, what the client says is a guess.
    const isNew = share < 0.01
    const length = left !== undefined && !isNew && share < 1 ? left / (1 - share) + TRANSFER : undefined
    const next = lengths[hardwareOf(unit, info)] ?? length
    // It is known before the next fetch.
    if (isNew && next === undefined) return []
    if (unit.state === 'ASSIGN' && next !== undefined) return [{ at: 0, lasts: next * 1000 }]
    const rest = isNew ? next : left
    // Where nothing is known, it is better to have finished too early than too late.
    if (rest === undefined || next === undefined) return [{ at: 0, lasts: Infinity }]
    return [{ at: now + (rest - LEAD) * 1000, lasts: (LEAD + next) * 1000 }]
  })
}

/** The same for a group that folds. */
export function groupFetches(
  data: ClientData,
  group: string,
  lengths: IdleTime['lengths'],
  now: number,
): readonly Fetch[] {
  return fetchesOf(data, claimingUnits(data, group), enabledGpus(groupsOf(data)[group]?.config), lengths, now)
}

/** When to finish: before the first fetch that is too late; undefined where none is. */
export function finishAt(fetches: readonly Fetch[], until: number, now: number): number | undefined {
  const late = fetches.filter(({ at, lasts }) => (at === 0 ? now : at) + lasts > until)
  return late.length === 0 ? undefined : Math.min(...late.map(({ at }) => at))
}

/** The last moment to tell the client to finish, as far as that is known now: later, its next units would be too late. */
export function lastFetch(data: ClientData, time: Pick<IdleTime, 'until' | 'lengths'>, now: number): number {
  const folding = Object.keys(groupsOf(data)).filter(name => groupState(groupsOf(data)[name]) === 'fold')
  const known = folding.flatMap(name => finishAt(groupFetches(data, name, time.lengths, now), time.until, now) ?? [])
  const longest = Math.max(0, ...Object.values(time.lengths))
  return Math.max(now, known.length > 0 ? Math.min(...known) : time.until - longest * 1000)
}

/** Units that are not done by then, and when they are. */
export function lateUnits(data: ClientData, until: number, now: number) {
  const at = clientTime(data, now)
  return Object.keys(groupsOf(data)).flatMap(group =>
    groupState(groupsOf(data)[group]) === 'pause'
      ? []
      : claimingUnits(data, group).flatMap(unit => {
          const left = timeLeft(unit, at)
          return left === undefined || now + left * 1000 <= until ? [] : [{ unit, ends: now + left * 1000 }]
        }),
  )
}

/** Milliseconds that a client has to show that a group finishes. */
const TIME_TO_SHOW = 180_000
/** Milliseconds after the time in which it is still shown what is late. */
const SHOWN_AFTER = 86_400_000

export type IdleStep =
  /** Nothing is left, it is long over, or a person folds a group again. */
  | { readonly kind: 'done' }
  | { readonly kind: 'tell'; readonly state: 'pause' | 'finish'; readonly groups: readonly string[] }
  | { readonly kind: 'wait' }

/** What is to be done now. */
export function idleStep(data: ClientData, time: IdleTime, now: number): IdleStep {
  const names = Object.keys(groupsOf(data))
  const active = names.filter(name => groupState(groupsOf(data)[name]) !== 'pause')
  const folding = active.filter(name => groupState(groupsOf(data)[name]) === 'fold')
  if (now > time.until + SHOWN_AFTER || active.length === 0) return { kind: 'done' }
  if (folding.some(name => now - (time.asked[name] ?? now) > TIME_TO_SHOW)) return { kind: 'done' }
  if (time.pauses && now >= time.until) return { kind: 'tell', state: 'pause', groups: active }
  const groups = folding.filter(name => {
    const at = finishAt(groupFetches(data, name, time.lengths, now), time.until, now)
    return !Object.hasOwn(time.asked, name) && at !== undefined && at <= now
  })
  return groups.length === 0 ? { kind: 'wait' } : { kind: 'tell', state: 'finish', groups }
}

/** What is shown at a machine. `shown`: when it shall be idle, of which `time` leaves out what is paused before. */
export function idleText(
  data: ClientData,
  time: Pick<IdleTime, 'until' | 'lengths'>,
  now: number,
  shown = time.until,
): string {
  const until = formatLocalShort(shown)
  if (now >= shown) return t`Should have been idle from ${until} on`
  const left = formatInterval((shown - now) / 1000)
  const late = lateUnits(data, time.until, now).map(({ unit }) => unit)
  const fetch = lastFetch(data, time, now)
  const folds = Object.values(groupsOf(data)).some(group => groupState(group) === 'fold')
  const text = folds
    ? t`Idle by ${until} (in ${left}): takes no new work from about ${formatLocalShort(fetch)}`
    : t`Idle by ${until} (in ${left}): takes no new work`
  return late.length === 0 ? text : `${text}. ${t`Too late: ${unitNames(late)}`}`
}
