/*
 * What must be remembered of a client to judge it: GPUs that it had, when its units last made progress, how fast it
 * usually is, what a server last answered. A pure reducer; `now` is epoch milliseconds.
 */
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import type { ClientView } from '../client/client.ts'
import { groupNameOf, groupsOf, groupState, isGroupEmpty, lostUnits } from '../client/group.ts'
import { gpuIds, gpuName, gpuOf, unitResources } from '../client/resources.ts'
import { boundedKey } from '../text/vocabulary.ts'
import { clampShare } from '../text/format.ts'
import { finite, text, texts } from '../shared/read.ts'
import { DAY, parseTime } from '../text/times.ts'
import {
  clockLead,
  conditionOf,
  isCoreUnusable,
  isFirstTransfer,
  isHeld,
  isWorking,
  clientTime,
} from '../unit/unit-meaning.ts'
import { projectOf, tpfSeconds, workShare } from '../unit/unit-progress.ts'
import { advanced, courseTpf, LONGEST_GAP, type Sample } from '../unit/watched.ts'
import { conditionKey, type IncidentKind } from './incident.ts'
import type { ClientMemory, UnitMemory, WaitMemory } from './incident-schema.ts'

export type { ClientMemory, UnitMemory } from './incident-schema.ts'

export function emptyMemory(now: number): ClientMemory {
  return {
    firstSeen: now,
    lastSeen: undefined,
    gpus: new Map(),
    units: new Map(),
    lost: new Map(),
    waits: new Map(),
    paused: new Map(),
    speeds: new Map(),
    clock: undefined,
    held: new Map(),
  }
}

/** Milliseconds over which a speed is measured, at least. */
const MEASURED = 30 * 60_000
/** A GPU that was missing this long is forgotten: it was taken out on purpose. Milliseconds. */
const GPU_FORGOTTEN = 30 * DAY * 1000
/** What is found within this time has just happened. Milliseconds. */
const JUST_NOW = 90_000
const MOST_GPUS = 32
const MOST_UNITS = 256
const MOST_SPEEDS = 64
const SPEEDS_KEPT = 8

/** The unit, as conditions name it. */
export function subjectOf(unit: Unit): string {
  return text(unit.id) ?? `WU${String(unit.number)}`
}

/** Whether the client was evaluated shortly before, so that what did not change in between stood still. */
export function isWithoutGap({ lastSeen }: ClientMemory, now: number): boolean {
  return lastSeen !== undefined && Math.abs(now - lastSeen) <= LONGEST_GAP
}

/** Whether what is new in its data has just happened: the full state of some clients is only requested every few minutes. */
function isFollowed(memory: ClientMemory, now: number): boolean {
  return memory.lastSeen !== undefined && now - memory.lastSeen <= JUST_NOW && now - (memory.dataAt ?? now) <= JUST_NOW
}

/** What a connected client reports now, added to what was remembered. `asOf`: as of when its data are. */
export function remember(memory: ClientMemory, { data }: ClientView, now: number, asOf: number): ClientMemory {
  if (data === undefined) return memory
  const isContinuous = isWithoutGap(memory, now)
  const at = clientTime(data, now)
  const numbered = numberedUnits(data)
  return {
    ...memory,
    lastSeen: now,
    dataAt: asOf,
    gpus: gpusAfter(memory, data, now),
    units: new Map(
      numbered.map(([number, unit]) => {
        const isReported = (kind: IncidentKind): boolean =>
          memory.held.get(conditionKey({ kind, subject: boundedKey(subjectOf(unit)) }))?.isReported === true
        const look = { isContinuous, isStalled: isReported('stalled'), isSlow: isReported('slow'), now, at }
        return [number, unitAfter(memory.units.get(number), unit, look)]
      }),
    ),
    lost: lostAfter(memory, data, numbered),
    waits: waitsAfter(isContinuous ? memory.waits : new Map(), data, now),
    paused: pausedAfter(memory, data, now),
    speeds: speedsAfter(memory, data, numbered, now),
    clock: clockAfter(
      isFollowed(memory, now) ? (clockOf(memory, numbered, now) ?? memory.clock) : memory.clock,
      data,
      now,
    ),
  }
}

/** Seconds per frame of late; undefined before it was measured for long enough. */
export function measuredTpf(unit: UnitMemory): number | undefined {
  return courseTpf(unit, isLongEnough)
}

/** Identifies the hardware and the project of a unit, to compare its speed with earlier ones. */
export function speedKey(unit: Unit, data: ClientData | undefined): string | undefined {
  const project = projectOf(unit)
  const resources = unitResources(unit, data?.info, 'en')
  return project === undefined || resources === undefined ? undefined : `${project} ${resources}`
}

