import { assign, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import type { DonorConfig } from '../../../folding/account/donor.ts'
import type { DonorEvent } from './donor.events.ts'

export type DonorContext = {
  /** From the account; undefined when signed out. */
  readonly account: DonorConfig | undefined
  /** From the client on this computer; undefined until it is known. */
  readonly local: DonorConfig | undefined
}

export const donorMachine = setup({
  types: { context: {} as DonorContext, events: {} as DonorEvent },
}).createMachine({
  id: 'donor',
  description: 'The donor whose statistics are shown: the account’s, otherwise that of the client on this computer.',
  context: { account: undefined, local: undefined },
  on: {
    'donor.signedIn': { actions: assign({ account: ({ event }) => event.donor }) },
    'donor.signedOut': { actions: assign({ account: undefined }) },
    'donor.localChanged': { actions: assign({ local: ({ event }) => event.donor }) },
  },
})

export type DonorRef = ActorRefFrom<typeof donorMachine>

declare module '../../shared/siblings.ts' {
  interface Siblings {
    readonly donor: DonorRef
  }
}
export type DonorSnapshot = SnapshotFrom<typeof donorMachine>
