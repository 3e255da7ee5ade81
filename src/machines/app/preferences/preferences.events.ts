import type { PutAway } from '../../../folding/client/put-away.ts'
import type { SpeedBasis } from '../../../folding/unit/watched.ts'
import type { FleetView } from '../../../folding/fleet/fleet-view.ts'
import type { ClientOrder } from '../../../folding/client/order.ts'

export type ThemePreference = 'auto' | 'dark' | 'light'

export type Preferences = {
  readonly theme: ThemePreference
  /** Code of the language, or undefined for the browser's. It is the one of the page after a reload. */
  readonly language: string | undefined
  readonly compact: boolean
  readonly wide: boolean
  /** Ids of unit columns in their order, or undefined for the default ones. */
  readonly columns: readonly string[] | undefined
  /** Whether resource groups without CPUs and GPUs are hidden. */
  readonly hidesEmptyGroups: boolean
  /** How the machines view is ordered. */
  readonly order: ClientOrder
  /** Panels or grid, with which columns, and which panels are collapsed. */
  readonly fleetView: FleetView
  /** Whether advanced settings were unlocked. */
  readonly advanced: boolean
  /** Whether long log lines wrap. */
  readonly wrapsLog: boolean
  /** Whether log times are shown in local time instead of UTC, as the client writes them. */
  readonly localLogTime: boolean
  /** Whether single letters are keys in lists of machines. */
  readonly listKeys: boolean
  /** Whether the log book is shown. */
  readonly showsLogBook: boolean
  /** Clients that are put away until they connect. */
  readonly putAway: PutAway
  /** By which frames the speed of running units is measured. */
  readonly speed: SpeedBasis
  /** JSON of the account's appearance settings applied last: only different ones are applied again. */
  readonly followed: string | undefined
}

/** The preferences that an account's config can set. */
export type AppearancePreferences = Partial<
  Pick<Preferences, 'theme' | 'compact' | 'wide' | 'columns' | 'hidesEmptyGroups'>
>

export type PreferencesEvent =
  | { readonly type: 'preferences.change'; readonly change: Partial<Preferences> }
  /** Apply the account's appearance. Changes made on this device since then stay until the account changes again. */
  | { readonly type: 'preferences.applyAccount'; readonly appearance: AppearancePreferences }
  /** The user signed out: preferences that need an account return to their defaults. */
  | { readonly type: 'preferences.resetAccount' }
  /** Show this appearance without saving it; undefined ends the preview. */
  | { readonly type: 'preferences.preview'; readonly appearance: AppearancePreferences | undefined }
  /** Another tab changed them. */
  | { readonly type: 'preferences.changedElsewhere'; readonly preferences: Preferences }

/** Sent to the parent. */
export type PreferencesNotification = { readonly type: 'preferences.saved'; readonly preferences: Preferences }
