import type { MachineOrder } from '../../../folding/order.ts'

export type Theme = 'auto' | 'dark' | 'light'

export type Preferences = {
  readonly theme: Theme
  readonly compact: boolean
  readonly wide: boolean
  /** Ids of unit columns in their order, or undefined for the default ones. */
  readonly columns: readonly string[] | undefined
  /** How the machines view is ordered. */
  readonly order: MachineOrder
}

export type PreferencesEvent =
  | { readonly type: 'preferences.change'; readonly change: Partial<Preferences> }
  /** Another tab changed them. */
  | { readonly type: 'preferences.changedElsewhere'; readonly preferences: Preferences }