/** The middle value; undefined of nothing. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

function numberedUnits(data: ClientData): readonly (readonly [number, Unit])[] {
  return data.units.slice(0, MOST_UNITS).flatMap(unit => {
    const number = finite(unit.number)
    return number === undefined ? [] : [[number, unit] as const]
  })
}

function gpusAfter({ gpus }: ClientMemory, { info }: ClientData, now: number): ClientMemory['gpus'] {
  const after = new Map([...gpus].filter(([, { at }]) => now - at < GPU_FORGOTTEN))
  for (const id of gpuIds(info)) {
    if (gpuOf(info, id)?.supported === true) after.set(id, { name: gpuName(info, id), at: now })
  }
  return new Map([...after].sort(([, a], [, b]) => b.at - a.at).slice(0, MOST_GPUS))
}

type Look = {
  readonly isContinuous: boolean
  /** Whether it was reported that the unit stands still. */
  readonly isStalled: boolean
  /** Whether it was reported that the unit is slow. */
  readonly isSlow: boolean
  readonly now: number
  /** On the client's clock. */
  readonly at: number
}

function unitAfter(before: UnitMemory | undefined, unit: Unit, look: Look): UnitMemory {
  const { isContinuous, isStalled, isSlow, now, at } = look
  const base = {
    state: text(unit.state) ?? '',
    startTime: text(unit.start_time),
    wait: text(unit.wait),
    isHeld: isHeld(unit) || unit.state === 'DUMP',
  }
  const lastProgress = before?.progress
  if (isFirstTransfer(unit, at)) {
    const share = clampShare(unit.progress) ?? 0
    const isStill = (isContinuous || isStalled) && before?.state === base.state && lastProgress?.share === share
    return { ...base, progress: isStill ? lastProgress : { at: now, share }, from: undefined, middle: undefined }
  }
  const share = workShare(unit)
  if (!isWorking(unit, at) || share === undefined)
    return { ...base, progress: undefined, from: undefined, middle: undefined }
  const isSameRun = before?.state === base.state && before.startTime === base.startTime
  // Whether it stood still is unknown for the time in which it was not watched; what was reported goes on.
  if (isSameRun && share === lastProgress?.share && (isContinuous || isStalled))
    return { ...base, progress: lastProgress, from: before.from, middle: before.middle }
  if (isSameRun && isContinuous && lastProgress !== undefined && share > lastProgress.share)
    return { ...base, ...advanced(before, { at: now, share }, isLongEnough) }
  const isMeasured = isSameRun && isSlow && lastProgress !== undefined && share >= lastProgress.share
  return {
    ...base,
    progress: { at: now, share },
    from: isMeasured ? before.from : undefined,
    middle: isMeasured ? before.middle : undefined,
  }
}

/** Time and frames enough to tell a speed: progress is reported in tenths of a frame. */
function isLongEnough(from: Sample, to: Sample): boolean {
  return to.at - from.at >= MEASURED && to.share - from.share >= 0.02
}

const WAITS: ReadonlySet<string> = new Set(['DOWNLOAD', 'CORE', 'DUMP'])

/**
 * A unit that requests work, or one whose transfer failed at least once: a transfer alone may take long on a slow line. A
 * unit that is held back waits for the user only, and finished results are judged by themselves.
 */
function isWaiting(unit: Unit, at: number): boolean {
  const condition = conditionOf(unit, at)
  if (unit.state === 'ASSIGN') return condition === 'asking' || condition === 'waiting'
  if (isCoreUnusable(unit, at)) return true
  const mayWait = condition === 'waiting' || condition === 'transferring' || condition === 'dumping'
  return mayWait && WAITS.has(text(unit.state) ?? '') && (finite(unit.retries) ?? 0) > 0
}

function resourcesKey(unit: Unit): string {
  const gpus = texts(unit.gpus)
  return `${gpus.length > 0 ? gpus.join(' ') : 'cpu'} ${groupNameOf(unit)}`
}

