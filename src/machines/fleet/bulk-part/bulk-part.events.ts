import type { BulkWork } from '../../../folding/fleet/bulk-action.ts'
import type { JobNotification } from '../../connection/client/client.events.ts'

export type BulkPartInput = {
  /** The id of the connection over which the client is shown. */
  readonly id: string
  readonly work: BulkWork
}

export type BulkPartEvent =
  | JobNotification
  /** The client left the account or the list. */
  | { readonly type: 'part.left' }

/** What became of one client's part. */
export type PartOutcome =
  | { readonly kind: 'confirmed' }
  /** Sent, and not confirmed. */
  | { readonly kind: 'ignored'; readonly because: string }
  /** Not sent, or refused. */
  | { readonly kind: 'failed'; readonly because: string }

/** Sent to the parent. */
export type BulkPartNotification =
  | { readonly type: 'part.sent'; readonly id: string }
  | { readonly type: 'part.settled'; readonly id: string; readonly outcome: PartOutcome }
