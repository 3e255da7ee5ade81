import type { ConfigChange } from '../../../folding/client/client-form-edits.ts'
import type { ClientForm } from '../../../folding/client/client-form.ts'
import type { DraftNotification } from '../../shared/draft/draft.events.ts'

/** What the client machine reports to the settings. Values under `secrets` are left out of recordings. */
export type SettingsReport = {
  readonly form: ClientForm
  readonly isConnected: boolean
  /** Whether it is connected to directly, without an account. */
  readonly isDirect: boolean
  readonly isSignedIn: boolean
  /** Whether it belongs to the account that is signed in. */
  readonly isLinked: boolean
  /** Whether either the client or the account is simulated, and the other is not. */
  readonly isOverBorder: boolean
  /** The client's own id; undefined until it is reported. */
  readonly machine: string | undefined
  /** The client's name as shown. */
  readonly name: string
}

export type ClientSettingsCommand =
  | { readonly type: 'settings.showGroup'; readonly name: string }
  /** `typed` is trimmed to the group's name. An existing group is only shown. */
  | { readonly type: 'settings.addGroup'; readonly typed: string }
  | { readonly type: 'settings.deleteGroup'; readonly name: string }
  /** The name to link an unlinked client under. */
  | { readonly type: 'settings.nameLink'; readonly name: string }
  | { readonly type: 'settings.link' }
  | { readonly type: 'settings.unlink' }
  /** The user has seen what was changed elsewhere. */
  | { readonly type: 'settings.dismiss' }

export type ClientSettingsFact =
  | { readonly type: 'settings.reported'; readonly report: SettingsReport }
  /** The client did not apply the last command. */
  | { readonly type: 'settings.ignored'; readonly because: string }

export type ClientSettingsEvent = ClientSettingsCommand | ClientSettingsFact | DraftNotification<ClientForm>

/** Sent to the client machine, the parent. */
export type ClientSettingsNews =
  | ({ readonly type: 'client.configure' } & ConfigChange)
  /** Makes the client reconnect to its account, which gives it its name and owner. */
  | { readonly type: 'client.restart' }

/** Emitted when the client was unlinked: the screen leaves its page. */
export type ClientSettingsEmitted = { readonly type: 'settings.unlinked' }

/** The system id to which dialogs send their answers. `client`: the client's id in the fleet. */
export function settingsSystemId(client: string): string {
  return `client:${client}:settings`
}
