import { groupsOf, groupState } from '../../../src/folding/client/group.ts'
import { selectAsOf } from '../../../src/machines/connection/client/client.selectors.ts'
import { selectIncidents } from '../../../src/machines/incidents/incidents/incidents.selectors.ts'
import type { ClientData, Unit } from '../../../src/protocol/client/client-data.ts'
import type { Incident, IncidentKind } from '../../../src/folding/incidents/incident.ts'
import { HOUR, MINUTE, SECOND } from '../time/durations.ts'
import type { Inhabitant } from '../inhabitants/inhabitants.ts'
import type { OpenPage } from '../world.ts'
import { onEachPage, type Checked, type Invariant } from './invariant.ts'
import { machinesOf, type Machine } from './machines.ts'

/** What somebody who stands before the machine sees of it, from one look to the next. */
type Facts = {
  readonly data: ClientData
  readonly machine: Machine
  readonly now: number
  /** Milliseconds since the work of a unit last grew. */
  readonly stillFor: (unit: Unit) => number
  /** Those of them for which the page has seen it without a break. */
  readonly seenStillFor: (unit: Unit) => number
  /** Whether this page has seen the GPU while it was open. */
  readonly hasSeen: (gpu: string) => boolean
  /** Whether any clock of the world was wrong since the beginning. */
  readonly wereClocksRight: boolean
}

/**
 * The cause of a kind of incident. `subjects`: what has it for certain, each of which must be an incident once it has lasted
 * for `opens` milliseconds. `mayBe`: whether the subject may have it; when that was not so for `CLOSES`, it must be over.
 */
type Cause = {
  readonly opens: number
  readonly subjects: (facts: Facts) => readonly string[]
  readonly mayBe: (facts: Facts, subject: string) => boolean
}

/** Milliseconds until an incident is over: its end is certain after 30 s, and clients are looked at once a minute. */
const CLOSES = 4 * MINUTE
/** Milliseconds from the moment when it has lasted long enough until it is opened: clients are looked at once a minute. */
const LOOKED_AT = 3 * MINUTE
/** Milliseconds: a smaller correction of a clock changes nothing that lasts for minutes. */
const SET = 10 * SECOND
/** Milliseconds between two looks at a page. */
const LOOK = 30 * SECOND

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
function nameOf(unit: Unit): string {
  return textOf(unit.id)
}
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}

function groupsWhere({ data }: Facts, holds: (config: Readonly<Record<string, unknown>>) => boolean) {
  return Object.entries(data.groups).flatMap(([group, entry]) => (holds({ ...entry, ...entry.config }) ? [group] : []))
}

function failed(group: Readonly<Record<string, unknown>>): number {
  return numberOf(group['failed_wus']) + numberOf(group['lost_wus'])
}
function isStopped(group: Readonly<Record<string, unknown>>): boolean {
  return textOf(group['failed']) !== ''
}

function isRunning(unit: Unit): boolean {
  return unit.state === 'RUN' && unit.paused !== true && textOf(unit.pause_reason) === '' && unit.pid !== undefined
}

/** Three frames are allowed, at the speed of earlier units, some of which stood still too; undefined before a speed is known. */
function longestStill(unit: Unit): number | undefined {
  const share = numberOf(unit.wu_progress)
  return share < 0.05 ? undefined : Math.max(2 * HOUR, (4 * SECOND * numberOf(unit.run_time)) / (100 * share))
}

function isWaiting(unit: Unit): boolean {
  return ['ASSIGN', 'DOWNLOAD', 'CORE'].includes(textOf(unit.state)) && numberOf(unit.retries) > 0
}

function unitsOf({ data }: Facts): readonly Unit[] {
  return data.units
}

