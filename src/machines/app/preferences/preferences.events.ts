import type { MachineOrder } from '../../../folding/machine/order.ts'

export type Theme = 'auto' | 'dark' | 'light'

export type Preferences = {
  readonly theme: Theme
  readonly compact: boolean
  readonly wide: boolean
  /** Ids of unit columns in their order, or undefined for the default ones. */
  readonly columns: readonly string[] | undefined
  /** Whether resource groups that have nothing to fold with are left out. */
  readonly hidesEmptyGroups: boolean
  /** How the machines view is ordered. */
  readonly order: MachineOrder
  /** Whether advanced settings were unlocked. */
  readonly advanced: boolean
  /** Whether long lines of a log go on in the next row. */
  readonly wrapsLog: boolean
  /** Whether a log's times are shown on this computer's clock, instead of in UTC as the client writes them. */
  readonly localLogTime: boolean
  /** The account's looks that were taken over last, as text: only others are taken over again. */
  readonly followed: string | undefined
}

/** What an account's config says of the looks. */
export type Looks = Partial<Pick<Preferences, 'theme' | 'compact' | 'wide' | 'columns' | 'hidesEmptyGroups'>>

export type PreferencesEvent =
  | { readonly type: 'preferences.change'; readonly change: Partial<Preferences> }
  /** The account's looks. What was changed on this device since stays, until the account's own change. */
  | { readonly type: 'preferences.follow'; readonly looks: Looks }
  /** Nobody is signed in any more: what cannot be chosen without an account is as it was before. */
  | { readonly type: 'preferences.unfollow' }
  /** Looks to be shown that are not kept; undefined ends that. */
  | { readonly type: 'preferences.preview'; readonly looks: Looks | undefined }
  /** Another tab changed them. */
  | { readonly type: 'preferences.changedElsewhere'; readonly preferences: Preferences }

/** What the preferences tell their parent. */
export type PreferencesNews = { readonly type: 'preferences.kept'; readonly preferences: Preferences }