function waitsAfter(waits: ClientMemory['waits'], data: ClientData, now: number): ClientMemory['waits'] {
  const after = new Map<string, WaitMemory>()
  const at = clientTime(data, now)
  const busy = new Set<string>()
  for (const unit of data.units.slice(0, MOST_UNITS)) {
    // Results may wait for their server while the next unit of the same resources runs.
    const key = unit.state === 'UPLOAD' || unit.state === 'DUMP' ? `${String(unit.number)} results` : resourcesKey(unit)
    if (!isWaiting(unit, at)) {
      busy.add(key)
      continue
    }
    const previous = waits.get(key)
    const answer = text(unit.error)?.slice(0, 300)
    after.set(key, {
      since: previous?.since ?? now,
      state: isCoreUnusable(unit, at) ? 'unusable' : (text(unit.state) ?? ''),
      group: groupNameOf(unit),
      unit: finite(unit.number),
      answer: answer ?? previous?.answer,
      answerAt: answer === undefined || answer === previous?.answer ? previous?.answerAt : now,
    })
  }
  const groups = groupsOf(data)
  for (const [key, wait] of waits) {
    const group = Object.hasOwn(groups, wait.group) ? groups[wait.group] : undefined
    const isWanted = groupState(group) === 'fold' && !isGroupEmpty(group, data.info)
    // Between two attempts there is no unit, but the group still waits, with the answer that it got.
    if (wait.state === 'ASSIGN' && isWanted && !after.has(key) && !busy.has(key) && group !== undefined)
      after.set(key, { ...wait, unit: undefined })
  }
  return after
}

/**
 * Units that a person dumps count as lost too (docs/protocol.md §4). Only a unit that is held back can be dumped, and none
 * of those can crash: what was held back and is gone was dumped.
 */
function lostAfter(
  { lost, units }: ClientMemory,
  data: ClientData,
  numbered: readonly (readonly [number, Unit])[],
): ClientMemory['lost'] {
  const present = new Set(numbered.map(([number]) => number))
  const dumps = [...units].filter(([number, { isHeld: wasHeld }]) => wasHeld === true && !present.has(number)).length
  const after = new Map<string, { readonly count: number; readonly dumped: number }>()
  for (const [name, group] of Object.entries(groupsOf(data))) {
    const count = lostUnits(group)
    if (count === 0) continue
    const before = lost.get(name)
    const more = Math.max(0, count - (before?.count ?? 0))
    after.set(name, { count, dumped: Math.min(count, (before?.dumped ?? 0) + Math.min(more, dumps)) })
  }
  return after
}

function pausedAfter({ paused }: ClientMemory, data: ClientData, now: number): ClientMemory['paused'] {
  return new Map(
    Object.entries(groupsOf(data)).flatMap(([name, group]) =>
      groupState(group) === 'pause' && !isGroupEmpty(group, data.info) ? [[name, paused.get(name) ?? now]] : [],
    ),
  )
}

/** A unit that computed until its results are sent tells how fast the client is. */
function speedsAfter(
  { speeds, units }: ClientMemory,
  data: ClientData,
  numbered: readonly (readonly [number, Unit])[],
  now: number,
): ClientMemory['speeds'] {
  const ended = numbered.filter(([number, unit]) => unit.state === 'UPLOAD' && units.get(number)?.state === 'RUN')
  if (ended.length === 0) return speeds
  const after = new Map(speeds)
  for (const [, unit] of ended) {
    const key = speedKey(unit, data)
    const tpf = tpfSeconds(unit, now)
    if (key === undefined || tpf === undefined || (workShare(unit) ?? 0) < 0.99) continue
    const previous = after.get(key) ?? []
    // Deleted and set, so that the map is in the order of use.
    after.delete(key)
    after.set(key, [...previous, tpf].slice(-SPEEDS_KEPT))
  }
  return new Map([...after].slice(-MOST_SPEEDS))
}

/** A clock that is further ahead than was known: its units have times that lie in the future. */
function clockAfter(previous: ClientMemory['clock'], data: ClientData, now: number): ClientMemory['clock'] {
  const lead = clockLead(data, now)
  return lead > Math.max(0, previous?.offset ?? 0) ? { offset: lead, at: now, isLeast: true } : previous
}

/** A core that just started, or an attempt that just failed, tells the client's time. */
function clockOf(
  { units }: ClientMemory,
  numbered: readonly (readonly [number, Unit])[],
  now: number,
): ClientMemory['clock'] {
  for (const [number, unit] of numbered) {
    const before = units.get(number)
    if (before === undefined) continue
    const started = text(unit.start_time)
    const startedAt = started === before.startTime ? undefined : parseTime(started)
    const delay = finite(unit.delay) ?? 0
    const waitsUntil = delay > 0 && text(unit.wait) !== before.wait ? parseTime(unit.wait) : undefined
    const theirs = startedAt ?? (waitsUntil === undefined ? undefined : waitsUntil - delay * 1000)
    if (theirs !== undefined) return { offset: theirs - now, at: now }
  }
  return undefined
}