const CAUSES: Partial<Readonly<Record<IncidentKind, Cause>>> = {
  'gpu-gone': {
    opens: 5 * MINUTE + LOOKED_AT,
    subjects: ({ data, machine, hasSeen }) =>
      machine.gpus.filter(gpu => data.info.gpus?.[gpu] === undefined && hasSeen(gpu)),
    mayBe: ({ data }, gpu) => data.info.gpus?.[gpu] === undefined,
  },
  'gpu-driver': {
    opens: LOOKED_AT,
    subjects: ({ data }) =>
      Object.entries(data.info.gpus ?? {}).flatMap(([id, gpu]) => {
        const isLost = gpu.supported === false && gpu.cuda === undefined && gpu.opencl === undefined
        const hasBegun = data.units.some(
          unit => unit.state !== 'UPLOAD' && listOf(unit.gpus).includes(id) && numberOf(unit.wu_progress) > 0,
        )
        return isLost && hasBegun ? [id] : []
      }),
    mayBe: ({ data }, id) => data.info.gpus?.[id]?.supported === false,
  },
  stopped: {
    opens: LOOKED_AT,
    subjects: facts => groupsWhere(facts, isStopped),
    mayBe: (facts, group) => groupsWhere(facts, isStopped).includes(group),
  },
  failing: {
    opens: LOOKED_AT,
    subjects: facts => groupsWhere(facts, group => numberOf(group['failed_wus']) >= 2 && !isStopped(group)),
    mayBe: (facts, name) => groupsWhere(facts, group => failed(group) >= 2 && !isStopped(group)).includes(name),
  },
  stalled: {
    opens: LOOKED_AT,
    subjects: facts =>
      unitsOf(facts).flatMap(unit => {
        const longest = longestStill(unit)
        return isRunning(unit) && longest !== undefined && facts.seenStillFor(unit) > longest ? [nameOf(unit)] : []
      }),
    mayBe: (facts, id) => unitsOf(facts).some(unit => nameOf(unit) === id && facts.stillFor(unit) > 10 * MINUTE),
  },
  waiting: {
    opens: 30 * MINUTE + LOOKED_AT,
    subjects: () => [],
    mayBe: ({ data, ...facts }, subject) =>
      data.units.length === 0 ||
      data.units.some(unit => !isRunning(unit)) ||
      // Between two attempts there is no unit.
      groupsWhere({ data, ...facts }, group => group['paused'] !== true).some(group => subject.endsWith(` ${group}`)),
  },
  unsent: {
    opens: 30 * MINUTE + LOOKED_AT,
    subjects: facts => unitsOf(facts).flatMap(unit => (unit.state === 'UPLOAD' ? [nameOf(unit)] : [])),
    mayBe: (facts, id) => unitsOf(facts).some(unit => unit.state === 'UPLOAD' && nameOf(unit) === id),
  },
  starved: {
    opens: 15 * MINUTE + LOOKED_AT,
    subjects: () => [],
    mayBe: facts => unitsOf(facts).some(isWaiting),
  },
  clock: { opens: LOOKED_AT, subjects: () => [], mayBe: ({ wereClocksRight }) => !wereClocksRight },
}

/** Milliseconds for which a machine that was there must be away, and those that a page needs to be certain of it. */
const UNREACHABLE = 12 * MINUTE + LOOKED_AT

/** Milliseconds that what a hidden page knows may be older: it asks once in five minutes. */
const HIDDEN = 8 * MINUTE

type Still = { readonly share: number; readonly started: string; readonly since: number }
type Seen = {
  /** By which the page keeps its incidents. */
  key: string | undefined
  /** Since when the page has it as connected and current. */
  current: number | undefined
  away: number | undefined
  readonly began: Map<string, number>
  readonly ended: Map<string, number>
  readonly gpus: Set<string>
  readonly still: Map<string, Still>
  /** Units of which it said that they stand still, and that have not moved since. */
  readonly stalled: Set<string>
}
type SeenOn = { lookedAt: number; ahead: number; readonly machines: Map<string, Seen> }

const seenOn = new WeakMap<OpenPage, SeenOn>()
const wrongClocks = new WeakSet<object>()

function newSeen(): Seen {
  return {
    key: undefined,
    current: undefined,
    away: undefined,
    began: new Map(),
    ended: new Map(),
    gpus: new Set(),
    still: new Map(),
    stalled: new Set(),
  }
}

/** Since when the work of each unit has not grown, by what the machine itself says. */
function remember(data: ClientData, seen: Seen, now: number): void {
  const ids = new Set(data.units.map(nameOf))
  for (const id of seen.still.keys()) {
    if (ids.has(id)) continue
    seen.still.delete(id)
    seen.stalled.delete(id)
  }
  for (const unit of data.units) {
    const [share, started] = [numberOf(unit.wu_progress), textOf(unit.start_time)]
    const before = seen.still.get(nameOf(unit))
    if (isRunning(unit) && before?.share === share && before.started === started) continue
    seen.still.set(nameOf(unit), { share, started, since: now })
    seen.stalled.delete(nameOf(unit))
  }
}

