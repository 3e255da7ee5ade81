/** A screen shows what units were credited with: ask for what is not known. */
export type CreditsEvent = { readonly type: 'credits.open' } | { readonly type: 'credits.close' }
