/*
 * What a fleet's table, map, search and bulk actions know about one client, as flat values: computed once per change
 * and shared by all of them.
 */
import { t } from '@lingui/core/macro'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import type { IncidentKind } from '../incidents/incident.ts'
import { problemOfAwaited, type ProblemLevel } from '../client/badges.ts'
import { infoOf, isClientPaused, clientKeyOf, osName, unitsOf, type ClientView } from '../client/client.ts'
import type { ProcessorNote } from '../client/processor-notes.ts'
import { isUsed, processorName, processorOf } from '../client/processors.ts'
import { failedText, groupNames, failuresInARow, groupsOf, groupState } from '../client/group.ts'
import { gpuIds, gpuNameAndModel, gpuOf } from '../client/resources.ts'
import type { Summary } from '../client/totals.ts'
import { appearance, type StateAppearance, type StateTone } from '../shared/appearance.ts'
import { ownGroupName } from './tags.ts'
import { isSameList } from '../shared/equal.ts'
import { positive, text, texts } from '../shared/read.ts'
import { isWorking, clientTime } from '../unit/unit-meaning.ts'
import { deadlineRisk, timeLeft, inOrder, projectOf, tpfSeconds, type DeadlineRisk } from '../unit/unit-progress.ts'

/** All states of a client, the ones that need a person first. */
export const CLIENT_STATUSES = [
  'failed',
  'disconnected',
  'idle',
  'waiting',
  'paused',
  'transferring',
  'finishing',
  'folding',
  'loading',
] as const

/**
 * The one state of a client. `failed`: it stopped a group after too many failed units. `idle`: connected and not
 * paused, but no unit is computed, transferred or waiting. Otherwise the first that one of its units is in: folding,
 * finishing, transferring, waiting, paused.
 */
export type ClientStatus = (typeof CLIENT_STATUSES)[number]

/** The label, icon, tone and hint of a client's state. The same object every time. */
export function clientStatusAppearance(state: ClientStatus): StateAppearance {
  return STATE_LOOKS[state]
}

/** What a client draws now; undefined watts where a figure is missing. Known when its code was loaded. */
export type ClientPower = {
  readonly watts: number | undefined
  /** Whether a guess is in it. */
  readonly isGuess: boolean
  readonly pointsPerKwh: number | undefined
  /** A day of these watts at today's prices; undefined without prices. */
  readonly costDay: number | undefined
  readonly currency: string
}

/** Whose client it is: of the account that is signed in, of another one, or of none. */
export type AccountRelation = 'own' | 'other' | 'none'

export type ClientFacts = {
  /** Id of the connection that is shown, as in the fleet. */
  readonly id: string
  /** The client's own id, which stays the same on every connection; undefined until it is known. */
  readonly machine: string | undefined
  readonly name: string
  readonly isDirect: boolean
  /** host:port of a direct client. */
  readonly address: string | undefined
  readonly isConnected: boolean
  readonly state: ClientStatus
  readonly problem: ProblemLevel
  /** Another computer has its id; or it is most likely there under another one. */
  readonly identity: 'same-id' | 'left-over' | undefined
  /** Whether its version is too old to be controlled. */
  readonly isTooOld: boolean
  /** Numbers of units by the tone of their displayed state; all 0 while disconnected. */
  readonly units: Readonly<Record<StateTone, number>>
  /** Units that it has; while disconnected, those it last had. */
  readonly unitCount: number
  /** Units that have failed in a row, of the group with most; 0 while disconnected. */
  readonly failedUnits: number
  /** Groups that the client stopped after too many failed units. */
  readonly failedGroups: number
  /** CPUs of units whose core runs. */
  readonly cpusUsed: number
  readonly cpusThere: number | undefined
  /** GPUs of units whose core runs. */
  readonly gpusUsed: number
  readonly gpusThere: number | undefined
  /** Descriptions of supported GPUs, by slot. */
  readonly gpus: readonly string[]
  /** Projects of its units, paused ones included; while disconnected, of those it last had. Ascending. */
  readonly projects: readonly number[]
  /** Points per day of the units that run now. */
  readonly ppd: number
  /** Points per day that are usual for it; undefined until it has a history. */
  readonly usualPpd: number | undefined
  /** When the first of its running units is ready, epoch milliseconds. Only while connected. */
  readonly nextFinish: number | undefined
  /** Seconds per frame of that unit. */
  readonly nextTpf: number | undefined
  /** The worst of its units. */
  readonly deadlineRisk: DeadlineRisk
  /** Credit of units that ended in the last 24 hours; undefined until it has a history. */
  readonly pointsDay: number | undefined
  readonly power: ClientPower | undefined
  /** The client's version: '8.5.7'. */
  readonly version: string | undefined
  /** Display name of the operating system: 'Linux'. */
  readonly os: string | undefined
  readonly osVersion: string | undefined
  /** Names of resource groups as the client reports them, '' for the default one. Empty for clients without groups. */
  readonly groups: readonly string[]
  /** Their own names, where a person gave some. */
  readonly ownGroups: readonly string[]
  /** Undefined until known. */
  readonly account: AccountRelation | undefined
  /** The person's own tags, in order. */
  readonly tags: readonly string[]
  /** GPUs, and 'CPUs', that are off while their group is not. */
  readonly pausedAlone: readonly string[]
  /** Kinds of its open incidents, the gravest first. */
  readonly incidents: readonly IncidentKind[]
  /** When the last message was received, epoch milliseconds. */
  readonly lastHeard: number | undefined
  /** Since when it is out of reach, epoch milliseconds; undefined while connected and before the first connection. */
  readonly offlineSince: number | undefined
}

