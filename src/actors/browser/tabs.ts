import type { TabFact, TabsCommand } from '../../machines/app/tabs.events.ts'
import type { Preferences } from '../../machines/app/preferences/preferences.events.ts'
import { factActor } from '../fact-actor.ts'

type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener' | 'close'>

export type TabsDeps = {
  /** Undefined where BroadcastChannel is missing: other tabs then see changes when they are reloaded. */
  readonly openChannel: (() => Channel) | undefined
  /** Parses preferences that another version of this page may have sent. */
  readonly readPreferences: (value: unknown) => Preferences
}

/** Messages between the tabs of this browser. */
export function tabs({ openChannel, readPreferences }: TabsDeps) {
  return factActor<TabsCommand, undefined, TabFact>(({ report, receive }) => {
    const channel = openChannel?.()
    const receiveMessage = ({ data }: MessageEvent): void => {
      const fact = factOf(data, readPreferences)
      if (fact !== undefined) report(fact)
    }
    channel?.addEventListener('message', receiveMessage)
    receive(({ fact }) => channel?.postMessage(fact))
    return () => {
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
