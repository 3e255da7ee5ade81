import { assign, setup } from 'xstate'
import type { UnitResult, UnitState } from '../types.ts'
import type { RetryParams, UnitContext, UnitEvent } from './unit.events.ts'

const MAX_DELAY = 512
const MAX_TRIES = { DOWNLOAD: 10, CORE: 10, UPLOAD: 50, DUMP: 10 } as const

const base = setup({
  types: {
    context: {} as UnitContext,
    events: {} as UnitEvent,
  },
  actions: {
    enterState: (_, _params: { state: UnitState }) => {},
    newRequest: () => {},
    showRetry: (_, _params: RetryParams) => {},
    clearWait: (_, _params: { at: number }) => {},
    showPause: (_, _params: { reason: string }) => {},
    hidePause: () => {},
    startCore: (_, _params: { at: number }) => {},
    interruptCore: () => {},
    stopCore: (_, _params: { at: number }) => {},
    endUnit: (_, _params: { at: number; result: UnitResult }) => {},
    countRetry: assign(({ context, event }) => {
      const retries = context.retries + 1
      return { retries, waitUntil: event.at + delayOf(retries) * 1000 }
    }),
    resetRetries: assign({ retries: 0, waitUntil: 0 }),
    endWait: assign({ waitUntil: ({ event }) => event.at }),
    assignResult: assign({ result: (_, params: { result: UnitResult }) => params.result }),
  },
  guards: {
    hasTriesLeft: ({ context }, params: { most: number }) => context.retries + 1 <= params.most,
  },
})

function delayOf(retries: number): number {
  return Math.min(MAX_DELAY, 2 ** retries)
}

function at({ event }: { event: UnitEvent }) {
  return { at: event.at }
}

const retry = base.enqueueActions(({ context, event, enqueue }) => {
  if (event.type !== 'try.failed') return
  const retries = context.retries + 1
  enqueue('countRetry')
  enqueue({ type: 'showRetry', params: { at: event.at, delay: delayOf(retries), retries, error: event.error } })
})

const pause = base.enqueueActions(({ event, enqueue }) => {
  if (event.type === 'unit.pause') enqueue({ type: 'showPause', params: { reason: event.reason } })
})

function end(result: UnitResult) {
  return [
    { type: 'assignResult', params: { result } },
    { type: 'endUnit', params: ({ event }: { event: UnitEvent }) => ({ at: event.at, result }) },
  ] as const
}

function enter(state: UnitState) {
  return ['resetRetries', { type: 'enterState', params: { state } }] as const
}

const stop = { type: 'stopCore', params: at } as const

function tryFailed(most: number) {
  return [
    { guard: { type: 'hasTriesLeft', params: { most } }, target: '.waiting', actions: retry },
    { target: '#unit.DONE', actions: end('retries') },
  ] as const
}

const toExpired = { target: '#unit.DONE', actions: end('expired') } as const

const toDump = { target: '#unit.DUMP', actions: { type: 'assignResult', params: { result: 'dumped' } } } as const

const toStopAndDump = { target: '#unit.DUMP.stopping', actions: toDump.actions } as const

const toStopAndExpire = { target: '#unit.DONE', actions: [stop, ...end('expired')] } as const

/** Substates of a state that transfers data: active, waiting for the next attempt, or paused. */
const paused = {
  on: { 'unit.fold': { target: 'active', actions: 'hidePause' }, 'unit.pause': { actions: pause } },
} as const

const waiting = {
  on: {
    'retry.due': 'active',
    'unit.pause': { target: 'paused', actions: [pause, 'endWait', { type: 'clearWait', params: at }] },
  },
} as const

const active = { on: { 'unit.pause': { target: 'paused', actions: pause } } } as const

/**
 * The lifecycle of a work unit: the client's states (docs/protocol.md §6) and their substates. Pure: `transition()`
 * gives the next snapshot and a list of effects, which the client runs in order.
 */
