import type { Change } from '../../protocol/changes.ts'
import { HIDDEN_MACHINE_STEPS, STEP } from '../pacing.ts'
import type { Batch, ChannelId, HubDeps, LinkReport, RelayReport } from './hub.types.ts'

export type Outbox = {
  readonly add: (channel: ChannelId, at: number, facts: readonly LinkReport[]) => void
  readonly addRelay: (channel: ChannelId, at: number, facts: readonly RelayReport[]) => void
  /** Discards all of a closed channel. */
  readonly drop: (channel: ChannelId) => void
  /** The page is ready for the next batch. */
  readonly take: () => void
  /** Whether the channel is visible on the page, so that its changes are posted at once. */
  readonly watch: (channel: ChannelId, isWatched: boolean) => void
}

/**
 * Gathers facts by channel. A batch is posted only when the page has taken the one before. Changes of channels that are
 * not visible wait for a second, which makes one update a second of a machine's usual three.
 */
export const createOutbox = ({ post, later }: Pick<HubDeps, 'post' | 'later'>): Outbox => {
  const links = new Map<ChannelId, LinkGatherer>()
  let relays = new Map<ChannelId, { at: number; facts: RelayReport[] }>()
  const watched = new Set<ChannelId>()
  const urgent = new Set<ChannelId>()
  let isPageReady = true
  let step = 0
  let isStepping = false

  const flush = () => {
    if (!isPageReady || urgent.size === 0) return
    isPageReady = false
    const taken = [...links].filter(([channel]) => urgent.has(channel))
    const batch: Batch = {
      links: taken.map(([channel, { at, facts: factsOf }]) => {
        const facts = factsOf()
        return { channel, at, facts, isWatched: watched.has(channel) || facts.some(isHistory) }
      }),
      relays: [...relays].map(([channel, entry]) => ({ channel, ...entry })),
    }
    for (const [channel] of taken) links.delete(channel)
    relays = new Map()
    urgent.clear()
    post(
      batch,
      batch.links.flatMap(({ facts }) => facts.flatMap(buffersOf)),
    )
  }

  const keepStepping = () => {
    if (isStepping) return
    isStepping = true
    later(STEP, () => {
      isStepping = false
      step += 1
      for (const [channel, { due }] of links) if (due <= step) urgent.add(channel)
      for (const channel of relays.keys()) urgent.add(channel)
      flush()
      if (links.size > 0 || relays.size > 0) keepStepping()
    })
  }

  const schedule = (channel: ChannelId, cannotWait: boolean) => {
    if (cannotWait) {
      urgent.add(channel)
      flush()
    } else keepStepping()
  }

  return {
    add(channel, at, facts) {
      for (const part of partsOf(facts)) {
        let gatherer = links.get(channel)
        if (!gatherer) links.set(channel, (gatherer = createGatherer(at, step + HIDDEN_MACHINE_STEPS)))
        for (const fact of part) gatherer.add(fact)
        schedule(channel, watched.has(channel) || part.some(({ type }) => type !== 'changes.received'))
      }
    },
    addRelay(channel, at, facts) {
      const entry = relays.get(channel)
      if (entry) entry.facts.push(...facts)
      else relays.set(channel, { at, facts: [...facts] })
      schedule(channel, facts.length > 0)
    },
    drop(channel) {
      links.delete(channel)
      relays.delete(channel)
      watched.delete(channel)
      urgent.delete(channel)
    },
    take() {
      isPageReady = true
      flush()
    },
    watch(channel, isWatched) {
      if (isWatched) watched.add(channel)
      else watched.delete(channel)
      if (isWatched && links.has(channel)) schedule(channel, true)
    },
  }
}

const isHistory = ({ type }: LinkReport): boolean => type === 'history.received'

/** A long history is posted in two batches, so that the page shows the newest units while the others are on their way. */
const partsOf = (facts: readonly LinkReport[]): readonly (readonly LinkReport[])[] => {
  const second = facts.findIndex((fact, at) => isHistory(fact) && at > facts.findIndex(isHistory))
  return second < 0 ? [facts] : [facts.slice(0, second), facts.slice(second)]
}

type LinkGatherer = {
  readonly at: number
  /** The step at which it is posted. */
  readonly due: number
  readonly add: (fact: LinkReport) => void
  readonly facts: () => readonly LinkReport[]
}

const createGatherer = (at: number, due: number): LinkGatherer => {
  const facts: LinkReport[] = []
  let run: ChangeRun | undefined

  const endRun = () => {
    if (run) facts.push({ type: 'changes.received', changes: run.changes() })
    run = undefined
  }

  return {
    at,
    due,
    add(fact) {
      if (fact.type === 'changes.received') {
        run ??= createChangeRun()
        for (const change of fact.changes) run.add(change)
        return
      }
      const isRepeatedPing = fact.type === 'ping.received' && !run && facts.at(-1)?.type === 'ping.received'
      endRun()
      if (!isRepeatedPing) facts.push(fact)
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
 * Consecutive changes of one client. A change that sets the same path as an earlier one replaces it, unless a list
 * changed in between, after which an index may mean another element.
 */
const createChangeRun = (): ChangeRun => {
  const changes: (Change | undefined)[] = []
  const indexByPath = new Map<string, number>()
  return {
    add(change) {
      if (typeof change.at(-2) === 'number') indexByPath.clear()
      // Setting a key creates its parents, removing it does not, so neither replaces the other.
      else if (change.at(-1) !== null) {
        const path = JSON.stringify(change.slice(0, -1))
        const earlier = indexByPath.get(path)
        if (earlier !== undefined) changes[earlier] = undefined
        indexByPath.set(path, changes.length)
      }
      changes.push(change)
    },
    changes: () => changes.filter(change => change !== undefined),
  }
}

// Positions, molecules and log lines are transferred instead of copied.
const buffersOf = (fact: LinkReport): ArrayBuffer[] => {
  if (fact.type === 'frame.received') return ownBuffers([fact.positions])
  if (fact.type === 'log.received' || fact.type === 'log.tailReceived')
    return ownBuffers([fact.lines.bytes, fact.lines.ends])
  if (fact.type !== 'topology.received') return []
  const { elements, charges, radii, masses, bonds } = fact.topology
  return ownBuffers([elements, charges, radii, masses, bonds])
}

const ownBuffers = (views: readonly ArrayBufferView[]): ArrayBuffer[] =>
  views.map(view => view.buffer).filter(buffer => buffer instanceof ArrayBuffer)
