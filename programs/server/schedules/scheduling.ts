import { createHash } from 'node:crypto'
import { createActor, fromCallback, fromPromise } from 'xstate'
import { failedText, groupNameOf, groupsOf, groupState } from '../../../src/folding/client/group.ts'
import { isOldState } from '../../../src/folding/client/old-state.ts'
import { choiceText } from '../../../src/folding/schedule/schedule-text.ts'
import {
  nextConditions,
  silentInputs,
  type Circumstances,
  type SilentInput,
} from '../../../src/folding/schedule/conditions.ts'
import { decide } from '../../../src/folding/schedule/decide.ts'
import {
  inputsOf,
  isInTime,
  isPart,
  isTargetOf,
  isTimeRule,
  schedulesOf,
  subjectKey,
  type Schedule,
  type Subject,
} from '../../../src/folding/schedule/schedule.ts'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import type { FoldingState } from '../../../src/protocol/client/commands.ts'
import type { Outcome } from '../gateway/pacer.ts'
import type { StateRequest, StateSent } from '../machines/schedule/schedule.events.ts'
import { scheduleMachine } from '../machines/schedule/schedule.machine.ts'
import type {
  KeptSchedules,
  ObservedGroup,
  ObservedClient,
  PowerNews,
  ScheduledClient,
  ScheduleStoreCommand,
} from '../machines/schedules/schedules.events.ts'
import {
  isTooMuch,
  isWithin,
  plannedSaves,
  schedulesMachine,
  type SchedulesSnapshot,
} from '../machines/schedules/schedules.machine.ts'
import {
  selectPausedGroups,
  selectPending,
  selectSubjects,
  type PendingChange,
  type SubjectState,
} from '../machines/schedules/schedules.selectors.ts'
import { firstEnd, partSeen } from '../../../src/folding/schedule/parts.ts'
import { groupFetches, usualLengths, type Fetch, type IdleTime } from '../../../src/folding/fleet/idle-time.ts'
import type { ProcessorNote } from '../../../src/folding/client/processor-notes.ts'
import { createKeeper } from '../store/keeper.ts'
import { createPauses, every, pauseForMessages } from '../event-loop.ts'
import { partsOf } from '../store/rows.ts'
import { MOST_INPUTS, type KeptSubject } from '../store/schedule-store.ts'
import type { ServerStore } from '../store/store.ts'
import { stopChildren } from '../timers-by-actor.ts'

/** A client as schedules see it. */
export type WatchedClient = {
  readonly address: string
  readonly label: string
  readonly id?: string | undefined
  readonly isConnected: boolean
  readonly data: ClientData | undefined
  /** As of when they are; undefined: they are current. */
  readonly asOf: number | undefined
}

