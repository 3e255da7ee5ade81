import { t } from '@lingui/core/macro'
import type { Fault, FaultPath } from '../../protocol/fault.ts'
import { formatNumber } from './format.ts'

/** What was wrong with a message. Texts of relay errors are quoted from docs/product.md. */
export function messageFaultText(fault: Fault): string {
  switch (fault.kind) {
    case 'too-large':
      return t`The message is larger than ${formatNumber(fault.limit / 1024 / 1024)} MiB`
    case 'too-deep':
      return t`The message is nested deeper than ${fault.limit} levels`
    case 'too-many-parts':
      return t`The message has more than ${formatNumber(fault.limit)} parts`
    case 'not-json':
      return t`The message is not JSON`
    case 'unsafe-key':
      return t`The message uses the unsafe key "${fault.key}"`
    case 'wrong-type':
      return t`Expected ${fault.expected} at ${pathText(fault.path)}, found ${fault.found}`
    case 'bad-index':
      return t`The message changes a place that does not exist: ${pathText(fault.path)}`
    case 'unknown-message':
      return t`The message is not understood: ${fault.found}`
    case 'invalid-machine-signature':
      return t`Invalid machine signature`
    case 'wrong-account':
      return t`Machine login ${fault.login} is not for this account ${fault.account}`
    case 'login-reused':
      return t`Machine login cannot be used more than once`
    case 'too-many-logins':
      return t`Too many machine logins`
    case 'iv-reused':
      return t`IV cannot be used more than once`
    case 'too-many-ivs':
      return t`Too many IVs`
    case 'wrong-session':
      return t`Message not for this session`
    case 'unsupported-message':
      return t`Unsupported account message type "${fault.type}"`
    case 'undecryptable':
      return t`The message cannot be decrypted`
    case 'bad-broadcast-signature':
      return t`Invalid broadcast signature`
  }
}

function pathText(path: FaultPath) {
  return path.length === 0 ? t`the top` : path.join('/')
}