function factsOf(data: ClientData, machine: Machine, seen: Seen, now: number, wereClocksRight: boolean): Facts {
  for (const gpu of machine.gpus) if (data.info.gpus?.[gpu]?.supported === true) seen.gpus.add(gpu)
  const stillFor = (unit: Unit): number => now - (seen.still.get(nameOf(unit))?.since ?? now)
  return {
    data,
    machine,
    now,
    wereClocksRight,
    hasSeen: gpu => seen.gpus.has(gpu),
    stillFor,
    seenStillFor: unit => Math.min(stillFor(unit), now - (seen.current ?? now)),
  }
}

/** Since when it holds for each key without a break; forgets others. */
function keep(times: Map<string, number>, keys: readonly string[], now: number): void {
  for (const key of times.keys()) if (!keys.includes(key)) times.delete(key)
  for (const key of keys) if (!times.has(key)) times.set(key, now)
}

function findWrong(facts: Facts, seen: Seen, incidents: readonly Incident[], slack: number): string | undefined {
  const { machine, now } = facts
  const has = (kind: string, subject: string): boolean =>
    incidents.some(one => one.kind === kind && one.subject === subject)
  const causes = Object.entries(CAUSES).flatMap(([kind, { subjects }]) =>
    subjects(facts).map(subject => `${kind} ${subject}`),
  )
  keep(seen.began, causes, now)
  for (const [key, since] of seen.began) {
    const [kind = '', ...subject] = key.split(' ')
    const { opens = 0 } = CAUSES[kind as IncidentKind] ?? {}
    const lasts = Math.min(now - since, now - (seen.current ?? now))
    if (lasts > opens + slack && !has(kind, subject.join(' ')))
      return `${machine.name} has had the cause of '${key}' for ${Math.round(lasts / MINUTE)} min, which is no incident`
  }
  const groundless = incidents.flatMap(({ kind, subject }) =>
    CAUSES[kind]?.mayBe(facts, subject) === false ? [`${kind} ${subject}`] : [],
  )
  keep(seen.ended, groundless, now)
  for (const [key, since] of seen.ended)
    if (Math.min(now - since, now - (seen.current ?? now)) > CLOSES + slack)
      return `${machine.name} has the incident '${key}' for ${Math.round((now - since) / MINUTE)} min without its cause`
  return undefined
}

/** What is said to be over although nothing has changed. */
function endedTooSoon(facts: Facts, seen: Seen, incidents: readonly Incident[]): string | undefined {
  const said = incidents.flatMap(({ kind, subject }) => (kind === 'stalled' ? [subject] : []))
  const ended = [...seen.stalled].find(id => !said.includes(id))
  if (ended !== undefined && facts.wereClocksRight)
    return `${facts.machine.name} has the unit ${ended}, which stands still, and is said to move again`
  seen.stalled.clear()
  for (const unit of facts.data.units)
    if (said.includes(nameOf(unit)) && facts.stillFor(unit) > LOOK) seen.stalled.add(nameOf(unit))
  return undefined
}

/** Only groups that fold want work. */
const OF_FOLDING: readonly IncidentKind[] = ['full', 'starved']
/** When a client of a report last had a group that was told not to fold. */
const heldAt = new WeakMap<Inhabitant, number>()

/** What is wrong by the report of a client. */
function storyWrong(one: Inhabitant, incidents: readonly Incident[], now: number): string | undefined {
  const { name, report, startedAt } = one
  if (report === undefined) return undefined
  if (Object.values(groupsOf(one.said())).some(group => groupState(group) !== 'fold')) heldAt.set(one, now)
  const since = (kind: IncidentKind): number => (OF_FOLDING.includes(kind) ? (heldAt.get(one) ?? startedAt) : startedAt)
  const kinds = incidents.map(({ kind }) => kind)
  const missing = Object.entries(report.expects).find(
    ([kind, within]) => now - since(kind as IncidentKind) > within && !kinds.includes(kind as IncidentKind),
  )
  if (missing !== undefined) return `${name} has no incident of the kind '${missing[0]}'`
  const isRight = ({ kind }: Incident): boolean =>
    report.expects[kind] !== undefined || report.graves?.includes(kind) === true
  const groundless = incidents.find(one => one.gravity === 'grave' && !isRight(one))
  return groundless && `${name} has the grave incident '${groundless.kind} ${groundless.subject}'`
}

