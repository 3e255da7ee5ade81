/** What can be wrong with untrusted input. Returned as data, never thrown. */
export type Fault =
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'too-deep'; readonly limit: number }
  /** Lists and objects. */
  | { readonly kind: 'too-many-parts'; readonly limit: number }
  | { readonly kind: 'not-json' }
  | { readonly kind: 'unsafe-key'; readonly key: string }
  | { readonly kind: 'wrong-type'; readonly path: FaultPath; readonly expected: string; readonly found: string }
  | { readonly kind: 'bad-index'; readonly path: FaultPath }
  | { readonly kind: 'unknown-message'; readonly found: string }
  | { readonly kind: 'invalid-machine-signature' }
  | { readonly kind: 'wrong-account'; readonly login: string; readonly account: string }
  /** A relay sent a login again: messages recorded under its key could be replayed. */
  | { readonly kind: 'login-reused' }
  | { readonly kind: 'too-many-logins' }
  | { readonly kind: 'iv-reused' }
  | { readonly kind: 'too-many-ivs' }
  | { readonly kind: 'wrong-session' }
  | { readonly kind: 'unsupported-message'; readonly type: string }
  | { readonly kind: 'undecryptable' }
  | { readonly kind: 'bad-broadcast-signature' }

export type FaultPath = readonly (string | number)[]

/** A usable value, with the faults of parts that were left out; or why nothing is usable. */
export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly faults: readonly Fault[] }
  | { readonly ok: false; readonly fault: Fault }

export type ReportFault = (fault: Fault) => void

const none: readonly Fault[] = []

export function good<T>(value: T, faults: readonly Fault[] = none): Result<T> {
  return { ok: true, value, faults }
}

export function bad(fault: Fault): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault }
}
