/*
 * The rules by which incidents are found: pure functions of what a client reports, what is remembered of it, and
 * thresholds. Each returns every occurrence of its kind; how long one must last is checked in evaluate.ts.
 */
import type { Group, Unit } from '../../protocol/client/client-data.ts'
import { isLinked, isOutdated, isTooOld, isWrittenOff, unitsOf, type ClientView } from '../client/client.ts'
import {
  failedText,
  failedUnits,
  failuresInARow,
  groupNameOf,
  groupsOf,
  groupState,
  groupTitle,
  groupWaitEnd,
  isGroupEmpty,
} from '../client/group.ts'
import { driverPlace, hasDriver, lacksDriver } from '../client/gpu-driver.ts'
import { groupHoldup } from '../client/group-holdup.ts'
import { configuredCpus, enabledGpus, gpuIds, gpuName, gpuOf } from '../client/resources.ts'
import { formatList } from '../text/format.ts'
import type { SilentInput } from '../schedule/conditions.ts'
import { finite, ownValue, text, texts } from '../shared/read.ts'
import {
  conditionOf,
  hasEnded,
  isFirstTransfer,
  isStarting,
  isUnsent,
  isWorking,
  longestStandstill,
  clientTime,
} from '../unit/unit-meaning.ts'
import {
  deadlineAt,
  nextLimit,
  projectOf,
  readyAtEarliest,
  timeoutAt,
  tpfSeconds,
  workShare,
} from '../unit/unit-progress.ts'
import type { Evidence } from './incident.ts'
import type { UnitEnd } from './earlier-speeds.ts'
import { failingEvidence } from './failures.ts'
import { measuredTpf, median, speedKey, subjectOf, type ClientMemory, type UnitMemory } from './client-memory.ts'

/** A client at one moment. Times are epoch milliseconds on the corrected clock. */
export type ClientMoment = {
  /** The client's own id; the connection's until it is known. */
  readonly machine: string
  readonly view: ClientView
  readonly memory: ClientMemory
  readonly now: number
  /** Since when it is connected; undefined while it is not. */
  readonly connectedAt: number | undefined
  /** Since when the connection is lost; undefined while connected, or if that is not known. */
  readonly lostAt: number | undefined
  /** As of when its data are, where they are not current. */
  readonly asOf?: number | undefined
  /** Since when clients have been watched without a break, as sleep makes. */
  readonly watchedSince: number
  /** Whether this page's own network, and the relay if the client is behind one, work. */
  readonly isNetworkUp: boolean
  /** The newest version of the client, as `isOutdated` takes it. */
  readonly latestVersion: unknown
  /** The account, whose name and team replace those of its clients at every connect. */
  readonly account:
    | { readonly id: string | undefined; readonly user: string | undefined; readonly team: number | undefined }
    | undefined
  /** What schedules of this client wait for, where a server has schedules. */
  readonly silentInputs?: readonly SilentInput[] | undefined
  /** Times per frame of earlier units of this project on this hardware, from the stored history. */
  readonly earlierTpfs: (key: string) => readonly number[]
  /** How the last units of a group ended, the newest first, as far as its history is known. */
  readonly endsOf?: (group: string) => readonly UnitEnd[]
}

export type Found = {
  readonly subject: string
  /** When it began, if that is known; else since it was first found. */
  readonly since?: number | undefined
  /** From when on it must last, if that is later. */
  readonly lastsFrom?: number | undefined
  /** Whether it is reported at once, however long it lasts. */
  readonly isUrgent?: boolean
  readonly evidence: Evidence
}

/** A kind's threshold by its name, as the person set it. */
export type Limits = (name: string) => number

export type Rule = (moment: ClientMoment, limit: Limits) => readonly Found[]

function groupEntries({ view }: ClientMoment): readonly (readonly [string, Group])[] {
  return Object.entries(groupsOf(view.data))
}

export const stoppedGroups: Rule = moment =>
  groupEntries(moment).flatMap(([group, config]) => {
    const answer = failedText(config)?.slice(0, 300)
    if (answer === undefined) return []
    const lost = moment.memory.lost.get(group)
    const isOwnDoing = lost !== undefined && lost.dumped === lost.count && failedUnits(config) === 0
    const reason = isOwnDoing ? { reason: 'dumped', count: lost.dumped } : lastEnds(moment, group, config)
    return [{ subject: group, evidence: { group, answer, ...reason } }]
  })

