import type { Change } from '../../protocol/changes.ts'
import type { Batch, Channel, HubDeps, LinkFact, RelayFact } from './hub.types.ts'

/** How long a change that nobody looks at may wait, in steps that spread a thousand machines evenly. */
const STEP = 50
const STEPS = 20

export type Outbox = {
  readonly tell: (channel: Channel, at: number, facts: readonly LinkFact[]) => void
  readonly tellRelay: (channel: Channel, at: number, facts: readonly RelayFact[]) => void
  /** Nobody listens to this channel any more. */
  readonly drop: (channel: Channel) => void
  readonly take: () => void
  /** Whether somebody looks at what this channel says, so that its news cannot wait. */
  readonly watch: (channel: Channel, isWatched: boolean) => void
}

/**
 * Gathers facts channel by channel. One batch is on its way at a time: the next waits until that one was taken. A
 * change that nobody looks at waits for a second, so that a thousand machines cost a thousand updates a second and not
 * three times as many.
 */
export const createOutbox = ({ post, later }: Pick<HubDeps, 'post' | 'later'>): Outbox => {
  const links = new Map<Channel, LinkGatherer>()
  let relays = new Map<Channel, { at: number; facts: RelayFact[] }>()
  const watched = new Set<Channel>()
  const urgent = new Set<Channel>()
  let isAwaited = true
  let step = 0
  let isStepping = false

  const flush = () => {
    if (!isAwaited || urgent.size === 0) return
    isAwaited = false
    const taken = [...links].filter(([channel]) => urgent.has(channel))
    const batch: Batch = {
      links: taken.map(([channel, { at, facts }]) => ({
        channel,
        at,
        facts: facts(),
        isWatched: watched.has(channel),
      })),
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

  const flushInTime = (channel: Channel, cannotWait: boolean) => {
    if (cannotWait) {
      urgent.add(channel)
      flush()
    } else keepStepping()
  }

  return {
    tell(channel, at, facts) {
      let gatherer = links.get(channel)
      if (!gatherer) links.set(channel, (gatherer = createGatherer(at, step + STEPS)))
      for (const fact of facts) gatherer.add(fact)
      flushInTime(channel, watched.has(channel) || facts.some(({ type }) => type !== 'changes.received'))
    },
    tellRelay(channel, at, facts) {
      const entry = relays.get(channel)
      if (entry) entry.facts.push(...facts)
      else relays.set(channel, { at, facts: [...facts] })
      flushInTime(channel, facts.length > 0)
    },
    drop(channel) {
      links.delete(channel)
      relays.delete(channel)
      watched.delete(channel)
      urgent.delete(channel)
    },
    take() {
      isAwaited = true
      flush()
    },
    watch(channel, isWatched) {
      if (isWatched) watched.add(channel)
      else watched.delete(channel)
      if (isWatched && links.has(channel)) flushInTime(channel, true)
    },
  }
}

type LinkGatherer = {
  readonly at: number
  /** The step at which it has waited long enough. */
  readonly due: number
  readonly add: (fact: LinkFact) => void
  readonly facts: () => readonly LinkFact[]
}

const createGatherer = (at: number, due: number): LinkGatherer => {
  const facts: LinkFact[] = []
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
      const isPingAgain = fact.type === 'ping.received' && !run && facts.at(-1)?.type === 'ping.received'
      endRun()
      if (!isPingAgain) facts.push(fact)
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
 * Consecutive changes of one client. One that sets a place which an earlier one has set makes that one needless, as
 * long as no list has gained, lost or replaced an element in between: then an index may mean something else.
 */
const createChangeRun = (): ChangeRun => {
  const changes: (Change | undefined)[] = []
  const places = new Map<string, number>()
  return {
    add(change) {
      if (typeof change.at(-2) === 'number') places.clear()
      // Removing a key does not make its parents, setting it does: the two do not replace each other.
      else if (change.at(-1) !== null) {
        const place = JSON.stringify(change.slice(0, -1))
        const earlier = places.get(place)
        if (earlier !== undefined) changes[earlier] = undefined
        places.set(place, changes.length)
      }
      changes.push(change)
    },
    changes: () => changes.filter(change => change !== undefined),
  }
}

// Positions, molecules and lines move to the page instead of being copied.
const buffersOf = (fact: LinkFact): ArrayBuffer[] => {
  if (fact.type === 'frame.received') return ownBuffers([fact.positions])
  if (fact.type === 'log.received') return ownBuffers([fact.lines.bytes, fact.lines.ends])
  if (fact.type !== 'topology.received') return []
  const { elements, charges, radii, masses, bonds } = fact.topology
  return ownBuffers([elements, charges, radii, masses, bonds])
}

const ownBuffers = (views: readonly ArrayBufferView[]): ArrayBuffer[] =>
  views.map(view => view.buffer).filter(buffer => buffer instanceof ArrayBuffer)
