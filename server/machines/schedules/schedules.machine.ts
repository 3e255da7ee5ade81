import { assign, enqueueActions, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { conditionsFor, nextConditions } from '../../../src/folding/schedule/conditions.ts'
import type { Conditions } from '../../../src/folding/schedule/decide.ts'
import {
  schedulesOf,
  subjectKey,
  subjectsOf,
  type Inputs,
  type Schedule,
  type Subject,
} from '../../../src/folding/schedule/schedule.ts'
import { actorPlaceholder } from '../../../src/machines/shared/actor-placeholder.ts'
import { dueAt, savedOf, type Saved, type ScheduleContext } from '../schedule/schedule.context.ts'
import { firstContext, savedAfter, scheduleMachine, type ScheduleRef } from '../schedule/schedule.machine.ts'
import type { ScheduleEvent, Seen } from '../schedule/schedule.events.ts'
import { isIdle } from '../schedule/schedule.selectors.ts'
import type {
  KeptSchedules,
  ObservedClient,
  PowerNews,
  ScheduledClient,
  SchedulesEvent,
  ScheduleStoreCommand,
} from './schedules.events.ts'

export type SchedulesInput = {
  readonly machines: readonly ScheduledClient[]
  readonly kept: KeptSchedules
  readonly power?: PowerNews | undefined
}

type Member = { readonly subject: Subject; readonly ref: ScheduleRef }

export type SchedulesContext = {
  /** The clients of the settings and of the account, by their addresses. */
  readonly machines: Readonly<Record<string, ScheduledClient>>
  readonly schedules: readonly Schedule[]
  readonly inputs: Inputs
  readonly power: PowerNews
  readonly conditions: Conditions
  readonly seen: Readonly<Record<string, ObservedClient>>
  /** What is decided for whom, by the keys of the subjects. */
  readonly members: Readonly<Record<string, Member>>
  /** The time of the last check: epoch milliseconds. */
  readonly at: number
  readonly kept: KeptSchedules
  readonly hasBegun: boolean
}

const CHECK_MS = 60_000
/** A clock that is set back by less stands still instead, so that no boundary comes twice. */
const SMALL_STEP_MS = 3_600_000
/** Starts missing `schedule` actors, stops those without a subject, sends all of them the rules, inputs and time. */
const CHECK = ['assignConditions', 'endMembers', 'startMembers', 'checkMembers', 'saveProgress'] as const

export const schedulesMachine = setup({
  types: { context: {} as SchedulesContext, events: {} as SchedulesEvent, input: {} as SchedulesInput },
  actors: {
    schedule: scheduleMachine,
    /** Reports the time each second. */
    scheduleClock: actorPlaceholder<{ readonly type: 'none' }, undefined>('scheduleClock'),
    /** Reports the states of clients when they change. */
    machineWatch: actorPlaceholder<{ readonly type: 'none' }, undefined>('machineWatch'),
    /** Keeps what must survive the end of the process. */
    scheduleStore: actorPlaceholder<ScheduleStoreCommand, undefined>('scheduleStore'),
  },
  delays: { restartDelay: 1000 },
  actions: {
    assignTime: assign(({ context }, at: number) => ({ at: steadyTime(context.at, at) })),
    assignConditions: assign(({ context: { schedules, conditions, inputs, power, at } }) => ({
      conditions: nextConditions(schedules, conditions, { inputs, ...power }, at),
    })),
    assignPower: assign((_, power: PowerNews) => ({ power })),
    assignSchedules: assign((_, schedules: readonly Schedule[]) => ({ schedules })),
    assignClients: assign((_, clients: readonly ScheduledClient[]) => ({ machines: byAddress(clients) })),
    assignInput: assign(({ context }, { at, name, value }: { at: number; name: string; value: number }) => ({
      inputs: { ...context.inputs, [name]: { value, at } },
    })),
    assignObserved: assign(({ context }, clients: readonly ObservedClient[]) => ({
      seen: { ...context.seen, ...Object.fromEntries(clients.map(client => [client.address, client])) },
    })),
    endMembers: enqueueActions(({ context, enqueue }) => {
      const wanted = wantedSubjects(context)
      for (const [key, { subject, ref }] of Object.entries(context.members))
        if (!wanted.has(key) && isIdle(ref.getSnapshot())) {
          enqueue.stopChild(ref)
          enqueue.sendTo('scheduleStore', { type: 'store.forgetSubject', subject } satisfies ScheduleStoreCommand)
        }
    }),
    startMembers: assign(({ context, spawn }) => {
      const wanted = wantedSubjects(context)
      const members = Object.fromEntries(
        Object.entries(context.members).filter(([key, { ref }]) => wanted.has(key) || !isIdle(ref.getSnapshot())),
      )
      for (const [key, subject] of wanted)
        members[key] ??= {
          subject,
          ref: spawn('schedule', {
            id: `schedule ${key}`,
            input: {
              subject,
              at: context.kept.states[key]?.at ?? context.kept.at,
              saved: context.kept.states[key]?.saved,
            },
          }),
        }
      return { members, hasBegun: true, kept: { ...context.kept, at: context.at, states: statesOfUnlisted(context) } }
    }),
    checkMembers: enqueueActions(({ context, enqueue }) => {
      for (const { subject, ref } of Object.values(context.members)) {
        enqueue.sendTo(ref, { type: 'schedule.observed', seen: seenOf(context, subject) } satisfies ScheduleEvent)
        enqueue.sendTo(ref, checkOf(context, subject))
      }
    }),
    /** They are started again with the next check, from what they last knew. */
    dropFailed: assign(({ context: { members, kept } }) => {
      const failed = Object.entries(members).filter(([, { ref }]) => ref.getSnapshot().status === 'error')
      const states = failed.map(
        ([key, { subject, ref }]) => [key, { subject, saved: savedOf(ref.getSnapshot().context) }] as const,
      )
      return {
        members: Object.fromEntries(Object.entries(members).filter(([key]) => !failed.some(([name]) => name === key))),
        kept: { ...kept, states: Object.fromEntries(states) },
      }
    }),
    sendObservations: enqueueActions(({ context, enqueue }, clients: readonly ObservedClient[]) => {
      const changed = new Set(clients.map(({ address }) => address))
      for (const { subject, ref } of Object.values(context.members))
        if (changed.has(subject.machine))
          enqueue.sendTo(ref, { type: 'schedule.observed', seen: seenOf(context, subject) } satisfies ScheduleEvent)
    }),
    saveProgress: sendTo('scheduleStore', ({ context: { at, conditions } }): ScheduleStoreCommand => ({
      type: 'store.saveProgress',
      at,
      conditions,
    })),
    saveSubject: sendTo(
      'scheduleStore',
      (
        _,
        { subject, saved }: Pick<ScheduleStoreCommand & { type: 'store.saveSubject' }, 'subject' | 'saved'>,
      ): ScheduleStoreCommand => ({
        type: 'store.saveSubject',
        subject,
        saved,
      }),
    ),
    reportMissed: sendTo(
      'scheduleStore',
      ({ context }, missed: Extract<SchedulesEvent, { type: 'schedule.missed' }>): ScheduleStoreCommand => ({
        type: 'store.reportMissed',
        missed,
        schedules: context.schedules,
      }),
    ),
    startSubject: assign(({ context, spawn }, subject: Subject) => {
      const key = subjectKey(subject)
      if (context.members[key] !== undefined) return {}
      const ref = spawn('schedule', { id: `schedule ${key}`, input: { subject, at: context.at, saved: undefined } })
      return { members: { ...context.members, [key]: { subject, ref } } }
    }),
    override: enqueueActions(({ context, enqueue }, event: Extract<SchedulesEvent, { type: 'schedules.override' }>) => {
      const { at, state, until, by } = event
      for (const { subject, ref } of overriddenBy(context, event)) {
        enqueue.sendTo(ref, { type: 'schedule.observed', seen: seenOf(context, subject) } satisfies ScheduleEvent)
        enqueue.sendTo(ref, checkOf(context, subject))
        enqueue.sendTo(ref, { type: 'schedule.overridden', at, state, until, by } satisfies ScheduleEvent)
      }
    }),
    follow: enqueueActions(({ context, enqueue }, { at, subject }: { at: number; subject: Subject }) => {
      for (const member of Object.values(context.members))
        if (isWithin(member.subject, subject))
          enqueue.sendTo(member.ref, { type: 'schedule.followed', at } satisfies ScheduleEvent)
    }),
  },
  guards: {
    isDue: ({ context }, at: number) => {
      const now = steadyTime(context.at, at)
      return (
        !context.hasBegun ||
        now >= context.at + CHECK_MS ||
        now < context.at ||
        Object.values(context.members).some(({ ref }) => dueAt(ref.getSnapshot().context) <= now)
      )
    },
    isExplicit: (_, isImplicit: boolean) => !isImplicit,
  },
}).createMachine({
  id: 'schedules',
  description: 'Keeps machines in the states that schedules decide: one statechart for each machine and named group.',
  context: ({ input: { machines: clients, kept, power = {} } }) => ({
    machines: byAddress(clients),
    schedules: kept.schedules,
    inputs: kept.inputs,
    power,
    conditions: kept.conditions,
    seen: {},
    members: {},
    at: kept.at,
    kept,
    hasBegun: false,
  }),
  initial: 'running',
  states: {
    running: {
      invoke: [
        { id: 'scheduleStore', src: 'scheduleStore', onError: 'restarting' },
        { id: 'machineWatch', src: 'machineWatch', onError: 'restarting' },
        { id: 'scheduleClock', src: 'scheduleClock', onError: 'restarting' },
      ],
      on: {
        'clock.ticked': {
          guard: { type: 'isDue', params: ({ event }) => event.at },
          actions: [{ type: 'assignTime', params: ({ event }) => event.at }, ...CHECK],
        },
        'machines.observed': {
          actions: [
            { type: 'assignObserved', params: ({ event }) => event.machines },
            { type: 'sendObservations', params: ({ event }) => event.machines },
          ],
        },
        'machines.listed': {
          actions: [
            { type: 'assignTime', params: ({ event }) => event.at },
            { type: 'assignClients', params: ({ event }) => event.machines },
            ...CHECK,
          ],
        },
        'schedules.changed': {
          actions: [
            { type: 'assignTime', params: ({ event }) => event.at },
            { type: 'assignSchedules', params: ({ event }) => event.schedules },
            ...CHECK,
          ],
        },
        'input.received': {
          actions: [
            { type: 'assignTime', params: ({ event }) => event.at },
            { type: 'assignInput', params: ({ event }) => event },
            ...CHECK,
          ],
        },
        'power.observed': {
          actions: [
            { type: 'assignTime', params: ({ event }) => event.at },
            { type: 'assignPower', params: ({ event }) => event.power },
            ...CHECK,
          ],
        },
        'schedules.override': [
          {
            guard: { type: 'isExplicit', params: ({ event }) => event.isImplicit },
            actions: [
              { type: 'assignTime', params: ({ event }) => event.at },
              { type: 'startSubject', params: ({ event }) => event.subject },
              { type: 'override', params: ({ event }) => event },
            ],
          },
          {
            actions: [
              { type: 'assignTime', params: ({ event }) => event.at },
              { type: 'override', params: ({ event }) => event },
            ],
          },
        ],
        'schedules.follow': { actions: { type: 'follow', params: ({ event }) => event } },
        'schedule.saved': { actions: { type: 'saveSubject', params: ({ event }) => event } },
        'schedule.missed': { actions: { type: 'reportMissed', params: ({ event }) => event } },
        'xstate.error.actor.*': { actions: 'dropFailed' },
      },
    },
    restarting: {
      description: 'A part failed. What was decided stays, and is applied again.',
      after: { restartDelay: 'running' },
    },
  },
})

export type SchedulesRef = ActorRefFrom<typeof schedulesMachine>
export type SchedulesSnapshot = SnapshotFrom<typeof schedulesMachine>

/** What an event would keep of each client and group that it concerns: for who stores it before it is sent. */
export function plannedSaves(
  { context: before }: SchedulesSnapshot,
  event: Extract<SchedulesEvent, { type: 'schedules.override' | 'schedules.follow' }>,
): readonly { readonly subject: Subject; readonly saved: Saved }[] {
  const { at, subject } = event
  const contextOf = ({ ref }: Member): ScheduleContext => ref.getSnapshot().context
  if (event.type === 'schedules.follow')
    return Object.values(before.members)
      .filter(member => isWithin(member.subject, subject))
      .map(member => ({
        subject: member.subject,
        saved: savedAfter(contextOf(member), [{ type: 'schedule.followed', at }]),
      }))
  const context = { ...before, at: steadyTime(before.at, at) }
  const { state, until, by } = event
  const plan = (own: ScheduleContext) => ({
    subject: own.subject,
    saved: savedAfter(own, [
      { type: 'schedule.observed', seen: seenOf(context, own.subject) },
      checkOf(context, own.subject),
      { type: 'schedule.overridden', at, state, until, by },
    ]),
  })
  const known = overriddenBy(context, event).map(member => plan(contextOf(member)))
  const isNew = !event.isImplicit && context.members[subjectKey(subject)] === undefined
  return isNew ? [...known, plan(firstContext({ subject, at: context.at, saved: undefined }))] : known
}

function steadyTime(before: number, at: number): number {
  return at < before && before - at < SMALL_STEP_MS ? before : at
}

function byAddress(clients: readonly ScheduledClient[]): SchedulesContext['machines'] {
  return Object.fromEntries(clients.map(client => [client.address, client]))
}

/** What is kept of clients that are not known yet: an account lists its clients some time after the start. */
function statesOfUnlisted({ kept, machines: clients }: SchedulesContext): KeptSchedules['states'] {
  return Object.fromEntries(
    Object.entries(kept.states).flatMap(([key, state]) =>
      clients[state.subject.machine] === undefined ? [[key, { ...state, at: state.at ?? kept.at }]] : [],
    ),
  )
}

/** Who has schedules, and who still has an earlier command of a person. */
function wantedSubjects({ schedules, machines: clients, kept }: SchedulesContext): ReadonlyMap<string, Subject> {
  const wanted = new Map<string, Subject>()
  for (const client of Object.values(clients))
    for (const subject of subjectsOf(schedules, client))
      if (schedulesOf(schedules, subject, client).length > 0) wanted.set(subjectKey(subject), subject)
  for (const [key, { subject, saved }] of Object.entries(kept.states)) {
    const isOpen = saved.override !== undefined || saved.returning !== undefined
    if (isOpen && clients[subject.machine] !== undefined) wanted.set(key, subject)
  }
  return wanted
}

function otherGroupsOf({ members }: SchedulesContext, { machine: client, group }: Subject): readonly string[] {
  return group !== undefined
    ? []
    : Object.values(members).flatMap(({ subject }) =>
        subject.machine === client && subject.group !== undefined ? [subject.group] : [],
      )
}

function checkOf(context: SchedulesContext, subject: Subject): Extract<ScheduleEvent, { type: 'schedule.checked' }> {
  const { at, schedules, conditions, machines: clients } = context
  const client = clients[subject.machine]
  // One that is not listed any more is left as it is.
  const own = client === undefined ? [] : schedulesOf(schedules, subject, client)
  return {
    type: 'schedule.checked',
    at,
    schedules: own,
    conditions: conditionsFor(own, conditions, subject.machine),
    otherGroups: otherGroupsOf(context, subject),
  }
}

/** What is seen of a subject: of a client, all its groups that are not decided by themselves. */
function seenOf(context: SchedulesContext, subject: Subject): Seen {
  const client = context.seen[subject.machine]
  const others = otherGroupsOf(context, subject)
  const groups = Object.entries(client?.groups ?? {})
    .filter(([name]) => (subject.group === undefined ? !others.includes(name) : name === subject.group))
    .map(([, group]) => group)
  const states = new Set(groups.map(({ state }) => state))
  const [state] = states
  const ends = groups.flatMap(({ endsAt }) => (endsAt === undefined ? [] : [endsAt]))
  return {
    isConnected: client?.isConnected === true,
    mayAct: context.machines[subject.machine]?.mayAct === true,
    state: states.size > 1 ? 'mixed' : state,
    endsAt: ends.length === 0 ? undefined : Math.min(...ends),
  }
}

export function isWithin(subject: Subject, named: Subject): boolean {
  return subject.machine === named.machine && (named.group === undefined || subject.group === named.group)
}

/** A command to a client is one to its groups too. Without a schedule only an explicit one is kept. */
function overriddenBy(
  { members }: SchedulesContext,
  { subject, isImplicit }: Extract<SchedulesEvent, { type: 'schedules.override' }>,
): readonly Member[] {
  return Object.values(members).filter(
    member => isWithin(member.subject, subject) && !(isImplicit && isIdle(member.ref.getSnapshot())),
  )
}
