/** Reported by the effect that watches the page's server (src/actors/offline/version-watch.ts). */
export type VersionFact =
  /** The server of this page has another version than the running one. */
  | { readonly type: 'updates.found' }
  /** The files of this page are stored, so that it opens without a network. */
  | { readonly type: 'updates.stored' }
  /** This browser had another version before. */
  | { readonly type: 'updates.upgraded' }

/** To the same effect. */
export type VersionCommand = { readonly type: 'version.reload' }

export type UpdatesEvent =
  | VersionFact
  /** The user wants the new version now. */
  | { readonly type: 'updates.take' }
  | { readonly type: 'updates.postpone' }
  /** The user has seen that there is something new. */
  | { readonly type: 'updates.dismiss' }
