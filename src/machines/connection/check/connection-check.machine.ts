import { assign, sendParent, setup, type SnapshotFrom } from 'xstate'
import { diagnose, type CheckFacts, type ProbeResults } from '../../../folding/client/connection-diagnosis.ts'
import { CLIENT_PORT, formatAddress, parseAddress, type ClientAddress } from '../../../folding/address/address.ts'
import type { LoadFault } from '../../../folding/shared/load-fault.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import type { CheckEnvironment, ConnectionCheckEvent, ConnectionCheckNotification } from './connection-check.events.ts'

export type ConnectionCheckContext = {
  /** host:port */
  readonly address: string
  readonly subject: 'client' | 'page'
  /** Undefined until the probes have begun. */
  readonly environment: CheckEnvironment | undefined
  readonly results: ProbeResults
  /** Why the check could not be made. */
  readonly loadFault: LoadFault | undefined
}

export type ProbeInput = { readonly address: string }

const USUAL_ADDRESS = formatAddress({ host: '127.0.0.1', port: CLIENT_PORT })

export const connectionCheckMachine = setup({
  types: { context: {} as ConnectionCheckContext, events: {} as ConnectionCheckEvent },
  actors: { connectionProbes: actorPlaceholder<{ type: 'none' }, ProbeInput>('connectionProbes') },
  delays: {
    /** Longer than any probe's own time limit: for probes that never end. */
    timeLimit: 30_000,
  },
  guards: {
    isReached: ({ context }) => {
      const facts = checkFacts(context)
      return facts !== undefined && diagnose(facts) === 'connected'
    },
  },
  actions: {
    begin: assign((_, { address, subject }: { address: string; subject: 'client' | 'page' }) => ({
      address: parseAddress(address) === undefined ? USUAL_ADDRESS : address,
      subject,
    })),
    assignFault: assign((_, loadFault: LoadFault) => ({ loadFault })),
    notifyParent: sendParent({ type: 'check.reached' } satisfies ConnectionCheckNotification),
  },
}).createMachine({
  id: 'connectionCheck',
  description: 'Finds out why a client cannot be reached, while a dialog shows it.',
  context: {
    address: USUAL_ADDRESS,
    subject: 'page',
    environment: undefined,
    results: {},
    loadFault: undefined,
  },
  initial: 'closed',
  states: {
    closed: {
      on: { 'check.open': { target: 'open', actions: { type: 'begin', params: ({ event }) => event } } },
    },
    open: {
      tags: 'open',
      initial: 'probing',
      on: { 'check.close': 'closed' },
      states: {
        probing: {
          description: 'All that a page can try is tried at once, each with a time limit.',
          tags: 'busy',
          entry: assign({ environment: undefined, results: {}, loadFault: undefined }),
          invoke: {
            src: 'connectionProbes',
            id: 'probes',
            input: ({ context }) => ({ address: context.address }),
            onError: { target: 'unavailable', actions: { type: 'assignFault', params: 'damaged' } },
          },
          after: { timeLimit: 'deciding' },
          on: {
            'probes.began': {
              actions: assign(({ event }) => ({ environment: event.environment })),
            },
            'probes.found': {
              actions: assign(({ context, event }) => ({ results: { ...context.results, ...event.results } })),
            },
            'probes.ended': 'deciding',
            'probes.unavailable': {
              target: 'unavailable',
              actions: { type: 'assignFault', params: ({ event }) => event.fault },
            },
          },
        },
        deciding: {
          always: [{ guard: 'isReached', target: 'decided', actions: 'notifyParent' }, { target: 'decided' }],
        },
        decided: { tags: 'decided', on: { 'check.again': 'probing' } },
        unavailable: {
          description: 'The check itself could not be made.',
          on: { 'check.again': 'probing' },
        },
      },
    },
  },
})

/** Undefined until it is known where the check runs. */
export function checkFacts({ address, subject, environment, results }: ConnectionCheckContext): CheckFacts | undefined {
  const parsed: ClientAddress | undefined = parseAddress(address)
  return environment === undefined || parsed === undefined
    ? undefined
    : { subject, address: parsed, ...environment, results }
}

export type ConnectionCheckSnapshot = SnapshotFrom<typeof connectionCheckMachine>
