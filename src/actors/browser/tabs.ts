import type { StoredFact, TabFact, TabsCommand } from '../../machines/app/tabs.events.ts'
import type { Preferences } from '../../machines/app/preferences/preferences.events.ts'
import { factActor } from '../fact-actor.ts'
import { ADDRESSES, type LocalStore } from '../storage/storage.ts'

type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener' | 'close'>

export type TabsDeps = {
  /** Undefined where BroadcastChannel is missing: other tabs then see changes when they are reloaded. */
  readonly openChannel: (() => Channel) | undefined
  /** Parses preferences that another version of this page may have sent. */
  readonly readPreferences: (value: unknown) => Preferences
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>
  readonly readAddresses: LocalStore['readAddresses']
}

/** Messages between the tabs of this browser, and what another one has stored. */
export function tabs({ openChannel, readPreferences, window, readAddresses }: TabsDeps) {
  return factActor<TabsCommand, undefined, TabFact | StoredFact>(({ report, receive }) => {
    const channel = openChannel?.()
    const receiveMessage = ({ data }: MessageEvent): void => {
      const fact = factOf(data, readPreferences)
      if (fact !== undefined) report(fact)
    }
    const onStorage = ({ key }: StorageEvent): void => {
      if (key === ADDRESSES) report({ type: 'fleet.addressesChanged', clients: readAddresses() })
    }
    channel?.addEventListener('message', receiveMessage)
    window.addEventListener('storage', onStorage)
    receive(({ fact }) => channel?.postMessage(fact))
    return () => {
      window.removeEventListener('storage', onStorage)
      channel?.removeEventListener('message', receiveMessage)
      channel?.close()
    }
  })
}

function factOf(data: unknown, readPreferences: TabsDeps['readPreferences']): TabFact | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data)) return undefined
  if (data.type === 'tabs.signedOut') return { type: 'tabs.signedOut' }
  if (data.type === 'tabs.signedIn' && 'id' in data && typeof data.id === 'string')
    return { type: 'tabs.signedIn', id: data.id }
  if (data.type === 'tabs.preferencesChanged' && 'preferences' in data)
    return { type: 'tabs.preferencesChanged', preferences: readPreferences(data.preferences) }
  return undefined
}