/** What the history tells of the units that a group counts as failed: nothing, unless it has all of them. */
function lastEnds({ endsOf }: ClientMoment, group: string, config: Group): Evidence {
  const count = failuresInARow(config)
  const ends = endsOf?.(group).slice(0, count) ?? []
  if (count === 0 || ends.length < count) return {}
  const [last] = ends
  const areExpired = ends.every(({ result }) => result === 'expired')
  const counts = new Map<string, number>()
  for (const end of ends) counts.set(end.result, (counts.get(end.result) ?? 0) + 1)
  return {
    reason: areExpired ? 'expired' : 'ends',
    count,
    stored: [...counts].map(([word, times]) => `${word} ${times}`).join('\n'),
    ...(last?.error === undefined ? {} : { answer: last.error.slice(0, 300) }),
  }
}

export const failingGroups: Rule = (moment, limit) =>
  groupEntries(moment).flatMap(([group, config]) => {
    const evidence = failingEvidence(group, config, moment.memory.lost.get(group)?.dumped)
    if (evidence.count < limit('count') || failedText(config) !== undefined) return []
    const ends = evidence.reason === undefined ? lastEnds(moment, group, config) : {}
    return [{ subject: group, evidence: { ...ends, ...evidence } }]
  })

function isUsed({ view }: ClientMoment, gpu: string): boolean {
  return (
    Object.values(groupsOf(view.data)).some(({ config }) => enabledGpus(config).includes(gpu)) ||
    unitsOf(view.data).some(unit => texts(unit.gpus).includes(gpu))
  )
}

/** Whether a unit was computed on this GPU, so that it could fold. */
function hasBegunUnit({ view }: ClientMoment, gpu: string): boolean {
  return unitsOf(view.data).some(
    unit =>
      texts(unit.gpus).includes(gpu) &&
      !isUnsent(unit) &&
      (projectOf(unit) !== undefined || (workShare(unit) ?? 0) > 0),
  )
}

/** GPUs that folded, are still in the computer, and for which the client finds no driver any more. */
export const driverlessGpus: Rule = moment => {
  const info = moment.view.data?.info
  return gpuIds(info).flatMap((gpu): readonly Found[] => {
    const folded = moment.memory.gpus.get(gpu)
    const isLost = lacksDriver(info, gpu) && (folded !== undefined || hasBegunUnit(moment, gpu)) && isUsed(moment, gpu)
    if (!isLost) return []
    const evidence = { gpu, name: folded?.name ?? gpuName(info, gpu), place: driverPlace(info, gpu) }
    return folded === undefined
      ? [{ subject: gpu, evidence: { ...evidence, reason: 'unit' } }]
      : [{ subject: gpu, since: folded.at, evidence }]
  })
}

/** GPUs that were there or that have a unit, and that the client does not report any more. */
export const missingGpus: Rule = ({ view, memory, connectedAt, now }) => {
  const info = view.data?.info
  const missing = new Map<string, Found>()
  for (const [gpu, { name, at }] of memory.gpus) {
    if (gpuOf(info, gpu) === undefined && at < now)
      missing.set(gpu, { subject: gpu, since: at, lastsFrom: connectedAt, evidence: { gpu, name } })
  }
  for (const gpu of unitsOf(view.data).flatMap(unit => (isUnsent(unit) ? [] : texts(unit.gpus)))) {
    if (gpuOf(info, gpu) === undefined && !missing.has(gpu))
      missing.set(gpu, { subject: gpu, lastsFrom: connectedAt, evidence: { gpu } })
  }
  return [...missing.values()]
}

function unitEvidence(unit: Unit, { view }: ClientMoment): Evidence {
  const [gpu] = texts(unit.gpus)
  const project = projectOf(unit)
  return {
    group: groupNameOf(unit),
    ...(finite(unit.number) === undefined ? {} : { unit: unit.number }),
    ...(text(unit.id) === undefined ? {} : { unitId: unit.id }),
    ...(project === undefined ? {} : { project }),
    ...(gpu === undefined ? {} : { gpu, name: gpuName(view.data?.info, gpu) }),
  }
}

function timeOf({ view, now }: ClientMoment): number {
  return clientTime(view.data, now)
}

function memoryOf(unit: Unit, { memory }: ClientMoment): UnitMemory | undefined {
  return memory.units.get(finite(unit.number) ?? Number.NaN)
}

