import { assign, enqueueActions, sendTo, setup, type SnapshotFrom } from 'xstate'
import { conditionsFor, nextConditions } from '../../../../src/folding/schedule/conditions.ts'
import type { Conditions } from '../../../../src/folding/schedule/decide.ts'
import {
  inputsOf,
  isPart,
  schedulesOf,
  subjectKey,
  subjectsOf,
  type Inputs,
  type Schedule,
  type Subject,
} from '../../../../src/folding/schedule/schedule.ts'
import { groupBy } from '../../../../src/folding/shared/group-by.ts'
import { isSameList } from '../../../../src/folding/shared/equal.ts'
import { actorPlaceholder } from '../../../../src/machines/shared/actor-placeholder.ts'
import { dueAt, savedOf, type ScheduleContext } from '../schedule/schedule.context.ts'
import type { Saved } from '../schedule/saved.ts'
import {
  firstContext,
  isDecidedAlready,
  savedAfter,
  scheduleMachine,
  type ScheduleRef,
} from '../schedule/schedule.machine.ts'
import type { ScheduleEvent, Seen } from '../schedule/schedule.events.ts'
import { isIdle, selectPaused } from '../schedule/schedule.selectors.ts'
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
  /** What is still to be started and checked, by clients: a part at once, so that other events come between. */
  readonly unchecked: readonly (readonly Subject[])[]
  /** The time of the last check: epoch milliseconds. */
  readonly at: number
  readonly kept: KeptSchedules
  readonly hasBegun: boolean
}

const CHECK_MS = 60_000
/** A clock that is set back by less stands still instead, so that no boundary comes twice. */
const SMALL_STEP_MS = 3_600_000
/** Clients and groups that are checked at once; of one client, all. */
export const SLICE = 20
/** Clients and groups that are decided by themselves. */
export const MOST_SUBJECTS = 10_000
/** Starts missing `schedule` actors, and sends them the rules, inputs and time. */
const CHECK_SLICE = ['startSlice', 'checkSlice', 'goOn'] as const
/** Stops `schedule` actors without a subject, and checks all others. */
const CHECK = ['assignConditions', 'endMembers', 'assignUnchecked', ...CHECK_SLICE, 'saveProgress'] as const

