/**
 * Whether a client accepts a connection from this origin. Without an Origin header it is not from a page, and always
 * accepted (docs/protocol.md §10).
 */
export type OriginRule = (origin: string | undefined) => boolean

const PROVIDER = /^https:\/\/(?:[a-z0-9-]+\.)*foldingathome\.org$/

/** The rule of client 8.5.7 that listens on `port` and was started with these `allowed-origins`. */
export function createOriginRule(port: () => number, allowed: readonly string[]): OriginRule {
  return origin => {
    if (origin === undefined) return true
    const ownOrigins = [`http://localhost:${port()}`, `http://127.0.0.1:${port()}`]
    return ownOrigins.includes(origin) || allowed.includes(origin) || PROVIDER.test(origin)
  }
}
