import type { FleetFact } from '../connection/fleet/fleet.events.ts'
import type { Preferences } from './preferences/preferences.events.ts'

/** What one tab sends to the other tabs of this browser. Contains no secrets. */
export type TabFact =
  | { readonly type: 'tabs.signedOut' }
  | { readonly type: 'tabs.signedIn'; readonly id: string }
  | { readonly type: 'tabs.preferencesChanged'; readonly preferences: Preferences }

/** What another tab has stored. */
export type StoredFact = Extract<FleetFact, { readonly type: 'fleet.addressesChanged' }>

export type TabsCommand = { readonly type: 'tabs.send'; readonly fact: TabFact }
