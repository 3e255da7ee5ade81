import { disk } from '../browser/disk.ts'
import { DAY, HOUR, MINUTE } from '../time/durations.ts'
import { nothing, type Fault } from './fault.ts'

/** What goes wrong within browsers, and the devices on which they run. */
export const browserFaults: readonly Fault[] = [
  {
    name: 'worker killed',
    what: 'browsers kill the workers of all pages',
    lasts: [1, 1],
    begin: ({ world }) => {
      for (const { tab } of world.pages()) tab.killWorkers()
      return nothing
    },
  },
  {
    name: 'clock jumps',
    what: 'the clock of a device is set to a wrong time, and later to the right one',
    lasts: [MINUTE, 4 * DAY],
    begin: ({ world, chance }) => {
      const device = chance.oneOf(world.devices())
      if (device === undefined) return undefined
      device.ahead = chance.isTrue(0.5) ? chance.whole(-2 * HOUR, 2 * HOUR) : chance.whole(-400 * DAY, 400 * DAY)
      return () => (device.ahead = device.usualAhead)
    },
  },
  {
    name: 'disk full',
    what: 'browsers can store nothing more',
    lasts: [MINUTE, 4 * DAY],
    begin: () => {
      disk.isFull = true
      return () => (disk.isFull = false)
    },
  },
  {
    name: 'storage evicted',
    what: 'a browser deletes what a closed page has stored',
    lasts: [1, 1],
    begin: ({ world, chance }) => {
      const device = chance.oneOf(world.devices().filter(one => world.pages().every(page => page.device !== one)))
      device?.evict()
      return device === undefined ? undefined : nothing
    },
  },
]