/** The part of a client's report that facts take over; see `ClientReport` of src/clients. */
export type ReportedFacts = {
  readonly name: string
  /** Id of the account that it is linked to; '' for none; undefined until known. */
  readonly account: string | undefined
  readonly isTooOld: boolean
  readonly problem: ProblemLevel
  readonly summary: Summary
}

/** What is known about a client from other sources than the client. */
export type ExtraFacts = {
  /** Id of the account that is signed in. */
  readonly account: string | undefined
  /** Whether it is loading, not disconnected, since its relay may still list it. */
  readonly isAwaited: boolean
  readonly tags: readonly string[]
  /** What is noted of its GPUs and CPUs. */
  readonly notes: readonly ProcessorNote[]
  readonly incidents: readonly IncidentKind[]
  readonly usualPpd: number | undefined
  readonly pointsDay: number | undefined
  readonly power: ClientPower | undefined
}

export const NO_EXTRA_FACTS: ExtraFacts = Object.freeze({
  account: undefined,
  isAwaited: false,
  tags: Object.freeze([]),
  notes: Object.freeze([]),
  incidents: Object.freeze([]),
  usualPpd: undefined,
  pointsDay: undefined,
  power: undefined,
})

function pausedAlone({ data }: ClientView, notes: readonly ProcessorNote[]): readonly string[] {
  if (data === undefined) return NOTHING
  const computing = unitsOf(data).filter(({ gpus }) => texts(gpus).length > 0)
  const off = [...computing.map(processorOf), ...notes.filter(({ state }) => state === 'pause')].filter(
    processor => groupState(groupsOf(data)[processor.group]) !== 'pause' && !isUsed(data, processor),
  )
  return off.length === 0 ? NOTHING : [...new Set(off.map(processor => processorName(processor, data.info)))]
}

const NOTHING: readonly string[] = Object.freeze([])

/** The failures in a row of the group that has most. */
export function mostFailures(data: ClientData | undefined): number {
  return Math.max(0, ...Object.values(groupsOf(data)).map(group => Math.floor(failuresInARow(group))))
}

