import { setup } from 'xstate'

/**
 * Losing and restoring connections: to a machine of the account, and to one connected by its address. Not covered: unsaved
 * changes and reading, which other models cover; the next visit; a session that ends; slow connections.
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
      description: 'Both machines report, and can be controlled.',
      on: {
        'the machine loses power': 'machineGone',
        'the relay dies': 'relayGone',
        'the client by address ends': 'clientGone',
        'the network goes': 'offline',
      },
    },
    machineGone: {
      description:
        'It is marked as disconnected, with its last data and their age, is not counted, and cannot be sent commands. The other can.',
      on: { 'it has power again': 'back' },
    },
    relayGone: {
      description: 'The page says that the relay is disconnected. So is the machine of the account, but not the other.',
      on: { 'the relay lives': 'back', 'the client by address ends': 'allGone' },
    },
    clientGone: {
      description: 'The one by address is marked as disconnected, and the other is not.',
      on: { 'it is started': 'back' },
    },
    allGone: { description: 'No machine can be controlled, and the page says why.' },
    offline: { description: 'Connections that last are shown as before.', on: { 'the network comes': 'back' } },
    back: { description: 'Both machines are connected as at the start.' },
  },
})
