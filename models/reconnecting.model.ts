import { setup } from 'xstate'

/**
 * Losing connections and getting them back: to a machine of the account, and to one that is reached by its address. Leaves out: what
 * is being changed or read meanwhile, which other models have; the next visit; a session that ends; connections that only stutter.
 */
export const reconnectingModel = setup({
  types: {
    events: {} as
      | { type: 'the machine loses power' }
      | { type: 'it has power again' }
      | { type: 'the relay dies' }
      | { type: 'the relay lives' }
      | { type: 'the client by address ends' }
      | { type: 'it is started' }
      | { type: 'the network goes' }
      | { type: 'the network comes' },
  },
}).createMachine({
  id: 'reconnecting',
  initial: 'there',
  states: {
    there: {
      description: 'Both machines say how they are, and can be told what to do.',
      on: {
        'the machine loses power': 'machineGone',
        'the relay dies': 'relayGone',
        'the client by address ends': 'clientGone',
        'the network goes': 'offline',
      },
    },
    machineGone: {
      description:
        'It is marked as disconnected, with what it said and its age, counts for nothing, and cannot be told anything. The other can.',
      on: { 'it has power again': 'back' },
    },
    relayGone: {
      description: 'It is said that the relay is out of reach. The machine of the account is, and the other is not.',
      on: { 'the relay lives': 'back', 'the client by address ends': 'allGone' },
    },
    clientGone: {
      description: 'The one by address is marked as disconnected, and the other is not.',
      on: { 'it is started': 'back' },
    },
    allGone: { description: 'No machine can be told anything, and it is said why.' },
    offline: { description: 'It is said that there is no network.', on: { 'the network comes': 'back' } },
    back: { description: 'As if nothing had been.' },
  },
})
