import { disk } from '../browser/disk.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../time/durations.ts'
import type { OpenPage } from '../world.ts'
import type { Scene } from '../story/scene.ts'
import { nothing, type Fault } from './fault.ts'

function pageOf({ world, chance }: Scene): OpenPage | undefined {
  return chance.oneOf(world.pages())
}

/** Does it now, and each time after as many milliseconds as it returned, until the fault ends. */
function againAndAgain({ world, chance }: Scene, what: string, act: (chance: Scene['chance']) => number): () => void {
  let isOver = false
  const next = (): void => {
    if (!isOver) world.scheduler.after(act(chance), 'world', what, next)
  }
  next()
  return () => (isOver = true)
}

/** Databases of the page, and its local storage. */
const STORES = ['foldboard.cache', 'foldboard-units', 'foldboard-incidents', 'foldboard-records', 'localStorage']

/** What browsers do to pages that are open, and what becomes of their network. */
export const pageFaults: readonly Fault[] = [
  {
    name: 'page put aside',
    what: 'a browser stops a page that is out of sight, and lets it go on later',
    lasts: [SECOND, 8 * HOUR],
    begin: ({ world, chance }) => {
      const page = chance.oneOf(world.pages().filter(({ tab }) => tab.isHidden()))
      page?.tab.setAside(true)
      return page && (() => page.tab.setAside(false))
    },
  },
  {
    name: 'storage evicted from an open page',
    what: 'a browser deletes what an open page has stored',
    lasts: [1, 1],
    begin: scene => {
      const page = pageOf(scene)
      page?.device.evict()
      return page && nothing
    },
  },
  {
    name: 'store full',
    what: 'browsers can store nothing more in one database, or in the local storage',
    lasts: [MINUTE, 2 * DAY],
    begin: ({ chance }) => {
      const store = chance.oneOf(STORES) ?? ''
      disk.full.add(store)
      return () => void disk.full.delete(store)
    },
  },
  {
    name: 'browser offline',
    what: 'the device of a browser has no network, up to a week',
    lasts: [MINUTE, 7 * DAY],
    begin: ({ world, chance }) => {
      const device = chance.oneOf(world.devices())
      if (device === undefined) return undefined
      const isOwn = (from: string): boolean => from === device.name || from.startsWith(`${device.name} `)
      const setOnline = (isOnline: boolean): void => {
        device.isOnline = isOnline
        for (const page of world.pages()) if (page.device === device) page.tab.tellNetwork()
      }
      const end = world.internet.conditions.add({
        concerns: ({ from, to }) => isOwn(from) && /^(relay|api)\//.test(to),
        isCut: true,
      })
      setOnline(false)
      return () => {
        end()
        setOnline(true)
      }
    },
  },
  {
    name: 'new version',
    what: 'the server of an open page has a new version of it',
    lasts: [1, 1],
    begin: scene => {
      const page = pageOf(scene)
      page?.system.updates.send({ type: 'updates.found' })
      return page && nothing
    },
  },
  {
    name: 'page busy',
    what: 'the thread of a page is busy for up to two seconds, again and again',
    lasts: [10 * SECOND, 10 * MINUTE],
    begin: scene => {
      const page = pageOf(scene)
      if (page === undefined) return undefined
      return againAndAgain(scene, 'page busy', chance => {
        const ms = chance.whole(50, 2000)
        page.tab.setBusy(ms)
        return ms + chance.whole(20, 2000)
      })
    },
  },
  {
    name: 'connections last for seconds',
    what: 'connections of pages to their node break some seconds after they were opened, again and again',
    lasts: [MINUTE, 10 * MINUTE],
    begin: scene =>
      againAndAgain(scene, 'connections break', chance => {
        scene.world.internet.breakUp(({ to }) => to === 'relay/ws/account')
        return chance.whole(3 * SECOND, 20 * SECOND)
      }),
  },
  {
    name: 'handshakes break',
    what: 'connections break again and again, some while they are being opened',
    lasts: [5 * SECOND, 2 * MINUTE],
    begin: scene =>
      againAndAgain(scene, 'handshakes break', chance => {
        scene.world.internet.breakUp(({ to }) => to.endsWith('websocket') || to.startsWith('relay/'))
        return chance.whole(20, 3000)
      }),
  },
]
