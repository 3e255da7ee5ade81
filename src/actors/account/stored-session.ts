/** The entry of the local storage that holds the sealed session (`key-store.ts`). */
export const SESSION = 'foldboard.session'

/** The session id of the signed-in user. It is held here and, encrypted, in the key store only. */
export type SessionHolder = {
  readonly get: () => string | undefined
  readonly set: (session: string | undefined) => void
}

export function createSessionHolder(): SessionHolder {
  let current: string | undefined
  return { get: () => current, set: session => (current = session) }
}