function wrongOf(page: OpenPage, machine: Machine, seen: Seen, checked: Checked): string | undefined {
  const now = checked.world.scheduler.now()
  const snapshot = machine.refOn(page)?.getSnapshot()
  const currentKey = machine.keyOn(page)
  // One that is to be told yet that it was removed is not shown.
  if (snapshot === undefined || currentKey === undefined || machine.isHarmed()) {
    seen.current = seen.away = undefined
    seen.stalled.clear()
    return undefined
  }
  const { data } = snapshot.context.record
  // Where two have one id the page tells them apart by other keys, and observes each anew.
  if (currentKey !== seen.key) {
    seen.key = currentKey
    seen.current = seen.away = undefined
    seen.stalled.clear()
    seen.began.clear()
    seen.ended.clear()
  }
  const said = machine.said()
  if (said !== undefined) remember(said, seen, now)
  const incidents = selectIncidents(page.system.incidents.getSnapshot()).filter(one => one.machine === currentKey)
  const slack = page.tab.isHidden() ? HIDDEN : 0
  const isCurrent = snapshot.hasTag('connected') && now - (selectAsOf(snapshot) ?? now) <= slack
  const { connectedAt = 0 } = snapshot.context
  // How long a condition lasts counts from the connection.
  seen.current = isCurrent ? Math.max(seen.current ?? now, connectedAt - page.device.ahead) : undefined
  // It may have been there between two looks.
  const thereAt = Math.max(connectedAt, snapshot.context.lostAt ?? 0) - page.device.ahead
  seen.away = machine.isAway(page) ? Math.max(seen.away ?? now, Math.min(thereAt, now)) : undefined
  const isUnreachable = incidents.some(({ kind }) => kind === 'unreachable')
  if (seen.away !== undefined && now - seen.away > UNREACHABLE + slack && data !== undefined && !isUnreachable)
    return `${machine.name} has been away for ${Math.round((now - seen.away) / MINUTE)} min, which is no incident`
  if (isUnreachable && isCurrent && now - (seen.current ?? now) > CLOSES + slack)
    return `${machine.name} is connected, and has the incident that it is out of reach`
  const problem = machine.story && storyWrong(machine.story, incidents, now)
  if (problem !== undefined) return problem
  if (!isCurrent || said === undefined) {
    seen.began.clear()
    seen.ended.clear()
    return undefined
  }
  const facts = factsOf(said, machine, seen, now, !wrongClocks.has(checked.world))
  return findWrong(facts, seen, incidents, slack) ?? endedTooSoon(facts, seen, incidents)
}

function wrongOn(page: OpenPage, checked: Checked): string | undefined {
  const now = checked.world.scheduler.now()
  // Corrected by what the servers say, which may be wrong.
  const ahead = page.device.ahead + page.system.clock.getSnapshot().context.offset
  let seen = seenOn.get(page)
  // A page whose clock was set knows nothing of how long anything lasts.
  if (seen === undefined || Math.abs(seen.ahead - ahead) > SET) {
    const before = [...(seen?.machines ?? [])]
    // What the machines themselves did follows the clock of the world.
    seen = { lookedAt: now, ahead, machines: new Map(before.map(([id, { still }]) => [id, { ...newSeen(), still }])) }
  }
  seenOn.set(page, seen)
  if (now - seen.lookedAt < LOOK) return undefined
  seen.lookedAt = now
  for (const machine of machinesOf(checked)) {
    const ofMachine = seen.machines.get(machine.id) ?? newSeen()
    seen.machines.set(machine.id, ofMachine)
    const wrong = wrongOf(page, machine, ofMachine, checked)
    if (wrong !== undefined) return `${page.device.name}: ${wrong}`
  }
  return undefined
}

export const incidentsInTime: Invariant = {
  name: 'incidents open and close in time',
  reason: 'What is not reported costs points, and what is reported without a cause is soon not read any more.',
  check: checked => {
    const { world } = checked
    if (
      machinesOf(checked).some(({ hadWrongClock }) => hadWrongClock()) ||
      // A page corrects its clock by what the API says, and may not ask again for hours.
      world.networkFaults.ahead() !== 0 ||
      world.devices().some(({ ahead }) => ahead !== 0)
    )
      wrongClocks.add(world)
    return onEachPage(wrongOn)(checked)
  },
}
