import type { DonorConfig } from '../../../folding/account/donor.ts'

export type DonorEvent =
  | { readonly type: 'donor.signedIn'; readonly donor: DonorConfig }
  | { readonly type: 'donor.signedOut' }
  /** The client on this computer folds for them. */
  | { readonly type: 'donor.localLearned'; readonly donor: DonorConfig }
