import { assign, enqueueActions, setup, type SnapshotFrom } from 'xstate'
import { formatAddress, parseAddress } from '../../../folding/address/address.ts'
import type { DirectClientsEvent, DirectClientsNotification } from './direct-clients.events.ts'

export type DirectClientsContext = {
  /** What is typed for a new client. */
  readonly address: string
  readonly name: string
}

export const directClientsMachine = setup({
  types: { context: {} as DirectClientsContext, events: {} as DirectClientsEvent },
  guards: {
    isInvalid: ({ context }) => parseAddress(context.address) === undefined,
    isKnown: ({ context }, addresses: readonly string[]) => {
      const address = parseAddress(context.address)
      return address !== undefined && addresses.includes(formatAddress(address))
    },
  },
  actions: {
    assignTyped: assign((_, { address, name }: { address?: string; name?: string }) => ({
      ...(address === undefined ? {} : { address }),
      ...(name === undefined ? {} : { name }),
    })),
    clear: assign({ address: '', name: '' }),
    notifyAdded: enqueueActions(({ context: { address, name }, enqueue }) => {
      enqueue.sendParent({ type: 'directClients.added', address, name } satisfies DirectClientsNotification)
    }),
  },
}).createMachine({
  id: 'directClients',
  description: 'The dialog with the list of direct clients.',
  context: { address: '', name: '' },
  initial: 'closed',
  states: {
    closed: {
      on: { 'directClients.open': { target: 'open', actions: 'clear' } },
    },
    open: {
      tags: 'open',
      initial: 'list',
      on: { 'directClients.close': 'closed' },
      states: {
        list: {
          initial: 'editing',
          on: {
            'directClients.edit': {
              target: '.editing',
              actions: { type: 'assignTyped', params: ({ event }) => event },
            },
            'directClients.add': [
              { guard: 'isInvalid', target: '.invalid' },
              { guard: { type: 'isKnown', params: ({ event }) => event.addresses }, target: '.known' },
              { target: '.editing', actions: ['notifyAdded', 'clear'] },
            ],
            'directClients.showImport': 'importing',
          },
          states: {
            editing: { description: 'Nothing was refused.' },
            invalid: { description: 'The address is none.' },
            known: { description: 'The list has a client at this address.' },
          },
        },
        importing: {
          description: 'A list is pasted or read from a file, and shown before it is added.',
          tags: 'importing',
          on: { 'directClients.showList': 'list' },
        },
      },
    },
  },
})

export type DirectClientsSnapshot = SnapshotFrom<typeof directClientsMachine>
