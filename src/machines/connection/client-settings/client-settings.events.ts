import type { MachineConfig, MachineForm } from '../../../folding/machine/machine-form.ts'
import type { DraftNews } from '../../shared/draft/draft.events.ts'

/** What its client knows that the settings need. What sits under `secrets` never enters a recording. */
export type SettingsReport = {
  readonly form: MachineForm
  readonly isConnected: boolean
  /** Whether it is reached without an account. */
  readonly isDirect: boolean
  readonly isSignedIn: boolean
  /** Whether it belongs to the account that is signed in. */
  readonly isLinked: boolean
  /** The machine's own id; undefined as long as it has not said it. */
  readonly machine: string | undefined
  /** What it is called. */
  readonly name: string
}

export type ClientSettingsCommand =
  | { readonly type: 'settings.showGroup'; readonly name: string }
  /** `typed`: trimmed, it is the name of the group. One that there is already is only shown. */
  | { readonly type: 'settings.addGroup'; readonly typed: string }
  | { readonly type: 'settings.deleteGroup'; readonly name: string }
  /** The name under which a machine that belongs to no account would be linked. */
  | { readonly type: 'settings.nameLink'; readonly name: string }
  | { readonly type: 'settings.link' }
  | { readonly type: 'settings.unlink' }
  /** The person has read what was changed elsewhere. */
  | { readonly type: 'settings.dismiss' }

export type ClientSettingsFact =
  | { readonly type: 'settings.reported'; readonly report: SettingsReport }
  /** The client did not take over what it was told last. */
  | { readonly type: 'settings.ignored'; readonly because: string }

export type ClientSettingsEvent = ClientSettingsCommand | ClientSettingsFact | DraftNews<MachineForm>

/** What the settings tell the client whose they are. */
export type ClientSettingsNews =
  | ({ readonly type: 'client.configure' } & MachineConfig)
  /** To ask its account anew what it is called and whose it is. */
  | { readonly type: 'client.restart' }

/** Said once, to the screen: the machine left the account, and with it this page. */
export type ClientSettingsEmitted = { readonly type: 'settings.unlinked' }
