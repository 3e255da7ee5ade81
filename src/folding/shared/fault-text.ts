/*
 * Texts for faults of messages, of API calls and of commands.
 */
import { t } from '@lingui/core/macro'
import type { ApiFault } from '../../protocol/api-fault.ts'
import type { Fault, FaultPath } from '../../protocol/fault.ts'
import type { CommandFault } from '../../protocol/validate-command.ts'
import { formatNumber } from './format.ts'

export const apiFaultText = (fault: ApiFault): string => {
  switch (fault.kind) {
    case 'unreachable':
      return t`API error: ${fault.message}`
    case 'unreadable':
      return t`The account server sent an answer that cannot be read.`
    case 'refused':
      return fault.message
  }
}

/** Why a command was not sent. */
export const commandFaultText = (fault: CommandFault): string => {
  switch (fault.kind) {
    case 'control-characters':
      return t`The text contains control characters, which the machine refuses.`
    case 'lone-surrogate':
      return t`The text contains half a character, which the machine refuses.`
    case 'too-large':
      return t`This is more than the machine accepts at once.`
    case 'unknown-state':
      return t`The machine does not know this state.`
    case 'unknown-group':
      return t`The machine has no resource group "${fault.group}".`
    case 'incomplete-group':
      return t`The settings of the resource group "${fault.group}" are not complete.`
    case 'wrong-setting':
      return t`The setting "${fault.setting}" has a value that the machine would ignore.`
    case 'unknown-unit':
      return t`The machine no longer has this work unit.`
    case 'unassigned-unit':
      return t`This work unit is not assigned yet: there is nothing to dump.`
    case 'unpaused-unit':
      return t`Only a paused work unit can be dumped.`
    case 'unknown-frame':
      return t`There is no such frame.`
    case 'no-token':
      return t`There is no account token to link with.`
    case 'name-length':
      return t`A machine name has 1 to 64 characters.`
    case 'name-characters':
      return t`A machine name cannot contain any of the following: < > ; & ' "`
  }
}

/** What was wrong with a message. Texts of relay errors are quoted from docs/product.md. */
export const messageFaultText = (fault: Fault): string => {
  switch (fault.kind) {
    case 'too-large':
      return t`The message is larger than ${formatNumber(fault.limit / 1024 / 1024)} MiB`
    case 'too-deep':
      return t`The message is nested deeper than ${fault.limit} levels`
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

const pathText = (path: FaultPath) => (path.length === 0 ? t`the top` : path.join('/'))
