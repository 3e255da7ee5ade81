import { GENERATIONS } from '../../network/clients/profiles/generations.ts'
import type { Home } from '../inhabitants/homes.ts'
import type { World } from '../world.ts'
import type { Scene } from '../story/scene.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../time/durations.ts'
import type { Fault } from './fault.ts'

type Homes = (world: World) => readonly Home[]

type Begin = (home: Home, scene: Scene) => (() => void) | undefined

function onOneOf(homes: Homes, begin: Begin): Fault['begin'] {
  return scene => {
    const home = scene.chance.oneOf(homes(scene.world))
    return home === undefined ? undefined : begin(home, scene)
  }
}

/** Stops it, changes something, and starts it again when the fault ends. */
function restarting(change: (home: Home, scene: Scene) => void) {
  return (home: Home, scene: Scene) => {
    home.kill()
    change(home, scene)
    return () => home.start()
  }
}

// Those before send no pings: nobody can know that their computer sleeps (docs/product.md §8).
const VERSIONS = ['8.1.18', ...Object.keys(GENERATIONS), '8.6.0', '9.0.1']

/** Two computers have one disk, until one of them is installed anew. */
function copying(homes: Homes) {
  return (home: Home, { world, chance }: Scene): (() => void) | undefined => {
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
}

function sleeping(home: Home): () => void {
  home.setAsleep(true)
  return () => home.setAsleep(false)
}

function refusing(home: Home): () => void {
  const startWith = (refuses: boolean): void => {
    home.kill()
    home.setRefusing(refuses)
    home.start()
  }
  startWith(true)
  return () => startWith(false)
}

function killedWhileStarting(home: Home): () => void {
  const startAgain = (): void => {
    home.kill()
    home.start()
  }
  startAgain()
  return startAgain
}

const atHome: Homes = ({ homes }) => homes.all()
const ofAccount: Homes = ({ household }) => household.all()

/** What happens to all computers whose clients are processes of their own. `of`: which ones, in names. */
function faultsOf(homes: Homes, of: string, copied: Fault['lasts']): readonly Fault[] {
  return [
    {
      name: `client${of} killed`,
      what: `the process of a client${of} is killed, and starts with what it had stored`,
      lasts: [1, 5 * MINUTE],
      begin: onOneOf(
        homes,
        restarting(() => undefined),
      ),
    },
    {
      name: `client${of} updated`,
      what: `a client${of} is replaced by a newer or an older version`,
      lasts: [SECOND, 3 * MINUTE],
      begin: onOneOf(
        homes,
        restarting((home, { chance }) => home.setVersion(chance.oneOf(VERSIONS))),
      ),
    },
    {
      name: `client${of} reinstalled`,
      what: `a client${of} is installed anew: another id, the same name`,
      lasts: [SECOND, 10 * MINUTE],
      begin: onOneOf(
        homes,
        restarting(home => home.reinstall()),
      ),
    },
    {
      name: `disk${of} copied`,
      what: `a computer${of} gets the disk of another one, and both run with one id`,
      lasts: copied,
      begin: onOneOf(homes, copying(homes)),
    },
    {
      name: `computer${of} sleeps`,
      what: `a computer${of} sleeps, and nobody is told`,
      lasts: [MINUTE, 9 * HOUR],
      begin: onOneOf(homes, sleeping),
    },
  ]
}

/** What happens to computers whose clients are processes of their own. */
export const homeFaults: readonly Fault[] = [
  ...faultsOf(atHome, '', [HOUR, 2 * DAY]),
  // Each ends the connection of the other at the node, again and again.
  ...faultsOf(ofAccount, ' of the account', [10 * SECOND, 5 * MINUTE]),
  {
    name: 'client refuses the page',
    what: 'a client starts with other settings, and trusts the origin of the page no more',
    lasts: [2 * MINUTE, 3 * HOUR],
    begin: onOneOf(atHome, refusing),
  },
  {
    name: 'client of the account killed while it starts',
    what: 'a client of the account is killed, and again while it links itself or logs in',
    lasts: [1, 3 * SECOND],
    begin: onOneOf(ofAccount, killedWhileStarting),
  },
]