type Changed = Extract<SchedulesEvent, { type: 'schedules.changed' }>

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
    assignSchedules: assign(
      ({ context }, { schedules, power = context.power }: Pick<Changed, 'schedules' | 'power'>) => ({
        schedules,
        power,
      }),
    ),
    assignClients: assign((_, clients: readonly ScheduledClient[]) => ({ machines: byAddress(clients) })),
    assignInput: assign(({ context }, { at, name, value }: { at: number; name: string; value: number }) => ({
      inputs: { ...context.inputs, [name]: { value, at } },
    })),
    removeInput: assign(({ context }, name: string) => ({
      inputs: Object.fromEntries(Object.entries(context.inputs).filter(([inputName]) => inputName !== name)),
    })),
    assignObserved: assign(({ context }, clients: readonly ObservedClient[]) => ({
      seen: { ...context.seen, ...Object.fromEntries(clients.map(client => [client.address, client])) },
    })),
    endMembers: enqueueActions(({ context, enqueue }) => {
      const wanted = wantedSubjects(context)
      for (const [key, { subject, ref }] of Object.entries(context.members))
        if (!wanted.has(key) && isForgotten(context, subject, ref)) {
          enqueue.stopChild(ref)
          enqueue.sendTo('scheduleStore', { type: 'store.forgetSubject', subject } satisfies ScheduleStoreCommand)
        }
    }),
    assignUnchecked: assign(({ context }) => {
      const wanted = wantedSubjects(context)
      const entries = Object.entries(context.members)
      const others = entries.filter(([key, { subject, ref }]) => wanted.has(key) || !isForgotten(context, subject, ref))
      const members = others.length === entries.length ? context.members : Object.fromEntries(others)
      const all = new Map([...Object.entries(members).map(([key, { subject }]) => [key, subject] as const), ...wanted])
      const waiting = new Set(context.unchecked.map(([first]) => first?.machine))
      const clients = [...groupBy([...all.values()], ({ machine: client }) => client)]
      const isWaiting = ([client]: readonly [string, unknown]): boolean => waiting.has(client)
      const inTurn = [...clients.filter(isWaiting), ...clients.filter(client => !isWaiting(client))]
      return { members, hasBegun: true, unchecked: inTurn.map(([, subjects]) => subjects) }
    }),
    startSlice: assign(({ context: { members, kept: stored, unchecked }, spawn }) => {
      const missing = nextSlice(unchecked)
        .flat()
        .filter(subject => members[subjectKey(subject)] === undefined)
      const started = missing.map((subject): [string, Member] => {
        const key = subjectKey(subject)
        const { at = stored.at, saved } = stored.states[key] ?? {}
        return [key, { subject, ref: spawn('schedule', { id: `schedule ${key}`, input: { subject, at, saved } }) }]
      })
      if (started.length === 0) return {}
      const next = { ...members, ...Object.fromEntries(started) }
      const groups = groupsByClient.get(members)
      if (groups !== undefined && !started.some(([, { subject }]) => isOtherGroup(subject)))
        groupsByClient.set(next, groups)
      return { members: next }
    }),
    checkSlice: enqueueActions(({ context, enqueue }) => {
      for (const subject of nextSlice(context.unchecked).flat()) {
        const ref = context.members[subjectKey(subject)]?.ref
        if (ref === undefined) continue
        const seen = seenOf(context, subject)
        const check = checkOf(context, subject)
        if (isDecidedAlready(ref.getSnapshot(), seen, check, CHECK_MS)) continue
        enqueue.sendTo(ref, { type: 'schedule.observed', seen } satisfies ScheduleEvent)
        enqueue.sendTo(ref, check)
      }
    }),
    goOn: enqueueActions(({ context, enqueue }) => {
      const unchecked = context.unchecked.slice(nextSlice(context.unchecked).length)
      enqueue.assign({ unchecked })
      if (unchecked.length > 0) enqueue.raise({ type: 'schedules.goOn' }, { delay: 0, id: 'goOn' })
      else enqueue.assign({ kept: { ...context.kept, at: context.at, states: statesOfUnlisted(context) } })
    }),
    /** They are started again with the next check, from what they last knew. */
    dropFailed: assign(({ context: { members, kept: stored } }) => {
      const failed = Object.entries(members).filter(([, { ref }]) => ref.getSnapshot().status === 'error')
      const states = failed.map(
        ([key, { subject, ref }]) => [key, { subject, saved: savedOf(ref.getSnapshot().context) }] as const,
      )
      return {
        members: Object.fromEntries(Object.entries(members).filter(([key]) => !failed.some(([name]) => name === key))),
        kept: { ...stored, states: Object.fromEntries(states) },
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
      const { at, state, until, by, isImplicit: isByHand } = event
      for (const { subject, ref } of overriddenBy(context, event)) {
        enqueue.sendTo(ref, { type: 'schedule.observed', seen: seenOf(context, subject) } satisfies ScheduleEvent)
        enqueue.sendTo(ref, checkOf(context, subject))
        enqueue.sendTo(ref, { type: 'schedule.overridden', at, state, until, by, isByHand } satisfies ScheduleEvent)
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
    isUsed: ({ context }, name: string) => inputsOf(context.schedules).includes(name),
    /** Groups are decided by themselves that schedules name. */
    hasOtherGroups: ({ context: { hasBegun, schedules, seen } }, clients: readonly ObservedClient[]) =>
      hasBegun &&
      schedules.some(({ targets }) => targets.some(({ group }) => group !== undefined)) &&
      clients.some(({ address, groups }) => !isSameList(Object.keys(groups), Object.keys(seen[address]?.groups ?? {}))),
  },
}).createMachine({
  id: 'schedules',
  description: 'Keeps machines in the states that schedules decide: one statechart for each machine and named group.',
  context: ({ input: { machines: clients, kept: stored, power = {} } }) => ({
    machines: byAddress(clients),
    schedules: stored.schedules,
    inputs: stored.inputs,
    power,
    conditions: stored.conditions,
    seen: {},
    members: {},
    unchecked: [],
    at: stored.at,
    kept: stored,
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
        'schedules.goOn': { actions: [...CHECK_SLICE] },
        'machines.observed': [
          {
            guard: { type: 'hasOtherGroups', params: ({ event }) => event.machines },
            actions: [{ type: 'assignObserved', params: ({ event }) => event.machines }, ...CHECK],
          },
          {
            actions: [
              { type: 'assignObserved', params: ({ event }) => event.machines },
              { type: 'sendObservations', params: ({ event }) => event.machines },
            ],
          },
        ],
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
            { type: 'assignSchedules', params: ({ event }) => event },
            ...CHECK,
          ],
        },
        'input.received': [
          {
            guard: { type: 'isUsed', params: ({ event }) => event.name },
            actions: [
              { type: 'assignTime', params: ({ event }) => event.at },
              { type: 'assignInput', params: ({ event }) => event },
              ...CHECK,
            ],
          },
          { actions: { type: 'assignInput', params: ({ event }) => event } },
        ],
        'input.removed': {
          actions: [
            { type: 'assignTime', params: ({ event }) => event.at },
            { type: 'removeInput', params: ({ event }) => event.name },
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
  const { state, until, by, isImplicit: isByHand } = event
  const plan = (member: ScheduleContext) => ({
    subject: member.subject,
    saved: savedAfter(member, [
      { type: 'schedule.observed', seen: seenOf(context, member.subject) },
      checkOf(context, member.subject),
      { type: 'schedule.overridden', at, state, until, by, isByHand },
    ]),
  })
  const overridden = overriddenBy(context, event).map(member => plan(contextOf(member)))
  const isNew = !event.isImplicit && context.members[subjectKey(subject)] === undefined
  return isNew ? [...overridden, plan(firstContext({ subject, at: context.at, saved: undefined }))] : overridden
}

function nextSlice(unchecked: SchedulesContext['unchecked']): SchedulesContext['unchecked'] {
  let [clients, subjects] = [0, 0]
  for (const { length } of unchecked) {
    subjects += length
    if (clients > 0 && subjects > SLICE) break
    clients++
  }
  return unchecked.slice(0, clients)
}

function steadyTime(before: number, at: number): number {
  return at < before && before - at < SMALL_STEP_MS ? before : at
}

function byAddress(clients: readonly ScheduledClient[]): SchedulesContext['machines'] {
  return Object.fromEntries(clients.map(client => [client.address, client]))
}

/** What is kept of clients that are not known yet: an account lists its clients some time after the start. */
function statesOfUnlisted({ kept: stored, machines: clients }: SchedulesContext): KeptSchedules['states'] {
  const states = Object.entries(stored.states)
  if (states.every(([, { subject, at }]) => at !== undefined && clients[subject.machine] === undefined))
    return stored.states
  return Object.fromEntries(
    states.flatMap(([key, state]) =>
      clients[state.subject.machine] === undefined ? [[key, { ...state, at: state.at ?? stored.at }]] : [],
    ),
  )
}

/** Whether schedules name more clients and groups than are decided by themselves. */
export function isTooMuch({ context }: SchedulesSnapshot, schedules: readonly Schedule[]): boolean {
  return subjectsOfAll({ ...context, schedules }).size > MOST_SUBJECTS
}

/** Who has schedules. */
function subjectsOfAll({
  schedules,
  machines: clients,
  seen,
  members,
  kept: stored,
}: SchedulesContext): Map<string, Subject> {
  const found = new Map<string, Subject>()
  for (const client of Object.values(clients)) {
    const groups = Object.keys(seen[client.address]?.groups ?? {})
    const hasGroup = (group: string): boolean => {
      const key = subjectKey({ machine: client.address, group })
      return groups.length > 0 ? groups.includes(group) : (members[key] ?? stored.states[key]) !== undefined
    }
    for (const subject of subjectsOf(schedules, client, hasGroup))
      if (schedulesOf(schedules, subject, client).length > 0) found.set(subjectKey(subject), subject)
  }
  return found
}

/** Whether nothing is to be kept of a client or group any more. */
function isForgotten({ machines: clients }: SchedulesContext, { machine: client }: Subject, ref: ScheduleRef): boolean {
  const snapshot = ref.getSnapshot()
  return isIdle(snapshot) && (clients[client] === undefined || selectPaused(snapshot).length === 0)
}

type Wanted = { readonly of: SchedulesContext; readonly subjects: ReadonlyMap<string, Subject> }
const wantedByMembers = new WeakMap<SchedulesContext['members'], Wanted>()

/** Who has schedules, who still has an earlier command of a person, and who was paused by schedules. Found once for the same. */
function wantedSubjects(context: SchedulesContext): ReadonlyMap<string, Subject> {
  const known = wantedByMembers.get(context.members)
  const isKnown =
    known?.of.schedules === context.schedules &&
    known.of.machines === context.machines &&
    known.of.seen === context.seen &&
    known.of.kept.states === context.kept.states
  if (isKnown) return known.subjects
  const subjects = findWanted(context)
  wantedByMembers.set(context.members, { of: context, subjects })
  return subjects
}

function findWanted(context: SchedulesContext): ReadonlyMap<string, Subject> {
  const wanted = new Map([...subjectsOfAll(context)].slice(0, MOST_SUBJECTS))
  for (const [key, { subject, saved }] of Object.entries(context.kept.states)) {
    const wasPaused = saved.paused !== undefined && saved.paused.length > 0
    const isOpen = saved.override !== undefined || saved.returning !== undefined || wasPaused
    if (isOpen && context.machines[subject.machine] !== undefined) wanted.set(key, subject)
  }
  return wanted
}

function isOtherGroup(subject: Subject): subject is Subject & { readonly group: string } {
  return subject.group !== undefined && !isPart(subject.group)
}

const groupsByClient = new WeakMap<SchedulesContext['members'], ReadonlyMap<string, readonly string[]>>()

function otherGroupsOf({ members }: SchedulesContext, { machine: client, group }: Subject): readonly string[] {
  if (group !== undefined) return []
  const groupsByMachine =
    groupsByClient.get(members) ??
    new Map(
      [...groupBy(Object.values(members), ({ subject }) => subject.machine)].map(([address, machineMembers]) => [
        address,
        machineMembers.flatMap(({ subject }) => (isOtherGroup(subject) ? [subject.group] : [])),
      ]),
    )
  groupsByClient.set(members, groupsByMachine)
  return groupsByMachine.get(client) ?? []
}

function checkOf(context: SchedulesContext, subject: Subject): Extract<ScheduleEvent, { type: 'schedule.checked' }> {
  const { at, schedules, conditions, machines: clients } = context
  const client = clients[subject.machine]
  // One that is not listed any more is left as it is.
  const clientSchedules = client === undefined ? [] : schedulesOf(schedules, subject, client)
  return {
    type: 'schedule.checked',
    at,
    schedules: clientSchedules,
    conditions: conditionsFor(clientSchedules, conditions, subject.machine),
    otherGroups: otherGroupsOf(context, subject),
  }
}

/** What is seen of a subject: of a client, all its groups that are not decided by themselves. */
function seenOf(context: SchedulesContext, subject: Subject): Seen {
  const client = context.seen[subject.machine]
  const others = otherGroupsOf(context, subject)
  const isOwn = (name: string): boolean =>
    subject.group === undefined ? !others.includes(name) && !isPart(name) : name === subject.group
  const groups = Object.entries(client?.groups ?? {}).filter(([name]) => isOwn(name))
  const states = new Set(groups.map(([, group]) => group.state))
  const [state] = states
  const ends = groups.flatMap(([, { endsAt }]) => (endsAt === undefined ? [] : [endsAt]))
  return {
    isConnected: client?.isConnected === true,
    isOld: client?.isOld === true || groups.some(([, { isBlocked }]) => isBlocked),
    mayAct: context.machines[subject.machine]?.mayAct === true,
    state: states.size > 1 || groups.some(([, { isMixed }]) => isMixed) ? 'mixed' : state,
    endsAt: ends.length === 0 ? undefined : Math.min(...ends),
    groups: Object.fromEntries(groups.map(([name, group]) => [name, group.isFailed ? 'failed' : group.state])),
    fetches: Object.fromEntries(groups.map(([name, { fetches = [] }]) => [name, fetches])),
  }
}

export function isWithin(subject: Subject, named: Subject): boolean {
  const isAll = named.group === undefined && !isPart(subject.group)
  return subject.machine === named.machine && (isAll || subject.group === named.group)
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