/** Seconds per frame to expect of this unit: as its project usually takes here, else as it took so far. */
function expectedTpf(unit: Unit, moment: ClientMoment): number | undefined {
  const progress = memoryOf(unit, moment)?.progress
  return usualTpf(unit, moment, 1) ?? tpfSeconds(unit, progress?.at ?? moment.now)
}

export const stalledUnits: Rule = (moment, limit) =>
  unitsOf(moment.view.data).flatMap(unit => {
    const progress = memoryOf(unit, moment)?.progress
    if (progress === undefined) return []
    const still = (moment.now - progress.at) / 1000
    if (isFirstTransfer(unit, timeOf(moment))) {
      const isStill = still >= limit('still') * 60
      const evidence = { ...unitEvidence(unit, moment), reason: text(unit.state) ?? '' }
      return isStill ? [{ subject: subjectOf(unit), since: progress.at, evidence }] : []
    }
    if (!isWorking(unit, timeOf(moment))) return []
    const tpf = expectedTpf(unit, moment) ?? 0
    const limits = { frames: limit('frames'), seconds: limit('still') * 60 }
    if (still < longestStandstill(progress.share, tpf, limits)) return []
    return [
      {
        subject: subjectOf(unit),
        since: progress.at,
        evidence: {
          ...unitEvidence(unit, moment),
          ...(isStarting(unit, timeOf(moment)) ? { reason: 'starting' } : {}),
          ...(tpf > 0 ? { usualSeconds: Math.round(tpf) } : {}),
        },
      },
    ]
  })

/** When it is ready at the speed that was watched; else as its client says. */
function readyAtWatched(unit: Unit, moment: ClientMoment): number {
  const seen = memoryOf(unit, moment)
  const tpf = seen === undefined || !isWorking(unit, timeOf(moment)) ? undefined : measuredTpf(seen)
  return tpf === undefined
    ? readyAtEarliest(unit, moment.now)
    : moment.now + tpf * (1 - (workShare(unit) ?? 0)) * 100_000
}

/** Units whose limit has passed, or will pass before they are done at their present speed. */
function lateUnits(limitOf: (unit: Unit) => number | undefined): Rule {
  return moment =>
    unitsOf(moment.view.data).flatMap(unit => {
      const limitAt = limitOf(unit)
      if (limitAt === undefined || hasEnded(unit)) return []
      const isPast = moment.now > limitAt
      if (!isPast && readyAtWatched(unit, moment) <= limitAt) return []
      return [
        {
          subject: subjectOf(unit),
          ...(isPast ? { since: limitAt } : {}),
          evidence: { ...unitEvidence(unit, moment), limitAt, isPast },
        },
      ]
    })
}

export const unitsPastDeadline: Rule = lateUnits(deadlineAt)

/** Those that will miss their deadline too are found by that rule. */
export const unitsPastTimeout: Rule = (moment, limit) => {
  const lost = new Set(unitsPastDeadline(moment, limit).map(({ subject }) => subject))
  return lateUnits(timeoutAt)(moment, limit).filter(({ subject }) => !lost.has(subject))
}

/** Finished results that are not sent: held back, refused, or on a slow line. */
export const unsentResults: Rule = (moment, limit) =>
  unitsOf(moment.view.data)
    .filter(isUnsent)
    .map(unit => {
      const condition = conditionOf(unit, timeOf(moment))
      const limitAt = nextLimit(unit, moment.now)
      const isStuck = condition === 'held' || (finite(unit.retries) ?? 0) > 1
      const answer = text(unit.error)?.slice(0, 300)
      return {
        subject: subjectOf(unit),
        isUrgent: isStuck && limitAt !== undefined && limitAt - moment.now < limit('hours') * 3_600_000,
        evidence: {
          ...unitEvidence(unit, moment),
          reason: condition,
          ...(condition === 'held' ? { stored: text(unit.pause_reason) ?? '' } : {}),
          ...(answer === undefined ? {} : { answer }),
          ...(limitAt === undefined ? {} : { limitAt }),
        },
      }
    })

export const fullGroups: Rule = moment =>
  groupEntries(moment).flatMap(([group]) => {
    const holdup = groupHoldup(group, moment.view.data, moment.now)
    if (holdup?.kind !== 'full') return []
    return [{ subject: group, evidence: { group, count: holdup.count, used: String(holdup.unsent) } }]
  })

export const starvedGroups: Rule = moment =>
  groupEntries(moment).flatMap(([group]) => {
    const holdup = groupHoldup(group, moment.view.data, moment.now)
    if (holdup?.kind !== 'starved') return []
    const answer = text(holdup.unit.error)?.slice(0, 300)
    return [{ subject: group, evidence: { group, stored: holdup.idle, ...(answer === undefined ? {} : { answer }) } }]
  })

