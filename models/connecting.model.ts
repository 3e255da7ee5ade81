import { setup } from 'xstate'

/**
 * Reaching a client by its address, without an account. Leaves out: what can be done with it, how it is lost and found again, and
 * the client on this computer, which is looked for without being asked.
 */
export const connectingModel = setup({
  types: {
    events: {} as
      | { type: 'ask to connect' }
      | { type: 'follow a link that names a client' }
      | { type: 'follow a link that names none' }
      | { type: 'type what is no address' }
      | { type: 'type the address of a client' }
      | { type: 'type an address where nobody is' }
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
      description: 'No machine is there, and it is said what can be done.',
      on: {
        'ask to connect': 'asked',
        'follow a link that names a client': 'proposed',
        'follow a link that names none': 'proposedBadly',
      },
    },
    asked: {
      description: 'The dialog complains of nothing yet.',
      on: {
        'type what is no address': 'refused',
        'type the address of a client': 'connected',
        'type an address where nobody is': 'unreachable',
        cancel: 'declined',
      },
    },
    proposed: {
      description: 'It is said that a link asks this, and for which address. Nothing was opened.',
      on: { agree: 'connected', cancel: 'declined' },
    },
    proposedBadly: {
      description: 'It is asked all the same, with the address that is none.',
      on: { agree: 'refused', cancel: 'declined' },
    },
    refused: {
      description: 'The dialog says what an address is, and stays.',
      on: { 'type the address of a client': 'corrected' },
    },
    corrected: { description: 'As connected at the first try.' },
    connected: {
      description: 'The machine is there, with what it says.',
      on: { reload: 'stillConnected', 'stop connecting': 'forgotten' },
    },
    stillConnected: { description: 'As before the reload, without a question.' },
    unreachable: {
      description: 'The machine is there, marked as disconnected.',
      on: { 'stop connecting': 'forgotten' },
    },
    forgotten: { description: 'No machine is there, nor on the next visit.' },
    declined: { description: 'As before the question: nothing was opened.' },
  },
})