export type SchedulingDeps = {
  readonly store: Pick<ServerStore, 'schedules' | 'addAction' | 'units'>
  readonly kept: KeptSchedules
  readonly machines: readonly ScheduledClient[]
  readonly watched: () => readonly WatchedClient[]
  /** What is known of power for these schedules, and what loads more of it when they change. */
  readonly power: {
    readonly news: (schedules: readonly Schedule[]) => PowerNews
    readonly follow: (schedules: readonly Schedule[]) => Promise<void>
  }
  /** Sends a state to a client, to one group or to all, and records it. */
  readonly send: (subject: Subject, state: FoldingState, who: string, reason: string) => Promise<Outcome | 'forbidden'>
  /** What is noted of GPUs and CPUs of a client, by its own id. */
  readonly notes: (id: string | undefined) => readonly ProcessorNote[]
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Something that `overview` returns has changed; at most once a second. */
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

export type Overview = Pick<SchedulesSnapshot['context'], 'schedules' | 'inputs' | 'conditions' | 'power'> & {
  /** Changes with the schedules. */
  readonly revision: string
  readonly subjects: readonly SubjectState[]
  /** The groups of each client, by its address, that schedules paused and resume. */
  readonly paused: ReadonlyMap<string, readonly string[]>
  /** How long units of clients usually take, by their addresses, where they shall be idle by a time. */
  readonly lengths: Lengths
}

export type Scheduling = {
  /** Changes with the schedules. */
  readonly revision: () => string
  readonly overview: () => Overview
  /**
   * Resolves when stored. `conflict`: the schedules were changed since `revision`. `too-much`: they name more machines and
   * groups together than are decided by themselves.
   */
  readonly replace: (revision: string, schedules: readonly Schedule[]) => Promise<'saved' | 'conflict' | 'too-much'>
  /** The last value of an input. */
  readonly input: (name: string) => number | undefined
  /** Resolves when stored. `full`: there are too many inputs. */
  readonly receiveInput: (name: string, value: number) => Promise<'received' | 'full'>
  /** Resolves with whether there was one of this name. */
  readonly removeInput: (name: string) => Promise<boolean>
  /** `until`: epoch milliseconds; undefined for the next boundary. Resolves when stored. */
  readonly override: (subject: Subject, state: FoldingState, until: number | undefined, by: string) => Promise<void>
  /** Whether a schedule decides for the client or group. Resolves when stored. */
  readonly follow: (subject: Subject) => Promise<boolean>
  /** Clients that are known now, when they change: those of an account are listed after the start. */
  readonly setClients: (clients: readonly ScheduledClient[]) => void
  /** Prices, what machines draw, or what they have used changed. */
  readonly observePower: () => void
  /** Whether a rule depends on an input. */
  readonly uses: (input: string) => boolean
  /** The inputs and prices that schedules of a client wait for. */
  readonly silent: (address: string) => readonly SilentInput[]
  /** What waits for clients that are not connected, and what is being sent: decisions by their addresses. */
  readonly pending: () => readonly PendingChange[]
  /** A person changed the state in another way: that wins until the next boundary. */
  readonly personChanged: (subject: Subject, state: FoldingState, by: string) => void
  readonly stop: () => Promise<void>
}

type Lengths = ReadonlyMap<string, LearnedLengths>
type LearnedLengths = { readonly at: number; readonly usual: IdleTime['lengths'] }

const TICK_MS = 1000
const LEARN_MS = 30_000
const KNOWN_FOR_MS = 3_600_000
/** Ended units of a client that are looked at. */
const MOST_ENDED = 500
/** Clients that are looked at once. */
const LOOKED_AT = 200
/** States of clients and groups, and missed boundaries, that wait for the database. */
const MOST_KEPT = 50_000
/** The end of a unit is an estimate, and need not be reported more exactly. */
const END_PRECISION_MS = 60_000

/** Keeps clients in the states of the schedules, on the disk and on the clock of this computer. */
export function createScheduling(deps: SchedulingDeps): Scheduling {
  const { store, now, onError } = deps
  let [isChanged, isStopped] = [false, false]
  /** What a person asks for is stored first, `inTurn`: what cannot be stored is not done. What was decided is kept. */
  const keeper = createKeeper({ onError, most: MOST_KEPT })
  const { inTurn } = keeper
  let missed = 0
  const lengths = new Map<string, LearnedLengths>()
  const silences = new WeakMap<
    readonly Schedule[],
    { readonly context: object; readonly second: number; readonly silent: readonly SilentInput[] }
  >()
  const partsNamed = (): readonly string[] => {
    const { schedules } = actor.getSnapshot().context
    return [...new Set(schedules.flatMap(({ targets }) => targets.map(({ group }) => group)))].filter(isPart)
  }
  /** Written together, a part at a time: a new schedule is one of thousands of machines. */
  const unsaved = new Map<string, KeptSubject>()
  const saveSubjects = async (): Promise<void> => {
    const [part = []] = partsOf([...unsaved])
    await store.schedules.saveSubjects(part.map(([, state]) => state))
    for (const [key, state] of part) if (unsaved.get(key) === state) unsaved.delete(key)
    if (unsaved.size > 0) void keeper.keep('subjects', saveSubjects)
  }
  const keepStored = (command: ScheduleStoreCommand): Promise<void> => {
    switch (command.type) {
      case 'store.saveSubject':
      case 'store.forgetSubject':
        unsaved.set(subjectKey(command.subject), command)
        return keeper.keep('subjects', saveSubjects)
      case 'store.saveProgress':
        return keeper.keep('progress', () => store.schedules.saveProgress(command.at, command.conditions))
      case 'store.reportMissed':
        return keeper.keep(`missed ${missed++}`, () => keepMissed(deps, command))
    }
  }

  const actor = createActor(
    schedulesMachine.provide({
      actors: {
        schedule: scheduleMachine.provide({
          actors: {
            sendState: fromPromise<StateSent, StateRequest>(async ({ input }) => {
              // A server that starts after this one must not take a pause for a person's.
              await pauseForMessages()
              await keeper.tried()
              return { key: input.key, state: input.state, isConfirmed: await sendTo(deps, input) }
            }),
          },
        }),
        scheduleClock: fromCallback(({ sendBack }) => {
          return every(TICK_MS, () => sendBack({ type: 'clock.ticked', at: now() }))
        }),
        machineWatch: fromCallback(({ sendBack }) =>
          watchClients(
            deps,
            partsNamed,
            address => lengths.get(address)?.usual,
            clients => sendBack({ type: 'machines.observed', machines: clients }),
          ),
        ),
        scheduleStore: fromCallback<ScheduleStoreCommand, undefined>(({ receive }) => {
          receive(command => void keepStored(command))
        }),
      },
    }),
    {
      input: { machines: deps.machines, kept: deps.kept, power: deps.power.news(deps.kept.schedules) },
      inspect: event => {
        if (event.type === '@xstate.snapshot' && isOfSchedules(event.actorRef)) isChanged = true
      },
    },
  )
  const learnLengths = async (): Promise<void> => {
    const { schedules, machines } = actor.getSnapshot().context
    const isWanted = (address: string): boolean => {
      const client = machines[address]
      return client !== undefined && schedules.some(schedule => isIdleOf(schedule, client))
    }
    for (const { address, id, data } of deps.watched()) {
      const isKnown = now() - (lengths.get(address)?.at ?? 0) < KNOWN_FOR_MS
      if (id === undefined || data === undefined || isKnown || !isWanted(address)) continue
      await pauseForMessages()
      if (isStopped) return
      const { units } = await store.units({ machine: id }, MOST_ENDED)
      const ended = units.map(({ resource: resources, result, run_time, ended: at }) => ({
        machine: id,
        unit: { resources, result, run_time: run_time ?? 0, end_time: new Date(at).toISOString() },
      }))
      const usual = usualLengths(ended, id, data.info).map(({ hardware, long }) => [hardware, long] as const)
      lengths.set(address, { at: now(), usual: Object.fromEntries(usual) })
    }
  }
  const learn = (): Promise<void> => learnLengths().catch(onError)
  const stopLearning = every(LEARN_MS, learn)
  actor.subscribe({ error: onError })
  actor.start()
  void learn()
  const stopReporting = every(TICK_MS, () => {
    if (!isChanged) return
    isChanged = false
    deps.onChange()
  })

  const revision = (): string =>
    createHash('sha256').update(JSON.stringify(actor.getSnapshot().context.schedules)).digest('hex').slice(0, 16)
  /** Stores what an event will keep, and sends it. */
  const sendStored = (event: Parameters<typeof plannedSaves>[1]): Promise<void> =>
    inTurn(async () => {
      await store.schedules.saveSubjects(plannedSaves(actor.getSnapshot(), event))
      actor.send(event)
    })

  return {
    revision,
    overview: () => {
      const snapshot = actor.getSnapshot()
      const { schedules, inputs, conditions, power } = snapshot.context
      return {
        ...{ schedules, inputs, conditions, power, revision: revision() },
        ...{ subjects: selectSubjects(snapshot), paused: selectPausedGroups(snapshot), lengths },
      }
    },
    replace: (before, schedules) =>
      inTurn(async () => {
        if (before !== revision()) return 'conflict'
        await pauseForMessages()
        if (isTooMuch(actor.getSnapshot(), schedules)) return 'too-much'
        await deps.power.follow(schedules)
        await pauseForMessages()
        const power = deps.power.news(schedules)
        await computeSpans(schedules, { ...actor.getSnapshot().context, ...power })
        // Last of what may fail: what is stored is what applies.
        await store.schedules.replace(schedules)
        await pauseForMessages()
        actor.send({ type: 'schedules.changed', at: now(), schedules, power })
        void learn()
        return 'saved'
      }),
    input: name => {
      const { inputs } = actor.getSnapshot().context
      return Object.hasOwn(inputs, name) ? inputs[name]?.value : undefined
    },
    receiveInput: (name, value) =>
      inTurn(async () => {
        const at = now()
        const { inputs } = actor.getSnapshot().context
        if (!Object.hasOwn(inputs, name) && Object.keys(inputs).length >= MOST_INPUTS) return 'full'
        await store.schedules.saveInput(name, value, at)
        actor.send({ type: 'input.received', at, name, value })
        return 'received'
      }),
    removeInput: name =>
      inTurn(async () => {
        if (!Object.hasOwn(actor.getSnapshot().context.inputs, name)) return false
        await store.schedules.removeInput(name)
        actor.send({ type: 'input.removed', at: now(), name })
        return true
      }),
    override: (subject, state, until, by) =>
      sendStored({ type: 'schedules.override', at: now(), subject, state, until, by, isImplicit: false }),
    follow: async subject => {
      await sendStored({ type: 'schedules.follow', at: now(), subject })
      return selectSubjects(actor.getSnapshot()).some(
        ({ subject: memberSubject, decision }) => isWithin(memberSubject, subject) && decision.schedule !== undefined,
      )
    },
    setClients: clients => actor.send({ type: 'machines.listed', at: now(), machines: clients }),
    observePower: () => {
      if (isStopped) return
      const { schedules } = actor.getSnapshot().context
      actor.send({ type: 'power.observed', at: now(), power: deps.power.news(schedules) })
    },
    uses: name => inputsOf(actor.getSnapshot().context.schedules).includes(name),
    silent: address => {
      const { context } = actor.getSnapshot()
      const client = context.machines[address]
      if (client === undefined || !context.schedules.some(hasConditions)) return []
      const followed = schedulesOf(context.schedules, { machine: address }, client)
      // Many machines follow the same schedules.
      const second = Math.floor(now() / 1000)
      const known = silences.get(followed)
      if (known?.context === context && known.second === second) return known.silent
      const silent = silentInputs(followed, { inputs: context.inputs, ...context.power }, now())
      silences.set(followed, { context, second, silent })
      return silent
    },
    pending: () => selectPending(actor.getSnapshot()),
    personChanged: (subject, state, by) =>
      actor.send({ type: 'schedules.override', at: now(), subject, state, until: undefined, by, isImplicit: true }),
    stop: async () => {
      isStopped = true
      stopReporting()
      stopLearning()
      stopChildren(actor)
      actor.stop()
      await keeper.stop()
    },
  }
}

/**
 * When rules apply is remembered with them. It is computed here, one schedule after another, so that deciding by all of them
 * stops nothing else.
 */
async function computeSpans(
  schedules: readonly Schedule[],
  circumstances: Circumstances & { readonly at: number },
): Promise<void> {
  const pause = createPauses()
  for (const schedule of schedules) {
    const { at } = circumstances
    const conditions = nextConditions([schedule], {}, circumstances, at)
    await pause()
    decide([schedule], conditions, at)
    await pause()
  }
}

function hasConditions({ isEnabled, rules }: Schedule): boolean {
  return isEnabled && rules.some(rule => !isTimeRule(rule))
}

function isOfSchedules(actor: object): boolean {
  return 'id' in actor && String(actor.id).startsWith('schedule')
}

/** All groups that are not decided by themselves at once, else one after another. */
async function sendTo(
  { send, watched }: SchedulingDeps,
  { subject, otherGroups, state, who, reason }: StateRequest,
): Promise<boolean> {
  const data = watched().find(({ address }) => address === subject.machine)?.data
  const subjects =
    otherGroups.length === 0 || isPart(subject.group)
      ? [subject]
      : Object.keys(groupsOf(data))
          .filter(group => !otherGroups.includes(group))
          .map(group => ({ ...subject, group }))
  const outcomes = await Promise.all(subjects.map(each => send(each, state, who, reason)))
  return outcomes.every(outcome => outcome === 'confirmed')
}

async function keepMissed(
  { store, watched, now }: SchedulingDeps,
  { missed, schedules }: Extract<ScheduleStoreCommand, { type: 'store.reportMissed' }>,
): Promise<void> {
  const { subject, segment, because } = missed
  const action = {
    at: now(),
    who: 'schedules',
    machine: watched().find(({ address }) => address === subject.machine)?.label ?? subject.machine,
    command: `${segment.state ?? ''}${subject.group === undefined ? '' : `, group "${subject.group}"`}`,
    reason: `${choiceText(segment, schedules) ?? ''}, ${timeText(segment.begin)} to ${timeText(segment.end)}`,
  }
  await store.addAction(action, MISSED[because])
}

const MISSED = {
  server: 'missed: the server did not run',
  disconnected: 'missed: the machine was not connected',
  outdated: 'missed: what was known of the machine was too old',
  ignored: 'missed: the machine did not obey',
} as const

function timeText(at: number): string {
  return at <= 0 ? 'before' : new Date(at).toISOString()
}

function watchClients(
  { watched, notes, now }: SchedulingDeps,
  partsNamed: () => readonly string[],
  lengthsOf: (address: string) => IdleTime['lengths'] | undefined,
  report: (clients: readonly ObservedClient[]) => void,
): () => void {
  const lastStates = new Map<string, { readonly data: ClientData | undefined; readonly text: string }>()
  const lookAt = (clients: readonly WatchedClient[]): void => {
    const changed: ObservedClient[] = []
    const parts = partsNamed()
    for (const { id, address, isConnected, data, asOf } of clients) {
      const before = lastStates.get(address)
      const isOld = isOldState({ isConnected, asOf }, now())
      const noted = parts.length === 0 ? NO_NOTES : notes(id)
      const usual = lengthsOf(address)
      const state = `${String(isConnected)} ${String(isOld)} ${parts.join(' ')} ${JSON.stringify([noted, usual])}`
      if (before?.data === data && before?.text.startsWith(state) === true) continue
      const client = {
        address,
        isConnected,
        isOld,
        groups: { ...groupsSeen(data, asOf ?? now(), usual), ...partsSeen(data, noted, parts, asOf ?? now(), usual) },
      }
      const text = `${state} ${JSON.stringify(client.groups)}`
      lastStates.set(address, { data, text })
      if (before?.text !== text) changed.push(client)
    }
    if (changed.length > 0) report(changed)
  }
  let isStopped = false
  const stop = every(TICK_MS, async () => {
    for (const part of partsOf(watched(), LOOKED_AT)) {
      if (isStopped) return
      lookAt(part)
      await pauseForMessages()
    }
  })
  return () => {
    isStopped = true
    stop()
  }
}

const NO_NOTES: readonly ProcessorNote[] = []

/** GPUs and CPUs that schedules name, as groups. */
function partsSeen(
  data: ClientData | undefined,
  notes: readonly ProcessorNote[],
  parts: readonly string[],
  at: number,
  lengths: IdleTime['lengths'] | undefined,
): Readonly<Record<string, ObservedGroup>> {
  if (data === undefined) return {}
  return Object.fromEntries(
    parts.flatMap(part => {
      const seen = partSeen(data, notes, part, at, lengths)
      if (seen === undefined) return []
      const { fetches, ...others } = seen
      return [[part, { ...others, endsAt: roughly(seen.endsAt), ...roughFetches(fetches) }] as const]
    }),
  )
}

function roughly(at: number | undefined): number | undefined {
  return at === undefined ? undefined : Math.ceil(at / END_PRECISION_MS) * END_PRECISION_MS
}

function roughFetches(fetches: readonly Fetch[] | undefined): { readonly fetches?: readonly Fetch[] } {
  const rough = ({ at, lasts }: Fetch): Fetch => ({ at: roughly(at) ?? 0, lasts: roughly(lasts) ?? 0 })
  return fetches === undefined ? {} : { fetches: fetches.map(rough) }
}

function isIdleOf({ isEnabled, rules, targets }: Schedule, client: ScheduledClient): boolean {
  return isEnabled && rules.some(isInTime) && targets.some(target => isTargetOf(target, client))
}

function groupsSeen(
  data: ClientData | undefined,
  at: number,
  lengths: IdleTime['lengths'] | undefined,
): Readonly<Record<string, ObservedGroup>> {
  if (data === undefined) return {}
  return Object.fromEntries(
    Object.entries(groupsOf(data)).map(([name, group]) => {
      const units = data.units.filter(unit => groupNameOf(unit) === name)
      const failed = failedText(group) === undefined ? {} : ({ isFailed: true } as const)
      const fetches = lengths === undefined ? undefined : groupFetches(data, name, lengths, at)
      const endsAt = roughly(firstEnd(data, units, at))
      return [name, { state: groupState(group), endsAt, ...roughFetches(fetches), ...failed }]
    }),
  )
}