/**
 * A client that never answered here is not out of reach: the one on this computer may not be installed. Nor is one
 * that is there under another id, or that a person put away.
 */
export const unreachableClient: Rule = ({ view, memory, lostAt, isNetworkUp }) => {
  if (view.isConnected || view.isLoading === true || !isNetworkUp || view.excess !== undefined) return []
  if (view.isDirect && view.data === undefined) return []
  if (isWrittenOff(view)) return []
  return [{ subject: '', since: lostAt ?? view.lastConnected ?? memory.firstSeen, evidence: {} }]
}

export const excessiveClient: Rule = ({ view: { excess, isConnected } }) =>
  excess === undefined || isConnected ? [] : [{ subject: '', evidence: { reason: excess } }]

export const longWaits: Rule = ({ memory }) =>
  [...memory.waits].map(([subject, { since, state, group, unit, answer, answerAt }]) => ({
    subject,
    since,
    evidence: {
      group,
      reason: state,
      ...(unit === undefined ? {} : { unit }),
      ...(answer === undefined ? {} : { answer }),
      ...(answerAt === undefined ? {} : { answerAt }),
    },
  }))

/** Seconds per frame that this project usually takes on this hardware, from at least so many units. */
function usualTpf(unit: Unit, { view, memory, earlierTpfs }: ClientMoment, least: number): number | undefined {
  const key = speedKey(unit, view.data)
  if (key === undefined) return undefined
  const stored = earlierTpfs(key)
  const remembered = memory.speeds.get(key) ?? []
  // A unit may be in both.
  const tpfs = stored.length >= remembered.length ? stored : remembered
  return tpfs.length >= least ? median(tpfs) : undefined
}

/** By the time per frame: points per day include a bonus for speed, and grow after a crash. */
export const slowUnits: Rule = (moment, limit) =>
  unitsOf(moment.view.data).flatMap(unit => {
    const remembered = memoryOf(unit, moment)
    const tpf = remembered === undefined ? undefined : measuredTpf(remembered)
    const usual = usualTpf(unit, moment, limit('units'))
    if (tpf === undefined || usual === undefined || tpf <= usual * (1 + limit('percent') / 100)) return []
    return [
      {
        subject: subjectOf(unit),
        evidence: { ...unitEvidence(unit, moment), seconds: Math.round(tpf), usualSeconds: Math.round(usual) },
      },
    ]
  })

export const wrongClock: Rule = ({ memory }, limit) => {
  const { clock } = memory
  return clock === undefined || Math.abs(clock.offset) < limit('seconds') * 1000
    ? []
    : [
        {
          subject: '',
          since: clock.at,
          evidence: {
            seconds: Math.round(clock.offset / 1000),
            ...(clock.isLeast === true ? { reason: 'least' } : {}),
          },
        },
      ]
}

function versionEvidence(view: ClientView): Evidence {
  return { version: text(view.data?.info.version) ?? '' }
}

export const tooOldClient: Rule = ({ view }) =>
  isTooOld(view) ? [{ subject: '', evidence: versionEvidence(view) }] : []

export const outdatedClient: Rule = ({ view, latestVersion }) =>
  isOutdated(view, latestVersion) && !isTooOld(view) ? [{ subject: '', evidence: versionEvidence(view) }] : []

function found(reason: string, subject: string, evidence: Evidence = {}): Found {
  return {
    subject: `${reason} ${subject}`,
    evidence: { reason, ...evidence },
  }
}

// Clients store any value without a check (docs/protocol.md §5); they cut it to their own types when they use it.
const UINT32 = 4_294_967_296
const INT32_MOST = 2_147_483_647

