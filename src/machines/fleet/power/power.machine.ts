import { assign, sendParent, sendTo, setup, type SnapshotFrom } from 'xstate'
import { NO_POWER, powerAfter, type PowerChange, type PowerSettings } from '../../../folding/power/power.ts'
import { NO_REPORT, type PowerReport } from '../../../folding/power/report.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import type { KeepPower, PowerEvent, PowerNotification } from './power.events.ts'

export type PowerContext = { readonly power: PowerSettings; readonly report: PowerReport }

/** What each change does. */
const change = {
  guard: { type: 'isChange', params: ({ event }: { readonly event: PowerChange }) => event },
  actions: [
    { type: 'change', params: ({ event }: { readonly event: PowerChange }) => event },
    'keep',
    { type: 'notifyChanged', params: ({ event }: { readonly event: PowerChange }) => event },
  ],
} as const

export const powerMachine = setup({
  types: { context: {} as PowerContext, events: {} as PowerEvent },
  actors: {
    powerStore: actorPlaceholder<KeepPower, undefined>('powerStore'),
    /** Reports what the server measured, now and then. */
    powerReports: actorPlaceholder<{ readonly type: 'none' }, undefined>('powerReports'),
  },
  guards: {
    isChange: ({ context }, change: PowerChange) => powerAfter(context.power, change) !== context.power,
  },
  actions: {
    change: assign(({ context }, change: PowerChange) => ({ power: powerAfter(context.power, change) })),
    assignPower: assign((_, power: PowerSettings) => ({ power })),
    keep: sendTo('powerStore', ({ context }): KeepPower => ({ type: 'store.keep', value: context.power })),
    notifyStarted: sendParent({ type: 'power.started' } satisfies PowerNotification),
    notifyChanged: sendParent((_, change: PowerChange): PowerNotification => ({ type: 'power.changed', change })),
  },
}).createMachine({
  id: 'power',
  description: 'What machines draw and what energy costs, kept in this browser, and by the server of this page.',
  context: { power: NO_POWER, report: NO_REPORT },
  entry: 'notifyStarted',
  invoke: { src: 'powerStore', id: 'powerStore' },
  initial: 'own',
  on: {
    'power.restored': { actions: { type: 'assignPower', params: ({ event }) => event.power } },
    'power.served': [
      {
        guard: ({ event }) => event.isCopied,
        target: '.served',
        actions: [{ type: 'assignPower', params: ({ event }) => event.power }, 'keep'],
      },
      { target: '.served', actions: { type: 'assignPower', params: ({ event }) => event.power } },
    ],
    'power.reported': { actions: assign(({ event }) => ({ report: event.report })) },
    'power.profile': change,
    'power.tariffs': change,
  },
  states: {
    own: { description: 'No server is known that measures.' },
    served: {
      description: 'The server of this page tells what it measured. It is asked again after each change.',
      invoke: { src: 'powerReports', onError: 'own' },
    },
  },
})

export type PowerSnapshot = SnapshotFrom<typeof powerMachine>
