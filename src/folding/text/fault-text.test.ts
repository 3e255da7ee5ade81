import { expect, it } from 'vitest'
import type { Fault } from '../../protocol/fault.ts'
import type { CommandFault } from '../../protocol/client/validate-command.ts'
import { commandFaultText } from './fault-text.ts'
import { messageFaultText } from './message-fault-text.ts'

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
  [{ kind: 'too-many-parts', limit: 1_500_000 }, 'The message has more than 1,500,000 parts'],
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
])('the fault %j has the text: %s [8.1]', (fault, text) => {
  expect(messageFaultText(fault)).toBe(text)
})

it.each<[CommandFault, string]>([
  [{ kind: 'lone-surrogate' }, 'The text contains half a character, which the machine refuses.'],
  [{ kind: 'too-large' }, 'This is more than the machine accepts at once.'],
  [{ kind: 'unknown-state' }, 'The machine does not know this state.'],
  [{ kind: 'unknown-group', group: 'my_gpu' }, 'The machine has no resource group "my_gpu".'],
  [{ kind: 'incomplete-group', group: 'a' }, 'The settings of the resource group "a" are not complete.'],
  [{ kind: 'wrong-setting', setting: 'team' }, 'The setting "team" has a value that the machine would ignore.'],
  [{ kind: 'unknown-unit' }, 'The machine no longer has this work unit.'],
  [{ kind: 'unassigned-unit' }, 'This work unit is not assigned yet: there is nothing to dump.'],
  [{ kind: 'unpaused-unit' }, 'Only a paused work unit can be dumped.'],
  [{ kind: 'unknown-frame' }, 'There is no such frame.'],
  [{ kind: 'no-token' }, 'There is no account token to link with.'],
  [{ kind: 'name-length' }, 'A machine name has 1 to 64 characters.'],
  [{ kind: 'name-characters' }, 'A machine name cannot contain any of the following: < > ; & \' "'],
])('the command fault %j has the text: %s', (fault, text) => {
  expect(commandFaultText(fault)).toBe(text)
})
