/*
 * Texts for faults of API calls and of commands.
 */
import { t } from '@lingui/core/macro'
import type { ApiFault } from '../../protocol/api/api-fault.ts'
import type { CommandFault } from '../../protocol/client/validate-command.ts'

export function apiFaultText(fault: ApiFault): string {
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
export function commandFaultText(fault: CommandFault): string {
  switch (fault.kind) {
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
