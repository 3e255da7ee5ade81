import { assign, sendParent, setup, type SnapshotFrom } from 'xstate'
import { checkAddress } from '../../../folding/address/address-check.ts'
import type { ConnectEvent, ConnectNotification } from './connect.events.ts'

export type ConnectContext = {
  readonly address: string
  /** Whether a link requested the connection; the dialog reports it. */
  readonly isForeign: boolean
}

export const connectMachine = setup({
  types: { context: {} as ConnectContext, events: {} as ConnectEvent },
  guards: { isValid: ({ context }) => checkAddress(context.address) === undefined },
  actions: {
    notifyParent: sendParent(({ context }): ConnectNotification => ({
      type: 'connect.agreed',
      address: context.address.trim(),
    })),
  },
}).createMachine({
  id: 'connect',
  description: 'The dialog that asks for the address of a client before connecting to it.',
  context: { address: '', isForeign: false },
  initial: 'closed',
  states: {
    closed: {
      on: {
        'connect.ask': {
          target: 'open',
          actions: assign(({ event }) => ({ address: event.address ?? '', isForeign: event.isForeign ?? false })),
        },
      },
    },
    open: {
      tags: 'open',
      initial: 'editing',
      on: {
        'connect.edit': { actions: assign({ address: ({ event }) => event.address }) },
        'connect.cancel': 'closed',
        'connect.submit': [{ guard: 'isValid', target: 'closed', actions: 'notifyParent' }, { target: '.invalid' }],
      },
      states: {
        editing: { description: 'Not submitted yet, so no errors are shown.' },
        invalid: { description: 'The submitted address is invalid.', tags: 'showsErrors' },
      },
    },
  },
})

export type ConnectSnapshot = SnapshotFrom<typeof connectMachine>
