import { describe, expect, it } from 'vitest'
import { createActor, createMachine, type AnyActorRef } from 'xstate'
import { defaultPreferences } from '../../machines/app/preferences/preferences.machine.ts'
import type { TabFact } from '../../machines/app/tabs.events.ts'
import { tabs } from './tabs.ts'

const window = new EventTarget() as Window
const clients = [{ address: 'attic:7396', name: undefined }]
const deps = { readPreferences: () => defaultPreferences, window, readAddresses: () => clients }

/** Tabs of one browser: each hears what the others post. */
function openBrowser() {
  const open = new Set<(event: MessageEvent) => void>()
  const openTab = () => {
    const received: unknown[] = []
    let ownListener: ((event: MessageEvent) => void) | undefined
    const post = (data: unknown): void => {
      for (const listener of open) if (listener !== ownListener) listener(new MessageEvent('message', { data }))
    }
    const channel = {
      postMessage: post,
      addEventListener: (_: string, listener: unknown) => {
        ownListener = listener as (event: MessageEvent) => void
        open.add(ownListener)
      },
      removeEventListener: () => ownListener !== undefined && open.delete(ownListener),
      close: () => undefined,
    }
    const parent = createActor(
      createMachine({
        invoke: { src: tabs({ openChannel: () => channel, ...deps }), id: 'tabs' },
        on: { '*': { actions: ({ event }) => received.push(event) } },
      }),
    ).start()
    const actor = parent.getSnapshot().children['tabs'] as AnyActorRef
    return {
      received,
      post,
      tell: (fact: TabFact) => actor.send({ type: 'tabs.send', fact }),
      close: () => parent.stop(),
    }
  }
  return { openTab, count: () => open.size }
}

describe('the tabs of a browser', () => {
  it.each([
    [{ type: 'tabs.signedOut' }],
    [{ type: 'tabs.signedIn', id: 'me' }],
    [{ type: 'tabs.preferencesChanged', preferences: defaultPreferences }],
  ] as const)('hear what another tells, and not themselves: %o', fact => {
    const { openTab } = openBrowser()
    const [one, two] = [openTab(), openTab()]
    one.tell(fact)
    expect(one.received).toEqual([])
    expect(two.received).toEqual([fact])
  })

  it('ignore unknown messages', () => {
    const { openTab } = openBrowser()
    const [one, two] = [openTab(), openTab()]
    for (const data of [null, 'tabs.signedOut', { type: 'tabs.signedIn' }, { type: 'account.delete' }]) one.post(data)
    expect(two.received).toEqual([])
  })

  it('see which direct clients another has stored', () => {
    const { openTab } = openBrowser()
    const tab = openTab()
    const store = (key: string) => window.dispatchEvent(Object.assign(new Event('storage'), { key }))
    store('foldboard.tags')
    store('foldboard.addresses')
    expect(tab.received).toEqual([{ type: 'fleet.addressesChanged', clients }])
    tab.close()
    store('foldboard.addresses')
    expect(tab.received.length).toBe(1)
  })

  it('remove their listeners', () => {
    const { openTab, count } = openBrowser()
    openTab().close()
    expect(count()).toBe(0)
  })

  it('work without BroadcastChannel', () => {
    const parent = createActor(
      createMachine({
        invoke: { src: tabs({ openChannel: undefined, ...deps }), id: 'tabs' },
      }),
    ).start()
    parent.getSnapshot().children['tabs']?.send({ type: 'tabs.send', fact: { type: 'tabs.signedOut' } })
    expect(parent.getSnapshot().status).toBe('active')
  })
})
