import type { Change } from '../../protocol/client/changes.ts'
import { isFigure, movesUnits, untilNextSecond } from '../pacing.ts'
import type { ChannelId, HubDeps, LinkReport, RelayReport } from './hub.types.ts'

export type Outbox = {
  readonly add: (channel: ChannelId, at: number, facts: readonly LinkReport[]) => void
  readonly addRelay: (channel: ChannelId, at: number, facts: readonly RelayReport[]) => void
  /** Discards all of a closed channel. */
  readonly drop: (channel: ChannelId) => void
  /** The page is ready for the next batch. */
  readonly take: () => void
  /** Whether the channel is visible on the page. */
  readonly watch: (channel: ChannelId, isWatched: boolean) => void
}

/**
 * Gathers what is reported, by channel: facts are posted at once, figures when the second ends, both only when the page has
 * taken the batch before.
 */
export function createOutbox({
  post,
  later,
  now,
  ahead: mostAhead = 0,
}: Pick<HubDeps, 'post' | 'later' | 'now' | 'ahead'>): Outbox {
  let facts = new Map<ChannelId, Gatherer>()
  let figures = new Map<ChannelId, Gatherer>()
  const relays = new Map<ChannelId, { at: number; facts: RelayReport[] }>()
  const watched = new Set<ChannelId>()
  let isPageReady = true
  let ahead = mostAhead
  let isSecondOver = false
  let isTimerSet = false

  const gatherer = (map: Map<ChannelId, Gatherer>, channel: ChannelId, at: number): Gatherer => {
    const existing = map.get(channel) ?? createGatherer(at)
    map.set(channel, existing)
    return existing
  }

  const flush = () => {
    if (!isPageReady) return
    const entries = [...facts]
    facts = new Map()
    const hasFigures = isSecondOver
    if (hasFigures) {
      entries.push(...figures)
      figures = new Map()
    }
    const relayEntries = [...relays].filter(([, entry]) => hasFigures || entry.facts.length > 0)
    isSecondOver = false
    if (entries.length === 0 && relayEntries.length === 0) return
    for (const [channel] of relayEntries) relays.delete(channel)
    if (ahead > 0) ahead -= 1
    else isPageReady = false
    const links = entries.map(([channel, { at, facts: factsOf }]) => {
      const linkFacts = factsOf()
      return { channel, at, facts: linkFacts, isWatched: watched.has(channel) || linkFacts.some(isHistory) }
    })
    post(
      { links, relays: relayEntries.map(([channel, entry]) => ({ channel, ...entry })), hasFigures },
      links.flatMap(({ facts: linkFacts }) => linkFacts.flatMap(buffersOf)),
    )
  }

  const flushLater = () => {
    if (isTimerSet) return
    isTimerSet = true
    later(untilNextSecond(now()), () => {
      isTimerSet = false
      isSecondOver = true
      flush()
    })
  }

  const addFact = (channel: ChannelId, at: number, fact: LinkReport) => gatherer(facts, channel, at).add(fact)
  const addFigure = (channel: ChannelId, at: number, fact: LinkReport) => gatherer(figures, channel, at).add(fact)

  /** Figures that a fact must not overtake become facts themselves. */
  const addFigures = (channel: ChannelId) => {
    const waiting = figures.get(channel)
    figures.delete(channel)
    for (const fact of waiting?.facts() ?? []) addFact(channel, waiting?.at ?? 0, fact)
  }

  const addChange = (channel: ChannelId, at: number, change: Change) => {
    if (movesUnits(change)) addFigures(channel)
    const fact: LinkReport = { type: 'changes.received', changes: [change] }
    if (isFigure(change)) addFigure(channel, at, fact)
    else addFact(channel, at, fact)
  }

  const addReport = (channel: ChannelId, at: number, fact: LinkReport) => {
    if (fact.type === 'changes.received') for (const change of fact.changes) addChange(channel, at, change)
    else if (fact.type === 'ping.received') addFigure(channel, at, fact)
    else {
      // Log lines come several times a second and have nothing to do with units.
      if (fact.type !== 'log.received') addFigures(channel)
      addFact(channel, at, fact)
    }
  }

  return {
    add(channel, at, reports) {
      for (const part of partsOf(reports)) {
        for (const fact of part) addReport(channel, at, fact)
        if (facts.has(channel)) flush()
      }
      if (figures.has(channel)) flushLater()
    },
    addRelay(channel, at, reports) {
      const entry = relays.get(channel)
      if (entry) entry.facts.push(...reports)
      else relays.set(channel, { at, facts: [...reports] })
      if (reports.length > 0) flush()
      else flushLater()
    },
    drop(channel) {
      facts.delete(channel)
      figures.delete(channel)
      relays.delete(channel)
      watched.delete(channel)
    },
    take() {
      ahead = 0
      isPageReady = true
      flush()
    },
    watch(channel, isWatched) {
      if (isWatched) watched.add(channel)
      else watched.delete(channel)
    },
  }
}

