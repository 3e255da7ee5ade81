import { assign, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import type { DonorConfig } from '../../../folding/account/donor.ts'
import type { DonorEvent } from './donor.events.ts'

export type DonorContext = {
  /** As the account is set; undefined when nobody is signed in. */
  readonly account: DonorConfig | undefined
  /** As the client on this computer is set; undefined while that is not known. */
  readonly local: DonorConfig | undefined
}

export const donorMachine = setup({
  types: { context: {} as DonorContext, events: {} as DonorEvent },
}).createMachine({
  id: 'donor',
  description: 'Whose points are shown: the account’s, or else those of whom the client on this computer folds for.',
  context: { account: undefined, local: undefined },
  on: {
    'donor.signedIn': { actions: assign({ account: ({ event }) => event.donor }) },
    'donor.signedOut': { actions: assign({ account: undefined }) },
    'donor.localLearned': { actions: assign({ local: ({ event }) => event.donor }) },
  },
})

export type DonorRef = ActorRefFrom<typeof donorMachine>
export type DonorSnapshot = SnapshotFrom<typeof donorMachine>
