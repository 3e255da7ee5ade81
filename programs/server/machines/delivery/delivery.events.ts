/** One message of one person's alerts by one channel. */
export type DeliveryInput = {
  readonly id: string
  /** Milliseconds until it is due. */
  readonly wait: number
  /** Failed attempts so far. */
  readonly failures: number
  /** Its content is fixed: an attempt was made before. */
  readonly wasTried: boolean
}

/** What is to be sent when a delivery is due. */
export type Examination =
  | { readonly kind: 'send' }
  /** Not for so many milliseconds: it is quiet hours, or a message about the same is being sent. */
  | { readonly kind: 'later'; readonly remaining: number }
  /** Everything was acknowledged, or is over. */
  | { readonly kind: 'nothing' }

/** How an attempt ended. A `reason` never holds a secret, nor what a receiver answered beyond its status. */
export type Attempt =
  | { readonly kind: 'sent' }
  /** The same would fail again. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** `wait`: milliseconds that the receiver demands. */
  | { readonly kind: 'failed'; readonly reason: string; readonly wait?: number }
  /** The receiver may have taken it: its answer did not come, or not whole. */
  | { readonly kind: 'unknown'; readonly reason: string }

export type DeliveryState =
  | 'queued'
  | 'held'
  | 'sending'
  | 'retrying'
  | 'delivered'
  | 'given-up'
  /** Whether it arrived is unknown, and it is not sent again. */
  | 'unknown'
  | 'unneeded'

/** How a delivery ended that was of use until then. */
export type SettledState = Extract<DeliveryState, 'delivered' | 'given-up' | 'unknown'>

/** What is stored of a delivery. `wait`: milliseconds until its next step. */
export type KeptDelivery = {
  readonly id: string
  readonly state: DeliveryState
  readonly failures: number
  readonly error: string | undefined
  readonly wait: number
}
