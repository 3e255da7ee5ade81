import type { Appearance } from '../../protocol/api/api.ts'
import { nodeSocketUrl } from '../../folding/address/address.ts'
import { donorConfigOf } from '../../folding/account/donor.ts'
import type { SignedIn } from '../account/account/account.events.ts'
import type { DonorEvent } from '../account/donor/donor.events.ts'
import type { FleetFact } from '../connection/fleet/fleet.events.ts'
import type { RelayCommand } from '../connection/relay/relay.events.ts'
import type { AppearancePreferences } from './preferences/preferences.events.ts'

/** Connects the relay to the account's node, or disconnects it when the account names no usable one. */
export function relayCommandOf({ account: { node = '' }, keys }: SignedIn, scheme: 'ws' | 'wss'): RelayCommand {
  const url = nodeSocketUrl(node, scheme)
  if (url !== undefined) return { type: 'relay.activate', target: { url, keys } }
  return { type: 'relay.deactivate', ...(node === '' ? {} : { invalidNode: node }) }
}

export function clientListOf({ account, keys }: SignedIn): FleetFact {
  return {
    type: 'fleet.machinesListed',
    account: keys.id,
    machines: (account.machines ?? []).map(({ id, name = '' }) => ({ id, name })),
  }
}

/** Name, team and passkey that the account's clients fold for. */
export function donorOf({ account, secrets }: SignedIn): DonorEvent {
  return {
    type: 'donor.signedIn',
    donor: donorConfigOf(account, secrets.passkey),
  }
}

/** The appearance settings in an account's config. Settings that it leaves out keep this browser's value. */
export function appearanceOf(config: Appearance | undefined): AppearancePreferences {
  return {
    ...(typeof config?.dark === 'boolean' ? { theme: config.dark ? ('dark' as const) : ('light' as const) } : {}),
    ...(typeof config?.compact === 'boolean' ? { compact: config.compact } : {}),
    ...(typeof config?.wide === 'boolean' ? { wide: config.wide } : {}),
    ...(typeof config?.hide_empty_groups === 'boolean' ? { hidesEmptyGroups: config.hide_empty_groups } : {}),
    ...(config?.columns === undefined ? {} : { columns: config.columns }),
  }
}
