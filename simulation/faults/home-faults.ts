import type { Home } from '../inhabitants/homes.ts'
import type { Scene } from '../story/scene.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../time/durations.ts'
import type { Fault } from './faults.ts'

const ofHome = (
  name: string,
  what: string,
  lasts: Fault['lasts'],
  begin: (home: Home, scene: Scene) => (() => void) | undefined,
): Fault => ({
  name,
  what,
  lasts,
  begin: scene => {
    const home = scene.chance.oneOf(scene.world.homes.all())
    return home === undefined ? undefined : begin(home, scene)
  },
})

/** Stops it, changes something, and starts it again when the fault ends. */
const restarting = (change: (home: Home, scene: Scene) => void) => (home: Home, scene: Scene) => {
  home.kill()
  change(home, scene)
  return () => home.start()
}

// Those before send no pings: nobody can know that their computer sleeps (docs/product.md §8).
const VERSIONS = ['8.1.18', '8.3.0', '8.4.9', '8.5.7', '8.6.0', '9.0.1']

/** What happens to computers whose clients are processes of their own. */
export const homeFaults: readonly Fault[] = [
  ofHome(
    'client killed',
    'the process of a client is killed, and starts with what it had stored',
    [1, 5 * MINUTE],
    restarting(() => undefined),
  ),
  ofHome(
    'client updated',
    'a client is replaced by a newer or an older version',
    [SECOND, 3 * MINUTE],
    restarting((home, { chance }) => home.setVersion(chance.oneOf(VERSIONS))),
  ),
  ofHome(
    'client reinstalled',
    'a client is installed anew: another id, the same name',
    [SECOND, 10 * MINUTE],
    restarting(home => home.reinstall()),
  ),
  ofHome(
    'disk copied',
    'a computer gets the disk of another one, and both run with one id',
    [HOUR, 2 * DAY],
    (home, { world, chance }) => {
      const other = chance.oneOf(world.homes.all().filter(one => one !== home))
      if (other === undefined) return undefined
      home.kill()
      home.copyDisk(other)
      home.start()
      return () => {
        home.kill()
        home.reinstall()
        home.start()
      }
    },
  ),
  ofHome('computer sleeps', 'a computer sleeps, and nobody is told', [MINUTE, 9 * HOUR], home => {
    home.setAsleep(true)
    return () => home.setAsleep(false)
  }),
]
