import { assign, enqueueActions, sendParent, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { backOffDelay } from '../../../../src/folding/shared/back-off.ts'
import {
  decide,
  idleAhead,
  isSameChoice,
  passedDecisions,
  type Decision,
} from '../../../../src/folding/schedule/decide.ts'
import { isSameList, isSameValue } from '../../../../src/folding/shared/equal.ts'
import type { FoldingState } from '../../../../src/protocol/client/commands.ts'
import { taskPlaceholder } from '../../../../src/machines/shared/actor-placeholder.ts'
import {
  finishUntil,
  idleNext,
  hasState,
  isLeftPaused,
  notSeen,
  pausedNext,
  pausedStill,
  requestOf,
  savedOf,
  undecided,
  wantOf,
  type ScheduleContext,
  type ScheduleInput,
} from './schedule.context.ts'
import type { Saved } from './saved.ts'
import type { ScheduleEvent, ScheduleMissed, ScheduleSaved, Seen, StateRequest, StateSent } from './schedule.events.ts'

type Checked = Omit<Extract<ScheduleEvent, { type: 'schedule.checked' }>, 'type'>
type Overridden = Omit<Extract<ScheduleEvent, { type: 'schedule.overridden' }>, 'type'>

/** Times between attempts: milliseconds. */
const RETRY = { first: 30_000, most: 300_000 } as const
/** Longer without a check means that no boundary was applied: the server did not run, or the computer slept. */
const ABSENCE_MS = 150_000
const WEEK_MS = 7 * 86_400_000
/** Longest time until the watch of clients shows what a command has changed. */
const WATCH_DELAY_MS = 5000

export const scheduleMachine = setup({
  types: { context: {} as ScheduleContext, events: {} as ScheduleEvent, input: {} as ScheduleInput },
  actors: { sendState: taskPlaceholder<StateSent, StateRequest>('sendState') },
  delays: { retryDelay: ({ context }) => backOffDelay(context.failures, RETRY) },
  actions: {
    /** Decides again, reports what was over before it could be applied, and keeps a new decision. */
    check: enqueueActions(({ context, enqueue }, event: Checked) => {
      for (const missed of missedBy(context, event)) enqueue.sendParent(missed)
      const checked = checkedBy(context, event)
      enqueue.assign(checked)
      if (context.reached !== undefined && event.at - context.reached.at > WATCH_DELAY_MS)
        enqueue.assign({ reached: undefined })
      if (!isSameDecision(context, checked)) enqueue.sendParent(savedEvent({ ...context, ...checked }))
    }),
    see: enqueueActions(({ context, enqueue }, seen: Seen) => {
      const next = seenBy(context, seen)
      enqueue.assign(next)
      if (next.paused?.length !== context.paused?.length) enqueue.sendParent(savedEvent({ ...context, ...next }))
    }),
    assignOverride: assign(({ context }, event: Overridden) => overriddenBy(context, event)),
    assignFollowed: assign(({ context }, at: number) => followedBy(context, at)),
    assignFinishing: assign(({ context }) => ({ finishing: idleNext(context) ?? finishUntil(context) })),
    assignApplied: assign(({ context }, key: string | undefined) => ({
      applied: key ?? wantOf(context)?.key,
      failures: 0,
    })),
    /** The client's own data have confirmed it; what was seen last may be a second older. */
    assignReached: assign(({ context: { seen, at } }, state: FoldingState) => ({
      seen: { ...seen, state },
      reached: seen.state === state ? undefined : { state, before: seen.state, at },
    })),
    /** It is kept before the command is sent: after a restart the pause must not seem to be that of a person. */
    notePaused: enqueueActions(({ context, enqueue }) => {
      const paused = pausedNext(context, wantOf(context)?.state ?? 'fold')
      enqueue.assign({ paused })
      if (paused?.length !== context.paused?.length) enqueue.sendParent(savedEvent({ ...context, paused }))
    }),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    save: sendParent(({ context }) => savedEvent(context)),
  },
  guards: {
    wantsNothing: ({ context }) => wantOf(context) === undefined,
    isApplied: ({ context }) => wantOf(context)?.key === context.applied,
    wasChanged: ({ context }) => {
      const want = wantOf(context)
      if (want?.key !== context.applied || want === undefined) return false
      const isSo = hasState(context, want.state) && !(want.state === 'fold' && isLeftPaused(context))
      return context.seen.isConnected && context.seen.state !== undefined && !isSo
    },
    isForbidden: ({ context }) => !context.seen.mayAct,
    isAway: ({ context }) => !context.seen.isConnected,
    /** A command of a person depends on no state. */
    isOutdated: ({ context }) => context.seen.isOld && context.override === undefined,
    mustBeIdle: ({ context }) => idleNext(context) !== undefined,
    mustFinishFirst: ({ context }) => finishUntil(context) !== undefined,
    isThere: ({ context }) => {
      const want = wantOf(context)
      return want !== undefined && !context.seen.isOld && hasState(context, want.state)
    },
    wantsElse: ({ context }, event: Checked) =>
      wantOf({ ...context, ...checkedBy(context, event) })?.key !== wantOf(context)?.key,
    isConfirmed: (_, { isConfirmed }: StateSent) => isConfirmed,
  },
}).createMachine({
  id: 'schedule',
  description: 'Keeps one machine, or one of its groups, in the state that schedules or a person decide.',
  context: ({ input }) => firstContext(input),
  initial: 'starting',
  on: {
    'schedule.checked': {
      target: '.deciding',
      actions: { type: 'check', params: ({ event }) => event },
    },
    'schedule.observed': { target: '.deciding', actions: { type: 'see', params: ({ event }) => event.seen } },
    'schedule.overridden': {
      target: '.deciding',
      actions: [{ type: 'assignOverride', params: ({ event }) => event }, 'save'],
    },
    'schedule.followed': {
      target: '.deciding',
      actions: [{ type: 'assignFollowed', params: ({ event }) => event.at }, 'save'],
    },
  },
  states: {
    starting: { description: 'Neither the machine nor its schedules have been seen since the start.' },
    deciding: {
      always: [
        { guard: 'mustBeIdle', target: 'deciding', reenter: true, actions: ['assignFinishing', 'save'] },
        { guard: 'wantsNothing', target: 'unset' },
        { guard: 'wasChanged', target: 'changed' },
        { guard: 'isApplied', target: 'kept' },
        { guard: 'isForbidden', target: 'observing' },
        { guard: 'isAway', target: 'away' },
        { guard: 'isOutdated', target: 'outdated' },
        { guard: 'mustFinishFirst', target: 'deciding', reenter: true, actions: ['assignFinishing', 'save'] },
        {
          guard: 'isThere',
          target: 'kept',
          actions: [{ type: 'assignApplied', params: undefined }, 'save'],
        },
        { target: 'sending', actions: 'notePaused' },
      ],
    },
    unset: { description: 'No schedule and no person decides: the machine is left as it is.' },
    kept: { tags: 'kept', description: 'The machine has, or had, the state that was decided.' },
    changed: {
      description:
        'The state was changed at the machine. That wins: a pause until it is resumed, else until the next boundary.',
    },
    observing: { description: 'The settings of the server do not allow to change the state of this machine.' },
    away: { description: 'The machine is not connected. The decision is applied when it is.' },
    outdated: {
      description: 'What is known of the machine is too old to act on it. The decision is applied to a newer state.',
    },
    sending: {
      description: 'The command is sent once, and its effect awaited.',
      invoke: {
        src: 'sendState',
        input: ({ context }) => requestOf(context),
        onDone: [
          {
            guard: { type: 'isConfirmed', params: ({ event }) => event.output },
            target: 'deciding',
            actions: [
              { type: 'assignApplied', params: ({ event }) => event.output.key },
              { type: 'assignReached', params: ({ event }) => event.output.state },
              'save',
            ],
          },
          { target: 'retrying', actions: 'countFailure' },
        ],
        onError: { target: 'retrying', actions: 'countFailure' },
      },
      // What happens meanwhile is considered afterwards: a command is never sent twice at once.
      on: {
        'schedule.checked': {
          actions: { type: 'check', params: ({ event }) => event },
        },
        'schedule.observed': { actions: { type: 'see', params: ({ event }) => event.seen } },
        'schedule.overridden': { actions: [{ type: 'assignOverride', params: ({ event }) => event }, 'save'] },
        'schedule.followed': { actions: [{ type: 'assignFollowed', params: ({ event }) => event.at }, 'save'] },
      },
    },
    retrying: {
      description: 'The machine did not obey, or the command could not be sent.',
      after: { retryDelay: 'deciding' },
      on: {
        'schedule.checked': [
          {
            guard: { type: 'wantsElse', params: ({ event }) => event },
            target: 'deciding',
            actions: { type: 'check', params: ({ event }) => event },
          },
          { actions: { type: 'check', params: ({ event }) => event } },
        ],
        'schedule.observed': { actions: { type: 'see', params: ({ event }) => event.seen } },
      },
    },
  },
})

function savedEvent(context: ScheduleContext): ScheduleSaved {
  return { type: 'schedule.saved', subject: context.subject, saved: savedOf(context) }
}

export function firstContext({ subject, at, saved }: ScheduleInput): ScheduleContext {
  return {
    subject,
    at,
    schedules: [],
    conditions: {},
    otherGroups: [],
    seen: notSeen,
    failures: 0,
    decision: undecided,
    ...(saved ?? { paused: [] }),
  }
}

/** What will be kept after these events. */
export function savedAfter(first: ScheduleContext, events: readonly ScheduleEvent[]): Saved {
  return savedOf(events.reduce((context, event) => ({ ...context, ...changesBy(context, event) }), first))
}

function changesBy(context: ScheduleContext, event: ScheduleEvent): Partial<ScheduleContext> {
  switch (event.type) {
    case 'schedule.checked':
      return checkedBy(context, event)
    case 'schedule.observed':
      return seenBy(context, event.seen)
    case 'schedule.overridden':
      return overriddenBy(context, event)
    case 'schedule.followed':
      return followedBy(context, event.at)
  }
}

export type ScheduleRef = ActorRefFrom<typeof scheduleMachine>
export type ScheduleSnapshot = SnapshotFrom<typeof scheduleMachine>

function seenBy(context: ScheduleContext, seen: Seen): Partial<ScheduleContext> {
  const { reached } = context
  return {
    paused: pausedStill(context, seen),
    ...(reached !== undefined && seen.state === reached.before
      ? { seen: { ...seen, state: reached.state } }
      : { seen, reached: undefined }),
  }
}

function overriddenBy(
  context: ScheduleContext,
  { at, state, until, by, isByHand }: Overridden,
): Partial<ScheduleContext> {
  const { state: before } = context.seen
  return {
    at,
    override: {
      state,
      by,
      at,
      until: until ?? context.decision.until,
      before: context.override?.before ?? (before === 'mixed' ? undefined : before),
      isByHand,
    },
    ...(isByHand && state !== 'fold' ? { paused: [] } : {}),
    returning: undefined,
    failures: 0,
  }
}

function followedBy(context: ScheduleContext, at: number): Partial<ScheduleContext> {
  const { seen } = context
  return {
    at,
    failures: 0,
    ...withoutOverride(context, at),
    // What was changed at the client since is changed back, a pause of all of it too.
    ...(context.decision.schedule === undefined
      ? {}
      : { applied: undefined, ...(seen.state === 'pause' ? { paused: Object.keys(seen.groups) } : {}) }),
  }
}

/** After an override: back to the state before, unless a schedule decides. */
function withoutOverride(
  { override, decision, returning }: ScheduleContext,
  at: number,
): Pick<ScheduleContext, 'override' | 'returning'> {
  return {
    override: undefined,
    returning:
      decision.schedule !== undefined
        ? undefined
        : override?.before === undefined
          ? returning
          : { state: override.before, at },
  }
}

/** The decision now. It is computed again only when it can have changed: it is asked for each minute. */
function decisionBy(context: ScheduleContext, { at, schedules, conditions }: Checked): Decision {
  const { decision } = context
  const lasts =
    decision.until !== undefined &&
    at < decision.until &&
    at >= decision.since &&
    at >= context.at &&
    conditions === context.conditions &&
    isSameList(schedules, context.schedules)
  return lasts ? decision : decide(schedules, conditions, at, decision)
}

function checkedBy(context: ScheduleContext, event: Checked): Partial<ScheduleContext> {
  const { at, schedules, conditions, otherGroups } = event
  const decision = decisionBy(context, event)
  const next = { ...context, decision }
  const isOver = context.override?.until !== undefined && at >= context.override.until
  return {
    at,
    schedules,
    conditions,
    idle: idleAhead(schedules, conditions, at) ?? null,
    otherGroups,
    decision,
    ...(isOver ? withoutOverride(next, at) : decision.schedule === undefined ? {} : { returning: undefined }),
    ...(decision.since === context.decision.since && isSameChoice(decision, context.decision) ? {} : { failures: 0 }),
  }
}

/**
 * Whether the schedules decide for thousands what they decided last, and nothing else can have changed: then only the time of the
 * last check would be another one, of which `most` milliseconds may pass.
 */
export function isDecidedAlready(
  { value, context }: ScheduleSnapshot,
  seen: Seen,
  event: Checked,
  most: number,
): boolean {
  const { at, override, returning, finishing, reached, idle } = context
  const isPlain = [override, returning, finishing, reached].every(each => each === undefined) && idle === null
  return (
    value !== 'starting' &&
    isPlain &&
    event.at >= at &&
    event.at - at < most &&
    isSameList(event.schedules, context.schedules) &&
    event.schedules.every(({ finishMinutes }) => finishMinutes === 0) &&
    isSameList(event.otherGroups, context.otherGroups) &&
    isSameValue(seen, context.seen) &&
    isSameDecision(context, { decision: decisionBy(context, event) }) &&
    idleAhead(event.schedules, event.conditions, event.at) === undefined
  )
}

/** Until an override or decision begins or ends, nothing has to be kept. */
function isSameDecision({ decision, override }: ScheduleContext, next: Partial<ScheduleContext>): boolean {
  return (
    decision.since === next.decision?.since &&
    decision.until === next.decision.until &&
    isSameChoice(decision, next.decision) &&
    (!('override' in next) || next.override === override)
  )
}

/** Decisions that passed since the last check, and the one before if it was never applied. */
function missedBy(context: ScheduleContext, event: Checked): readonly ScheduleMissed[] {
  const { at, schedules, conditions } = event
  const { subject, decision, override, applied, seen } = context
  const isSkipped = override !== undefined && (override.until === undefined || override.until >= at)
  if (isSkipped || !seen.mayAct || at <= context.at) return []
  const next = decisionBy(context, event)
  const isOver = next.since !== decision.since || !isSameChoice(next, decision)
  const { schedule, rule, state } = decision
  const last = wantOf({ ...context, finishing: undefined })
  const wasApplied = last === undefined || applied === last.key || applied?.startsWith(`${last.key} `) === true
  const because =
    at - context.at > ABSENCE_MS ? 'server' : !seen.isConnected ? 'disconnected' : seen.isOld ? 'outdated' : 'ignored'
  const horizon = decision.until ?? context.at + WEEK_MS
  const passed = at <= horizon ? [] : passedDecisions(schedules, conditions, context.at, at + 1)
  const former =
    isOver && !wasApplied && override === undefined && schedule !== undefined && state !== undefined
      ? [{ schedule, state, ...(rule === undefined ? {} : { rule }), begin: decision.since, end: decision.until ?? at }]
      : []
  return [...former, ...passed].map(segment => ({ type: 'schedule.missed', subject, segment, because }))
}
