/** What can be wrong with something that came from outside. Data, never an exception. */
export type Fault =
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'too-deep'; readonly limit: number }
  | { readonly kind: 'not-json' }
  | { readonly kind: 'unsafe-key'; readonly key: string }
  | { readonly kind: 'wrong-type'; readonly path: FaultPath; readonly expected: string; readonly found: string }
  | { readonly kind: 'bad-index'; readonly path: FaultPath }
  | { readonly kind: 'unknown-message'; readonly found: string }
  | { readonly kind: 'invalid-machine-signature' }
  | { readonly kind: 'wrong-account'; readonly login: string; readonly account: string }
  /** A relay passed a login on again: what was recorded on its key could be repeated. */
  | { readonly kind: 'login-reused' }
  | { readonly kind: 'too-many-logins' }
  | { readonly kind: 'iv-reused' }
  | { readonly kind: 'too-many-ivs' }
  | { readonly kind: 'wrong-session' }
  | { readonly kind: 'unsupported-message'; readonly type: string }
  | { readonly kind: 'undecryptable' }
  | { readonly kind: 'bad-broadcast-signature' }

export type FaultPath = readonly (string | number)[]

/** A value that could be used, with what was wrong in parts of it; or the reason why nothing could. */
export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly faults: readonly Fault[] }
  | { readonly ok: false; readonly fault: Fault }

export type ReportFault = (fault: Fault) => void

const none: readonly Fault[] = []

export const good = <T>(value: T, faults: readonly Fault[] = none): Result<T> => ({ ok: true, value, faults })

export const bad = (fault: Fault): { readonly ok: false; readonly fault: Fault } => ({ ok: false, fault })

const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`

/** One sentence for people. Texts of the relay's errors are those of the product's error catalogue. */
export const describeFault = (fault: Fault): string => {
  switch (fault.kind) {
    case 'too-large':
      return `The message is larger than ${mebibytes(fault.limit)}`
    case 'too-deep':
      return `The message is nested deeper than ${fault.limit} levels`
    case 'not-json':
      return 'The message is not JSON'
    case 'unsafe-key':
      return `The message uses the unsafe key "${fault.key}"`
    case 'wrong-type':
      return `Expected ${fault.expected} at ${pathText(fault.path)}, found ${fault.found}`
    case 'bad-index':
      return `The message changes a place that does not exist: ${pathText(fault.path)}`
    case 'unknown-message':
      return `The message is not understood: ${fault.found}`
    case 'invalid-machine-signature':
      return 'Invalid machine signature'
    case 'wrong-account':
      return `Machine login ${fault.login} is not for this account ${fault.account}`
    case 'login-reused':
      return 'Machine login cannot be used more than once'
    case 'too-many-logins':
      return 'Too many machine logins'
    case 'iv-reused':
      return 'IV cannot be used more than once'
    case 'too-many-ivs':
      return 'Too many IVs'
    case 'wrong-session':
      return 'Message not for this session'
    case 'unsupported-message':
      return `Unsupported account message type "${fault.type}"`
    case 'undecryptable':
      return 'The message cannot be decrypted'
    case 'bad-broadcast-signature':
      return 'Invalid broadcast signature'
  }
}

const pathText = (path: FaultPath) => (path.length === 0 ? 'the top' : path.join('/'))