function isHistory({ type }: LinkReport): boolean {
  return type === 'history.received'
}

/** A long history is posted in two batches, so that the page shows the newest units while the others are on their way. */
function partsOf(facts: readonly LinkReport[]): readonly (readonly LinkReport[])[] {
  const second = facts.findIndex((fact, at) => isHistory(fact) && at > facts.findIndex(isHistory))
  return second < 0 ? [facts] : [facts.slice(0, second), facts.slice(second)]
}

type Gatherer = {
  /** When the first was received. */
  readonly at: number
  readonly add: (fact: LinkReport) => void
  readonly facts: () => readonly LinkReport[]
}

function createGatherer(at: number): Gatherer {
  const facts: LinkReport[] = []
  let run: ChangeRun | undefined

  const endRun = () => {
    if (run) facts.push({ type: 'changes.received', changes: run.changes() })
    run = undefined
  }

  return {
    at,
    add(fact) {
      if (fact.type === 'changes.received') {
        run ??= createChangeRun()
        for (const change of fact.changes) run.add(change)
      } else if (fact.type !== 'ping.received' || facts.at(-1)?.type !== 'ping.received') {
        endRun()
        facts.push(fact)
      }
    },
    facts() {
      endRun()
      return facts
    },
  }
}

type ChangeRun = {
  readonly add: (change: Change) => void
  readonly changes: () => readonly Change[]
}

/**
 * Consecutive changes of one client. A value of a unit takes the place of an earlier one, unless anything but such values
 * came in between, after which it may mean another unit.
 */
function createChangeRun(): ChangeRun {
  const changes: Change[] = []
  const indexByPath = new Map<string, number>()
  return {
    add(change) {
      const path = setsUnitValue(change) ? `${change[1]} ${change[2]}` : undefined
      const earlier = path === undefined ? undefined : indexByPath.get(path)
      if (earlier !== undefined) {
        changes[earlier] = change
        return
      }
      if (path === undefined) indexByPath.clear()
      else indexByPath.set(path, changes.length)
      changes.push(change)
    },
    changes: () => changes,
  }
}

function setsUnitValue(change: Change): change is readonly ['units', number, string, string | number | boolean] {
  const [list, unit, key, value] = change
  const isOfUnit = list === 'units' && Number(unit) >= 0 && typeof key === 'string'
  return change.length === 4 && isOfUnit && value !== null && typeof value !== 'object'
}

// Positions, molecules and log lines are transferred instead of copied.
function buffersOf(fact: LinkReport): ArrayBuffer[] {
  if (fact.type === 'frame.received') return ownBuffers([fact.positions])
  if (fact.type === 'log.received' || fact.type === 'log.tailReceived')
    return ownBuffers([fact.lines.bytes, fact.lines.ends])
  if (fact.type !== 'topology.received') return []
  const { elements, charges, radii, masses, bonds } = fact.topology
  return ownBuffers([elements, charges, radii, masses, bonds])
}

function ownBuffers(views: readonly ArrayBufferView[]): ArrayBuffer[] {
  return views.map(view => view.buffer).filter(buffer => buffer instanceof ArrayBuffer)
}
