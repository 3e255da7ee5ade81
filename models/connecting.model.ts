import { setup } from 'xstate'

/**
 * Connecting to a client by its address, without an account. Not covered: controlling it, reconnecting, and the client on
 * this computer, to which the page connects by itself.
 */
export const connectingModel = setup({
  types: {
    events: {} as
      | { type: 'ask to connect' }
      | { type: 'follow a link that names a client' }
      | { type: 'follow a link that names none' }
      | { type: 'type what is no address' }
      | { type: 'type the address of a client' }
      | { type: 'type an address where no client is' }
      | { type: 'agree' }
      | { type: 'cancel' }
      | { type: 'reload' }
      | { type: 'stop connecting' },
  },
}).createMachine({
  id: 'connecting',
  initial: 'alone',
  states: {
    alone: {
      description: 'No machines; the page explains what to do.',
      on: {
        'ask to connect': 'asked',
        'follow a link that names a client': 'proposed',
        'follow a link that names none': 'proposedBadly',
      },
    },
    asked: {
      description: 'The dialog shows no errors yet.',
      on: {
        'type what is no address': 'refused',
        'type the address of a client': 'connected',
        'type an address where no client is': 'unreachable',
        cancel: 'declined',
      },
    },
    proposed: {
      description:
        'The dialog says that a link requested the connection, and to which address. Nothing is connected yet.',
      on: { agree: 'connected', cancel: 'declined' },
    },
    proposedBadly: {
      description: 'The dialog is shown with the invalid address.',
      on: { agree: 'refused', cancel: 'declined' },
    },
    refused: {
      description: 'The dialog shows the error and stays open.',
      on: { 'type the address of a client': 'corrected' },
    },
    corrected: { description: 'Same as connected at the first attempt.' },
    connected: {
      description: 'The machine is shown with its data.',
      on: { reload: 'stillConnected', 'stop connecting': 'forgotten' },
    },
    stillConnected: { description: 'As before the reload, without a dialog.' },
    unreachable: {
      description: 'The machine is shown as disconnected.',
      on: { 'stop connecting': 'forgotten' },
    },
    forgotten: { description: 'No machine is shown, also not on the next visit.' },
    declined: { description: 'As before the dialog: nothing was connected.' },
  },
})
