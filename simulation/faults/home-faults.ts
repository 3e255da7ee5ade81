import type { Home } from '../inhabitants/homes.ts'
import type { World } from '../world.ts'
import type { Scene } from '../story/scene.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../time/durations.ts'
import type { Fault } from './faults.ts'

type Homes = (world: World) => readonly Home[]

const ofHome = (
  homes: Homes,
  name: string,
  what: string,
  lasts: Fault['lasts'],
  begin: (home: Home, scene: Scene) => (() => void) | undefined,
): Fault => ({
  name,
  what,
  lasts,
  begin: scene => {
    const home = scene.chance.oneOf(homes(scene.world))
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

/** Two computers have one disk, until one of them is installed anew. */
const copying =
  (homes: Homes) =>
  (home: Home, { world, chance }: Scene): (() => void) | undefined => {
    const other = chance.oneOf(homes(world).filter(one => one !== home))
    if (other === undefined) return undefined
    home.kill()
    home.copyDisk(other)
    home.start()
    return () => {
      home.kill()
      home.reinstall()
      home.start()
    }
  }

const sleeping = (home: Home): (() => void) => {
  home.setAsleep(true)
  return () => home.setAsleep(false)
}

const nothing = (): void => undefined

const atHome: Homes = ({ homes }) => homes.all()
const ofAccount: Homes = ({ household }) => household.all()

/** What happens to computers whose clients are processes of their own. */
export const homeFaults: readonly Fault[] = [
  ofHome(
    atHome,
    'client killed',
    'the process of a client is killed, and starts with what it had stored',
    [1, 5 * MINUTE],
    restarting(nothing),
  ),
  ofHome(
    atHome,
    'client updated',
    'a client is replaced by a newer or an older version',
    [SECOND, 3 * MINUTE],
    restarting((home, { chance }) => home.setVersion(chance.oneOf(VERSIONS))),
  ),
  ofHome(
    atHome,
    'client reinstalled',
    'a client is installed anew: another id, the same name',
    [SECOND, 10 * MINUTE],
    restarting(home => home.reinstall()),
  ),
  ofHome(
    atHome,
    'disk copied',
    'a computer gets the disk of another one, and both run with one id',
    [HOUR, 2 * DAY],
    copying(atHome),
  ),
  ofHome(
    atHome,
    'client refuses the page',
    'a client starts with other settings, and trusts the origin of the page no more',
    [2 * MINUTE, 3 * HOUR],
    home => {
      const startWith = (refuses: boolean): void => {
        home.kill()
        home.setRefusing(refuses)
        home.start()
      }
      startWith(true)
      return () => startWith(false)
    },
  ),
  ofHome(atHome, 'computer sleeps', 'a computer sleeps, and nobody is told', [MINUTE, 9 * HOUR], sleeping),
  ofHome(
    ofAccount,
    'client of the account killed',
    'the process of a client of the account is killed, and starts with what it had stored',
    [1, 5 * MINUTE],
    restarting(nothing),
  ),
  ofHome(
    ofAccount,
    'client of the account killed while it starts',
    'a client of the account is killed, and again while it links itself or logs in',
    [1, 3 * SECOND],
    home => {
      home.kill()
      home.start()
      return () => {
        home.kill()
        home.start()
      }
    },
  ),
  ofHome(
    ofAccount,
    'client of the account updated',
    'a client of the account is replaced by a newer or an older version',
    [SECOND, 3 * MINUTE],
    restarting((home, { chance }) => home.setVersion(chance.oneOf(VERSIONS))),
  ),
  ofHome(
    ofAccount,
    'client of the account reinstalled',
    'a client of the account is installed anew: another id, the same name, and the old one never connects again',
    [SECOND, 10 * MINUTE],
    restarting(home => home.reinstall()),
  ),
  ofHome(
    ofAccount,
    'disk of the account copied',
    'two computers log in at the node with one id, and each ends the connection of the other',
    [10 * SECOND, 5 * MINUTE],
    copying(ofAccount),
  ),
  ofHome(
    ofAccount,
    'computer of the account sleeps',
    'a computer of the account sleeps, and its node learns it by its silence',
    [MINUTE, 9 * HOUR],
    sleeping,
  ),
]
