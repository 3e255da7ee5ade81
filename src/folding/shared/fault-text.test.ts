import { expect, it } from 'vitest'
import type { Fault } from '../../protocol/fault.ts'
import { messageFaultText } from './fault-text.ts'

it.each<[Fault, string]>([
  [{ kind: 'invalid-machine-signature' }, 'Invalid machine signature'],
  [{ kind: 'wrong-account', login: 'X', account: 'Y' }, 'Machine login X is not for this account Y'],
  [{ kind: 'login-reused' }, 'Machine login cannot be used more than once'],
  [{ kind: 'too-many-logins' }, 'Too many machine logins'],
  [{ kind: 'iv-reused' }, 'IV cannot be used more than once'],
  [{ kind: 'too-many-ivs' }, 'Too many IVs'],
  [{ kind: 'wrong-session' }, 'Message not for this session'],
  [{ kind: 'unsupported-message', type: 'X' }, 'Unsupported account message type "X"'],
  [{ kind: 'too-large', limit: 67108864 }, 'The message is larger than 64 MiB'],
  [{ kind: 'too-deep', limit: 64 }, 'The message is nested deeper than 64 levels'],
  [{ kind: 'not-json' }, 'The message is not JSON'],
  [{ kind: 'unsafe-key', key: '__proto__' }, 'The message uses the unsafe key "__proto__"'],
  [
    { kind: 'wrong-type', path: ['units', 0, 'eta'], expected: 'string', found: 'number' },
    'Expected string at units/0/eta, found number',
  ],
  [{ kind: 'wrong-type', path: [], expected: 'list', found: 'null' }, 'Expected list at the top, found null'],
  [{ kind: 'bad-index', path: ['units', 7] }, 'The message changes a place that does not exist: units/7'],
  [{ kind: 'unknown-message', found: 'number' }, 'The message is not understood: number'],
  [{ kind: 'undecryptable' }, 'The message cannot be decrypted'],
  [{ kind: 'bad-broadcast-signature' }, 'Invalid broadcast signature'],
])('the fault %j has the text: %s', (fault, text) => {
  expect(messageFaultText(fault)).toBe(text)
})