/** A client's facts at `now`, epoch milliseconds. */
export function clientFacts(view: ClientView, report: ReportedFacts, extra: ExtraFacts, now: number): ClientFacts {
  const { summary } = report
  const info = infoOf(view)
  const units = unitsOf(view.data)
  // The state of a disconnected client after its last message is unknown.
  const at = view.isConnected ? now : (view.lastConnected ?? now)
  const failedGroups = Object.values(groupsOf(view.data)).filter(group => failedText(group) !== undefined).length
  const gpus = gpuIds(info)
    .filter(id => gpuOf(info, id)?.supported === true)
    .map(id => gpuNameAndModel(info, id))
  const { running, finishing, waiting, paused, transfer, failed, done, unknown } = summary
  return {
    id: view.id,
    machine: clientKeyOf(view),
    name: report.name,
    isDirect: view.isDirect,
    address: view.address,
    isConnected: view.isConnected,
    state: extra.isAwaited && !view.isConnected ? 'loading' : clientStatus(view, summary, failedGroups),
    problem: extra.isAwaited && !view.isConnected ? problemOfAwaited(report.problem) : report.problem,
    identity: extra.isAwaited && view.comparison?.sameId === undefined ? undefined : identityOf(view),
    isTooOld: report.isTooOld,
    units: { running, finishing, waiting, paused, transfer, failed, done, unknown },
    unitCount: units.length,
    failedUnits: view.isConnected ? mostFailures(view.data) : 0,
    failedGroups,
    cpusUsed: summary.cpus,
    cpusThere: positive(info?.cpus),
    gpusUsed: summary.gpus,
    gpusThere: info === undefined ? undefined : gpus.length,
    gpus,
    projects: inOrder(units.flatMap(unit => projectOf(unit) ?? [])),
    ppd: summary.ppd,
    usualPpd: extra.usualPpd,
    ...(view.isConnected ? nextReady(view, at) : NOTHING_READY),
    deadlineRisk: worstRisk(view.data, at),
    pointsDay: extra.pointsDay,
    power: extra.power,
    version: text(info?.version),
    os: osName(info),
    osVersion: text(info?.os_version),
    groups: groupNames(groupsOf(view.data)),
    ownGroups: Object.keys(groupsOf(view.data)).flatMap(name => ownGroupName(info, name) ?? []),
    account: accountRelation(view, report.account, extra.account),
    tags: extra.tags,
    pausedAlone: pausedAlone(view, extra.notes),
    incidents: extra.incidents,
    lastHeard: view.lastConnected,
    offlineSince: view.isConnected ? undefined : view.lastConnected,
  }
}

/** What facts are computed from. */
export type FactsSource = {
  readonly view: ClientView
  readonly report: ReportedFacts
  readonly extra: ExtraFacts
}

type KnownFacts = FactsSource & {
  readonly facts: ClientFacts
  /** When they were computed, epoch milliseconds. */
  readonly at: number
}

/** Waits end and deadlines come near while a client reports nothing. */
const TIME_INTERVAL = 60_000

/**
 * The facts of a client, given those known before: the same object when they need no update, and the same `facts` when an
 * update changes none of them.
 */
function updatedFacts(previous: KnownFacts | undefined, { view, report, extra }: FactsSource, now: number): KnownFacts {
  const isCurrent =
    previous?.view === view &&
    previous.report === report &&
    isSameFields(previous.extra, extra) &&
    Math.abs(now - previous.at) < TIME_INTERVAL
  if (isCurrent) return previous
  const computed = clientFacts(view, report, extra, now)
  const before = previous?.facts
  const next =
    before !== undefined && isNearby(before.nextFinish, computed.nextFinish, now)
      ? { ...computed, nextFinish: before.nextFinish }
      : computed
  return { facts: before !== undefined && isSameFields(before, next) ? before : next, view, report, extra, at: now }
}

export type FactsReader = {
  /** Facts of these clients, in this order, without those that are not there. */
  readonly read: (ids: readonly string[], now: number) => readonly ClientFacts[]
}

/** Computes facts only of clients whose source changed, and keeps the same object and list where that changes none. */
export function createFactsReader(sourceOf: (id: string, now: number) => FactsSource | undefined): FactsReader {
  const cache = new Map<string, KnownFacts>()
  const lists = new WeakMap<readonly string[], readonly ClientFacts[]>()
  return {
    read(ids, now) {
      const facts = ids.flatMap(id => {
        const source = sourceOf(id, now)
        if (source === undefined) {
          cache.delete(id)
          return []
        }
        const updated = updatedFacts(cache.get(id), source, now)
        cache.set(id, updated)
        return [updated.facts]
      })
      const before = lists.get(ids)
      if (before !== undefined && isSameList(before, facts)) return before
      lists.set(ids, facts)
      return facts
    },
  }
}

/** Texts of a deadline risk: 'Past its deadline'; undefined without one. */
export function riskAppearance(risk: DeadlineRisk): StateAppearance | undefined {
  return RISK_LOOKS[risk]
}

/** Orders risks: a higher number is worse. */
export function riskLevel(risk: DeadlineRisk): number {
  return RISKS.indexOf(risk)
}

const RISKS: readonly DeadlineRisk[] = ['none', 'timeout', 'deadline', 'passed']

