import type { DonorConfig } from '../../../folding/account/donor.ts'

export type DonorEvent =
  | { readonly type: 'donor.signedIn'; readonly donor: DonorConfig }
  | { readonly type: 'donor.signedOut' }
  /** The donor in the config of the client on this computer. */
  | { readonly type: 'donor.localChanged'; readonly donor: DonorConfig }
