import type { MoleculeRestored } from '../viewer/viewer.events.ts'
import type { MoleculeNotification } from '../../connection/client/client.events.ts'

export type Subject = { readonly client: string; readonly unit: string }

export type MoleculesCommand =
  /** A picture of a unit's molecule appears on the screen, or leaves it. */
  | ({ readonly type: 'molecules.want' } & Subject)
  | ({ readonly type: 'molecules.leave' } & Subject)
  /** Whether the client may be asked for what this browser has not stored. */
  | ({ readonly type: 'molecules.allow'; readonly mayAsk: boolean } & Subject)
  /** Ask again after a failure. */
  | ({ readonly type: 'molecules.retry' } & Subject)
  /** Forget all molecules, as another person may use the browser next. */
  | { readonly type: 'molecules.clear' }

export type MoleculesEvent = MoleculesCommand | MoleculeRestored | MoleculeNotification