const STATE_LOOKS: Readonly<Record<ClientStatus, StateAppearance>> = {
  failed: appearance(t`Failed`, 'fail', 'failed', t`A group was stopped after too many failed work units.`),
  disconnected: appearance(t`Disconnected`, 'offline', 'failed', t`Not connected; showing the last known state.`),
  idle: appearance(t`Idle`, 'empty', 'waiting', t`Set to fold, but no work unit is being computed.`),
  waiting: appearance(t`Waiting`, 'wait', 'waiting', t`Waiting; the machine retries automatically.`),
  paused: appearance(t`Paused`, 'pause', 'paused', t`Nothing is computed until it resumes.`),
  transferring: appearance(t`Transferring`, 'download', 'transfer', t`Requesting, downloading or uploading work.`),
  finishing: appearance(t`Finishing`, 'finish', 'finishing', t`Computing the last work units; no new work follows.`),
  folding: appearance(t`Folding`, 'run', 'running', t`Computing work units.`),
  loading: appearance(t`Loading`, 'loading', 'unknown', t`Connecting to the machine.`),
}

const RISK_LOOKS: Readonly<Record<DeadlineRisk, StateAppearance | undefined>> = {
  none: undefined,
  timeout: appearance(t`Misses timeout`, 'warning', 'waiting', t`A work unit will be ready after its timeout.`),
  deadline: appearance(t`Misses deadline`, 'warning', 'failed', t`A work unit will be ready after its deadline.`),
  passed: appearance(t`Past deadline`, 'fail', 'failed', t`The deadline of a work unit has passed.`),
}

function identityOf({ comparison, isConnected }: ClientView): ClientFacts['identity'] {
  return comparison?.sameId !== undefined
    ? 'same-id'
    : comparison?.isLeftOver === true && !isConnected
      ? 'left-over'
      : undefined
}

function clientStatus(view: ClientView, summary: Summary, failedGroups: number): ClientStatus {
  if (!view.isConnected) return summary.loading > 0 ? 'loading' : 'disconnected'
  if (view.data === undefined) return 'loading'
  if (failedGroups > 0) return 'failed'
  if (summary.running > 0) return 'folding'
  if (summary.finishing > 0) return 'finishing'
  if (summary.transfer > 0) return 'transferring'
  if (summary.waiting > 0) return 'waiting'
  return summary.paused > 0 || isClientPaused(view.data) ? 'paused' : 'idle'
}

const NOTHING_READY = { nextFinish: undefined, nextTpf: undefined }

// The client's estimate is from its last message.
function nextReady(view: ClientView, now: number): Pick<ClientFacts, 'nextFinish' | 'nextTpf'> {
  let next: { readonly unit: Unit; readonly seconds: number } | undefined
  const at = clientTime(view.data, now)
  for (const unit of unitsOf(view.data)) {
    const seconds = isWorking(unit, at) ? timeLeft(unit, at) : undefined
    if (seconds !== undefined && seconds < (next?.seconds ?? Infinity)) next = { unit, seconds }
  }
  if (next === undefined) return NOTHING_READY
  const tpf = tpfSeconds(next.unit, at)
  return {
    nextFinish: (view.lastConnected ?? now) + next.seconds * 1000,
    nextTpf: tpf === undefined ? undefined : Math.round(tpf),
  }
}

function worstRisk(data: ClientData | undefined, now: number): DeadlineRisk {
  return unitsOf(data).reduce<DeadlineRisk>((worst, unit) => {
    const risk = deadlineRisk(unit, now)
    return riskLevel(risk) > riskLevel(worst) ? risk : worst
  }, 'none')
}

function accountRelation(
  view: ClientView,
  linked: string | undefined,
  signedIn: string | undefined,
): AccountRelation | undefined {
  if (!view.isDirect) return 'own'
  if (linked === undefined) return undefined
  if (linked === '') return 'none'
  return linked === signedIn ? 'own' : 'other'
}

/**
 * Whether two estimates of the same unit differ by no more than their rounding: clients round the time left to its two
 * largest units, so it varies by a minute in hours and by an hour in days.
 */
function isNearby(a: number | undefined, b: number | undefined, now: number): boolean {
  return a !== undefined && b !== undefined && Math.abs(a - b) <= Math.max(5000, (b - now) / 50)
}

function isSameFields<T extends ClientFacts | ExtraFacts>(a: T, b: T): boolean {
  return (Object.keys(a) as (keyof T)[]).every(key => isSameField(a[key], b[key]))
}

function isSameField(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  return isSameList<unknown>(Object.values(a), Object.values(b))
}