/** Stored settings that no one can have meant. */
export const nonsenseSettings: Rule = moment => {
  const { data } = moment.view
  const passkey = text(data?.config.passkey)
  const team = finite(data?.config.team)
  const cpus = finite(data?.info.cpus)
  const all: Found[] = []
  if (passkey !== undefined && !/^[\da-f]{30,32}$/i.test(passkey)) {
    // Never the passkey itself.
    const isLength = /^[\da-f]*$/i.test(passkey)
    all.push(found(isLength ? 'passkey-length' : 'passkey-letters', '', { count: passkey.length }))
  }
  if (team !== undefined && (team < 0 || team > INT32_MOST || !Number.isInteger(team))) {
    const used = ((Math.trunc(team) % UINT32) + UINT32) % UINT32
    all.push(found('team', '', { stored: String(team), used: String(used > INT32_MOST ? used - UINT32 : used) }))
  }
  for (const [group, { config }] of groupEntries(moment)) {
    const stored = finite(ownValue(config, 'cpus'))
    if (stored === undefined) continue
    if (stored < 0) all.push(found('cpus-negative', group, { group, stored: String(stored), used: '0' }))
    else if (cpus !== undefined && stored > cpus)
      all.push(found('cpus-many', group, { group, stored: String(stored), used: String(cpus) }))
    else if (!Number.isInteger(stored))
      all.push(found('cpus-part', group, { group, stored: String(stored), used: String(Math.floor(stored)) }))
  }
  return all
}

/** CPUs and GPUs that several groups use at once: no group waits for another (docs/protocol.md §4). */
export const sharedHardware: Rule = moment => {
  const info = moment.view.data?.info
  const groups = groupEntries(moment).filter(([, group]) => groupState(group) !== 'pause')
  const users = new Map<string, string[]>()
  for (const [group, { config }] of groups)
    for (const gpu of enabledGpus(config))
      if (gpuOf(info, gpu)?.supported !== false) users.set(gpu, [...(users.get(gpu) ?? []), group])
  const all = [...users].flatMap(([gpu, names]) =>
    names.length < 2
      ? []
      : [
          found('gpu', gpu, {
            gpu,
            name: gpuName(info, gpu),
            stored: formatList(names.map(groupTitle)),
            count: names.length,
          }),
        ],
  )
  const cpus = finite(info?.cpus)
  const each = groups.map(([, { config }]) => configuredCpus(config)).filter(count => count > 0)
  const sum = each.reduce((total, count) => total + Math.min(count, cpus ?? count), 0)
  const isShared = cpus !== undefined && each.length > 1 && sum > cpus
  return isShared ? [...all, found('cpus', '', { stored: String(sum), used: String(cpus) })] : all
}

/** Settings that are stored as meant, and have no effect. */
export const ineffectiveSettings: Rule = (moment, limit) => {
  const { view, account } = moment
  const info = view.data?.info
  const all: Found[] = []
  const groups = groupEntries(moment)
  const lost = new Set([...missingGpus(moment, limit), ...driverlessGpus(moment, limit)].map(({ subject }) => subject))
  for (const [group, { config }] of groups) {
    for (const gpu of enabledGpus(config)) {
      if (lost.has(gpu)) continue
      const gpuInfo = gpuOf(info, gpu)
      const evidence = { group, gpu, name: gpuName(info, gpu) }
      if (gpuInfo === undefined) all.push(found('gpu-absent', `${gpu} ${group}`, { group, gpu }))
      else if (gpuInfo.supported === false && hasDriver(gpuInfo))
        all.push(found('gpu-unsupported', `${gpu} ${group}`, evidence))
      else if (gpuInfo.supported === false)
        all.push(found('gpu-driver', `${gpu} ${group}`, { ...evidence, place: driverPlace(info, gpu) }))
    }
  }
  const isFolding = groups.some(([, group]) => groupState(group) === 'fold')
  if (isFolding && groups.every(([, group]) => isGroupEmpty(group, info))) all.push(found('nothing-enabled', ''))
  if (account !== undefined && isLinked(view, account.id) && view.data !== undefined) {
    const { user, team } = view.data.config
    if (text(account.user) !== undefined && text(user) !== undefined && user !== account.user)
      all.push(found('account-user', '', { stored: String(user), used: String(account.user) }))
    if (account.team !== undefined && finite(team) !== undefined && team !== account.team)
      all.push(found('account-team', '', { stored: String(team), used: String(account.team) }))
  }
  return all
}

export const silentValues: Rule = ({ silentInputs = [] }) =>
  silentInputs.map(({ input, schedule, since }) => ({
    subject: input,
    since,
    evidence: { name: schedule, ...(input === '' ? {} : { stored: input }) },
  }))

export const forgottenGroups: Rule = ({ view, memory, now }) =>
  [...memory.paused].flatMap(([group, since]) => {
    const groups = groupsOf(view.data)
    const config = Object.hasOwn(groups, group) ? groups[group] : undefined
    const isOwnChoice = failedText(config) === undefined && groupWaitEnd(config, now) === undefined
    return isOwnChoice ? [{ subject: group, since, evidence: { group } }] : []
  })
