import { assign, enqueueActions, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { clientKeyOf } from '../../../folding/client/client.ts'
import { idleStep, idleTimeOf, NO_TIMES, withIdleTime, type IdleTimes } from '../../../folding/fleet/idle-time.ts'
import { viewOf } from '../../connection/client/client.report.ts'
import { selectShownIds } from '../../connection/fleet/fleet.selectors.ts'
import { actorPlaceholder, taskPlaceholder } from '../../shared/actor-placeholder.ts'
import { sendToSibling, siblingOf } from '../../shared/siblings.ts'
import type { IdleTimesEvent, KeepIdleTimes } from './idle-times.events.ts'

type IdleTimesContext = { readonly times: IdleTimes }

export const idleTimesMachine = setup({
  types: { context: {} as IdleTimesContext, events: {} as IdleTimesEvent },
  actors: {
    /** Keeps the times in this browser. */
    idleTimeStore: actorPlaceholder<KeepIdleTimes, undefined>('idleTimeStore'),
    /** The time of now: the page's clock stands still while nobody sees the page. */
    readClock: taskPlaceholder<number, undefined>('readClock'),
  },
  delays: { pace: 15_000 },
  guards: {
    hasTimes: ({ context }) => Object.keys(context.times).length > 0,
  },
  actions: {
    keep: sendTo('idleTimeStore', ({ context }): KeepIdleTimes => ({ type: 'store.keep', value: context.times })),
    advance: enqueueActions(({ context, enqueue, system }, now: number) => {
      let { times } = context
      const fleet = siblingOf(system, 'fleet')?.getSnapshot()
      for (const id of fleet === undefined ? [] : selectShownIds('usual')(fleet)) {
        const snapshot = siblingOf(system, `client:${id}`)?.getSnapshot()
        const view = snapshot === undefined ? undefined : viewOf(snapshot.context)
        const client = view === undefined ? undefined : clientKeyOf(view)
        const time = idleTimeOf(times, client)
        if (client === undefined || time === undefined || view?.data === undefined || !view.isConnected) continue
        const step = idleStep(view.data, time, now)
        if (step.kind === 'wait') continue
        if (step.kind === 'done') {
          times = withIdleTime(times, client, undefined)
          continue
        }
        for (const group of step.groups)
          sendToSibling({ enqueue, system }, `client:${id}`, { type: 'client.setState', state: step.state, group })
        const asked = Object.fromEntries(step.groups.map(group => [group, now]))
        times = withIdleTime(times, client, { ...time, asked: { ...time.asked, ...asked } })
      }
      if (times === context.times) return
      enqueue.assign({ times })
      enqueue.sendTo('idleTimeStore', { type: 'store.keep', value: times } satisfies KeepIdleTimes)
    }),
  },
}).createMachine({
  id: 'idleTimes',
  description: 'Times by which machines shall be idle, kept in this browser. Tells them to finish in time.',
  context: { times: NO_TIMES },
  invoke: { src: 'idleTimeStore', id: 'idleTimeStore' },
  initial: 'idle',
  on: {
    'idleTimes.restored': { actions: assign(({ event }) => ({ times: event.times })) },
    'idleTimes.set': {
      actions: [
        assign(({ context, event: { client, time } }) => ({
          times: withIdleTime(context.times, client, time),
        })),
        'keep',
      ],
    },
  },
  states: {
    idle: {
      description: 'No machine has a time.',
      always: { guard: 'hasTimes', target: 'advancing' },
    },
    watching: {
      always: { guard: ({ context }) => Object.keys(context.times).length === 0, target: 'idle' },
      after: { pace: 'advancing' },
    },
    advancing: {
      description: 'Tells those machines to finish whose next unit would be too late.',
      invoke: {
        src: 'readClock',
        onDone: { target: 'watching', actions: { type: 'advance', params: ({ event }) => event.output } },
        onError: 'watching',
      },
    },
  },
})

export type IdleTimesRef = ActorRefFrom<typeof idleTimesMachine>

declare module '../../shared/siblings.ts' {
  interface Siblings {
    readonly idleTimes: IdleTimesRef
  }
}
export type IdleTimesSnapshot = SnapshotFrom<typeof idleTimesMachine>