export const unitMachine = base.createMachine({
  id: 'unit',
  context: { retries: 0, waitUntil: 0, result: undefined },
  initial: 'ASSIGN',
  states: {
    ASSIGN: {
      description: 'Requesting work from an assignment server; every attempt is a request with a new id.',
      initial: 'active',
      states: {
        active: { entry: 'newRequest' },
        waiting: { on: { 'retry.due': 'active' } },
      },
      on: {
        'assignment.received': 'DOWNLOAD',
        'try.failed': { target: '.waiting', actions: retry },
        'unit.pause': { target: 'DONE', actions: [pause, ...end('aborted')] },
        'unit.dump': { target: 'DONE', actions: end('aborted') },
      },
    },
    DOWNLOAD: {
      description: 'Downloading the unit from its work server.',
      entry: enter('DOWNLOAD'),
      initial: 'active',
      states: { active, waiting, paused },
      on: {
        'download.completed': 'CORE',
        'try.failed': tryFailed(MAX_TRIES.DOWNLOAD),
        'unit.dump': toDump,
        'deadline.passed': toExpired,
      },
    },
    CORE: {
      description: 'Downloading or checking the core.',
      entry: enter('CORE'),
      initial: 'active',
      states: { active, waiting, paused },
      on: {
        'core.ready': 'RUN',
        'try.failed': tryFailed(MAX_TRIES.CORE),
        'files.lost': { target: 'DONE', actions: end('missing') },
        'unit.dump': toDump,
        'deadline.passed': toExpired,
      },
    },
    RUN: {
      description: 'The core runs unless there is a pause reason.',
      entry: enter('RUN'),
      initial: 'ready',
      states: {
        ready: {
          description: 'Waiting for the scheduler to assign CPUs and GPUs.',
          on: {
            'unit.fold': 'running',
            'unit.pause': { target: 'paused', actions: pause },
            'deadline.passed': toExpired,
            'unit.dump': toDump,
          },
        },
        running: {
          entry: { type: 'startCore', params: at },
          on: {
            'work.completed': { target: '#unit.UPLOAD', actions: stop },
            'work.failed': {
              target: '#unit.DUMP',
              actions: [stop, { type: 'assignResult', params: { result: 'failed' } }],
            },
            'unit.pause': { target: 'stopping', actions: [pause, 'interruptCore'] },
            'unit.resize': { target: 'restarting', actions: 'interruptCore' },
            'unit.dump': { target: '#unit.DUMP.stopping', actions: [toDump.actions, 'interruptCore'] },
            'deadline.passed': toStopAndExpire,
          },
        },
        stopping: {
          description: 'Paused; waiting for the core to stop.',
          on: {
            'core.stopped': { target: 'paused', actions: stop },
            'unit.fold': { target: 'restarting', actions: 'hidePause' },
            'unit.pause': { actions: pause },
            'unit.dump': toStopAndDump,
            'deadline.passed': toStopAndExpire,
          },
        },
        restarting: {
          description: 'The core stops to start again, for example with another number of CPUs.',
          on: {
            'core.stopped': { target: 'running', actions: stop },
            'unit.pause': { target: 'stopping', actions: pause },
            'unit.dump': toStopAndDump,
            'deadline.passed': toStopAndExpire,
          },
        },
        paused: {
          on: {
            'unit.fold': { target: 'running', actions: 'hidePause' },
            'unit.pause': { actions: pause },
            'unit.dump': toDump,
            'deadline.passed': toExpired,
          },
        },
      },
    },
    UPLOAD: {
      description: 'Uploading results to the work server.',
      entry: enter('UPLOAD'),
      initial: 'active',
      states: { active, waiting, paused },
      on: {
        'results.credited': { target: 'DONE', actions: end('credited') },
        'results.rejected': { target: 'DONE', actions: end('rejected') },
        'try.failed': tryFailed(MAX_TRIES.UPLOAD),
        'unit.dump': toDump,
        'deadline.passed': toExpired,
      },
    },
    DUMP: {
      description: 'Reporting the dump to the work server, also when paused.',
      entry: enter('DUMP'),
      initial: 'active',
      states: {
        stopping: { on: { 'core.stopped': { target: 'active', actions: stop } } },
        active: {},
        waiting: { on: { 'retry.due': 'active' } },
      },
      on: {
        'dump.reported': {
          target: 'DONE',
          actions: {
            type: 'endUnit',
            params: ({ context, event }) => ({ at: event.at, result: context.result ?? 'dumped' }),
          },
        },
        'try.failed': tryFailed(MAX_TRIES.DUMP),
        'unit.pause': { actions: pause },
        'unit.fold': { actions: 'hidePause' },
        'deadline.passed': toExpired,
      },
    },
    DONE: { description: 'Ended; the client will remove it from its list.', type: 'final' },
  },
})
