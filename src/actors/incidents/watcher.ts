/*
 * Evaluates the rules of incidents for every client: a client whose data changed after a few seconds, any other once a
 * minute, a part at a time, so that thousands of clients do not delay the page. Reports only what changed. The server runs
 * it too.
 */
import { evaluate } from '../../folding/incidents/evaluate.ts'
import { conditionKey, type Condition } from '../../folding/incidents/incident.ts'
import { emptyMemory, type ClientMemory } from '../../folding/incidents/client-memory.ts'
import type { ClientMoment } from '../../folding/incidents/rules.ts'
import { isSameList, isSameValue } from '../../folding/shared/equal.ts'
import type {
  AttentionPreferences,
  Observation,
  WatchCommand,
  WatchFact,
  WatchInput,
} from '../../machines/incidents/incidents/incidents.events.ts'
import type { StoredMemory } from '../../folding/incidents/incident-schema.ts'

/** A client as the fleet knows it. */
export type WatchedClient = Pick<
  ClientMoment,
  'machine' | 'view' | 'connectedAt' | 'lostAt' | 'asOf' | 'isNetworkUp' | 'silentInputs'
> & {
  readonly name: string
  /** Id of the account it was reached through; undefined for a direct connection. */
  readonly owner: string | undefined
  /** Whether its data are from an earlier visit. */
  readonly isRestored: boolean
}

export type WatchDeps = {
  /** The shown clients. */
  readonly readClients: () => readonly WatchedClient[]
  /** What rules depend on besides the client. */
  readonly readSurroundings: () => Pick<ClientMoment, 'latestVersion' | 'account'>
  /** Times per frame of stored units by client, then project and hardware. */
  readonly earlierTpfs: (client: string, key: string) => readonly number[]
  /** How the last units of a client's group ended; undefined where no history is at hand. */
  readonly endsOf?: (client: string, group: string) => ReturnType<NonNullable<ClientMoment['endsOf']>>
  /** What was remembered of clients, by id. Never rejects. */
  readonly readMemories: () => Promise<ReadonlyMap<string, StoredMemory>>
  /** Adds to what is remembered. Never rejects. */
  readonly writeMemories: (memories: ReadonlyMap<string, StoredMemory>) => Promise<void>
  /** Epoch milliseconds, corrected. */
  readonly now: () => number
  /** Milliseconds for measuring work. */
  readonly elapsed: () => number
  /** Runs a look at the clients apart from other work that is due; without it, at once. */
  readonly inOwnTurn?: (look: () => void) => void
}

/** Milliseconds between looks at the clients. */
const STEP = 1000
/** A client whose data changed is evaluated after this. Milliseconds. */
const CHANGED = 3000
/** A client whose data did not change is evaluated after this, since time passes. Milliseconds. */
const UNCHANGED = 60_000
/** Milliseconds of work at a time. */
const BUDGET = 6
/** A step that is later than this means that the computer slept, or the browser stopped the page. Milliseconds. */
const SLEEP_GAP = 150_000
/** Milliseconds between two writes of what is remembered of a client, and clients of which it is written in one step. */
const WRITE = 60_000
const WRITTEN_AT_ONCE = 250
/** Changed values of a condition are reported this often. Milliseconds. */
const NEWS = 60_000
/** Clients that are not listed after this are gone; until then the account may still be loading. Milliseconds. */
const LISTED = 120_000

type Watched = {
  memory: ClientMemory
  owner: string | undefined
  evaluatedAt: number
  /** The data and the connection that were evaluated. */
  evaluated: readonly unknown[]
  reported: Map<string, { readonly condition: Condition; readonly at: number }>
  waits: readonly string[]
  /** Whether something may be over, which is known soon. */
  isSettling: boolean
  /** Since when the network to it works. */
  upSince: number | undefined
}

