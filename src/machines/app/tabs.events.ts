import type { Preferences } from './preferences/preferences.events.ts'

/** What one tab tells the others of this browser. Nothing of it is secret. */
export type TabFact =
  | { readonly type: 'tabs.signedOut' }
  | { readonly type: 'tabs.signedIn'; readonly id: string }
  | { readonly type: 'tabs.preferencesChanged'; readonly preferences: Preferences }

export type TabsCommand = { readonly type: 'tabs.tell'; readonly fact: TabFact }