export function startWatching(
  deps: WatchDeps,
  input: WatchInput,
  report: (fact: WatchFact) => void,
): { readonly accept: (command: WatchCommand) => void; readonly stop: () => void } {
  const { now, elapsed, inOwnTurn = run => run() } = deps
  let preferences: AttentionPreferences = input.preferences
  const watched = new Map<string, Watched>()
  /** Clients that may leave: those that have incidents, and those that were seen. */
  const tracked = new Set(input.machines)
  const unsaved = new Set<string>()
  const beganAt = now()
  let watchedSince = beganAt
  let last = beganAt
  let tickedAt = beganAt
  let writtenAt = beganAt
  let unwritten: string[] = []
  let memories: ReadonlyMap<string, StoredMemory> = new Map()
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasStopped = false

  const watchedOf = ({ machine: client, owner }: WatchedClient, at: number): Watched => {
    const before = watched.get(client)
    if (before !== undefined) {
      if (owner === undefined) before.owner = undefined
      return before
    }
    const stored = memories.get(client)
    const started: Watched = {
      memory: stored?.memory ?? emptyMemory(at),
      owner: stored !== undefined && stored.owner === undefined ? undefined : owner,
      evaluatedAt: 0,
      evaluated: [],
      reported: new Map(),
      waits: [],
      upSince: undefined,
      isSettling: false,
    }
    watched.set(client, started)
    tracked.add(client)
    return started
  }

  const isDue = (client: WatchedClient, state: Watched, at: number): boolean => {
    const age = at - state.evaluatedAt
    return (
      age >= (state.isSettling ? CHANGED : UNCHANGED) ||
      age < 0 ||
      (age >= CHANGED && !isSameList(state.evaluated, basisOf(client)))
    )
  }

  const evaluateOne = (client: WatchedClient, state: Watched, at: number): Observation | undefined => {
    const { view, isRestored, isNetworkUp } = client
    state.upSince = isNetworkUp ? Math.min(state.upSince ?? at, at) : undefined
    const { memory, present, waits, gone, isSettling } = evaluate(
      {
        ...client,
        ...deps.readSurroundings(),
        view: isRestored ? { ...view, isConnected: false } : view,
        memory: state.memory,
        now: at,
        watchedSince: Math.max(watchedSince, state.upSince ?? 0),
        earlierTpfs: key => deps.earlierTpfs(client.machine, key),
        endsOf: group => deps.endsOf?.(client.machine, group) ?? [],
      },
      preferences,
    )
    state.memory = memory
    state.isSettling = isSettling
    state.evaluatedAt = at
    state.evaluated = basisOf(client)
    unsaved.add(client.machine)
    const added = present.filter(condition => {
      const before = state.reported.get(conditionKey(condition))
      return before === undefined || (at - before.at >= NEWS && !isSameValue(before.condition, condition))
    })
    const waitKeys = waits.map(({ subject }) => subject)
    const hasOtherWaits = !isSameList(waitKeys, state.waits)
    for (const condition of added) state.reported.set(conditionKey(condition), { condition, at })
    for (const key of gone) state.reported.delete(key)
    state.waits = waitKeys
    if (added.length === 0 && gone.length === 0 && !hasOtherWaits) return undefined
    return { machine: client.machine, name: client.name, owner: state.owner, present: added, gone, waits }
  }

  const reportLeft = (listed: ReadonlySet<string>, at: number): void => {
    const left = [...tracked].filter(client => !listed.has(client) && (watched.has(client) || at - beganAt >= LISTED))
    if (left.length === 0) return
    for (const client of left) {
      tracked.delete(client)
      watched.delete(client)
      unsaved.delete(client)
    }
    report({ type: 'watch.machinesLeft', at, machines: left })
  }

  const write = (clients: readonly string[]): void => {
    const changed = clients.flatMap(client => {
      unsaved.delete(client)
      const state = watched.get(client)
      return state === undefined ? [] : [[client, { owner: state.owner, memory: state.memory }] as const]
    })
    void deps.writeMemories(new Map(changed))
  }

  const step = (): void => {
    if (hasStopped) return
    const at = now()
    if (at - last > SLEEP_GAP || at < last) watchedSince = at
    // Where the clock was set back.
    ;[tickedAt, writtenAt] = [Math.min(tickedAt, at), Math.min(writtenAt, at)]
    last = at
    const clients = deps.readClients()
    // The longest not evaluated first, so that each has its turn.
    const due = clients
      .map(client => [client, watchedOf(client, at)] as const)
      .filter(([client, state]) => isDue(client, state, at))
      .sort(([, a], [, b]) => a.evaluatedAt - b.evaluatedAt)
    const observations: Observation[] = []
    const began = elapsed()
    for (const [client, state] of due) {
      const observation = evaluateOne(client, state, at)
      if (observation !== undefined) observations.push(observation)
      if (elapsed() - began > BUDGET) break
    }
    if (observations.length > 0) {
      // Before the incidents: a reported condition that is not stored would never be found to be over.
      write(observations.map(({ machine: client }) => client))
      report({ type: 'watch.observed', at, observations })
    }
    if (at - tickedAt >= 60_000) {
      tickedAt = at
      reportLeft(new Set(clients.map(({ machine: client }) => client)), at)
      report({ type: 'watch.ticked', at })
    }
    if (at - writtenAt >= WRITE) {
      writtenAt = at
      unwritten = [...unsaved]
    }
    if (unwritten.length > 0) write(unwritten.splice(0, WRITTEN_AT_ONCE))
    timer = setTimeout(() => inOwnTurn(step), STEP)
  }

  void deps.readMemories().then(stored => {
    memories = stored
    step()
  })

  return {
    accept: command => {
      if (command.type === 'watch.configure') {
        ;({ preferences } = command)
        for (const state of watched.values()) state.evaluatedAt = 0
        return
      }
      const isOther = ({ owner }: { readonly owner?: string | undefined }): boolean =>
        owner !== undefined && owner !== command.account
      memories = new Map([...memories].filter(([, memory]) => !isOther(memory)))
      for (const [client, state] of watched) {
        if (!isOther(state)) continue
        watched.delete(client)
        tracked.delete(client)
        unsaved.delete(client)
      }
    },
    stop: () => {
      hasStopped = true
      clearTimeout(timer)
      write([...unsaved])
    },
  }
}

function basisOf({ view, connectedAt, isNetworkUp, name }: WatchedClient): readonly unknown[] {
  return [view.data, view.excess, connectedAt, isNetworkUp, name]
}
