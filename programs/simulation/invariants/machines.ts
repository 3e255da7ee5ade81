import { DIRECT_ID } from '../../../src/folding/client/client.ts'
import type { ClientRef } from '../../../src/machines/connection/client/client.machine.ts'
import { selectRelayCondition } from '../../../src/machines/connection/relay/relay.selectors.ts'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import { selectClientKeyOf } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import type { Home } from '../inhabitants/homes.ts'
import type { Inhabitant } from '../inhabitants/inhabitants.ts'
import type { OpenPage } from '../world.ts'
import type { FleetClient } from '../../network/index.ts'
import type { Checked } from './invariant.ts'

/** A machine as the world knows it, whatever pages believe. */
export type Machine = {
  /** Unique in the world. */
  readonly id: string
  readonly name: string
  /** What it would tell a new reader now. */
  readonly said: () => ClientData | undefined
  /** Whether a page could hear it now: it runs, and nothing between them is cut. */
  readonly isReachable: () => boolean
  /** Whether messages were lost on the way without anybody's noticing, so that no page can be right of it. */
  readonly isHarmed: () => boolean
  /** Whether it is away, as a page could know whose own network works. */
  readonly isAway: (page: OpenPage) => boolean
  readonly hadWrongClock: () => boolean
  /** Under which the page keeps its incidents. */
  readonly keyOn: (page: OpenPage) => string | undefined
  readonly refOn: (page: OpenPage) => ClientRef | undefined
  /** GPUs that the computer has, whether or not it reports them. */
  readonly gpus: readonly string[]
  /** What somebody says is right of its incidents; undefined where it follows from the machine alone. */
  readonly story: Inhabitant | undefined
}

function refOf(page: OpenPage, id: string): ClientRef | undefined {
  return page.system.fleet.getSnapshot().context.members[id]?.ref
}

function keyAt(page: OpenPage, member: string | undefined): string | undefined {
  return member === undefined ? undefined : selectClientKeyOf(member)(page.system.fleet.getSnapshot())
}

function memberAt(page: OpenPage, address: string): readonly [string, { readonly ref: ClientRef }] | undefined {
  return Object.entries(page.system.fleet.getSnapshot().context.members).find(
    ([, { ref }]) => ref.getSnapshot().context.address === address,
  )
}

function inhabitantsOf({ world }: Checked): readonly Machine[] {
  return world.inhabitants.running().map(one => ({
    id: `${one.name} ${one.startedAt}`,
    name: one.name,
    said: one.said,
    isReachable: () => true,
    isHarmed: () => false,
    isAway: () => false,
    hadWrongClock: () => true,
    refOn: page => memberAt(page, one.address)?.[1].ref,
    keyOn: page => keyAt(page, memberAt(page, one.address)?.[0]),
    gpus: [],
    story: one,
  }))
}

/** Whether a page may take another computer for it: both have one id. */
function isCopied(world: Checked['world'], home: Home): boolean {
  return world.homes.all().some(other => other !== home && other.disk().id === home.disk().id)
}

function homesOf({ world }: Checked): readonly Machine[] {
  return world.homes.all().map(home => ({
    id: `${home.name} ${home.disk().id}`,
    name: home.name,
    said: home.said,
    isReachable: () => home.isAwake() && !home.isRefusing(),
    isHarmed: () => false,
    isAway: page => page.device.isOnline && !isCopied(world, home) && (!home.isAwake() || home.isRefusing()),
    hadWrongClock: () => false,
    refOn: page => memberAt(page, home.address)?.[1].ref,
    keyOn: page => keyAt(page, memberAt(page, home.address)?.[0]),
    gpus: Object.keys(home.client()?.profile.gpus ?? {}),
    story: undefined,
  }))
}

/** Computers that share an id at the node, which lets one of them in at a time: what is shown is of the one that it names. */
function copiesOf({ world }: Checked): readonly Machine[] {
  return world.household.copies().map(home => ({
    id: `${home.name} as ${home.disk().id}`,
    name: home.name,
    said: home.said,
    isReachable: () => home.isAwake() && home.isOnline(),
    isHarmed: () => world.networkFaults.isHarmed('page') || world.networkFaults.isHarmed('machine'),
    isAway: () => false,
    hadWrongClock: () => true,
    refOn: page => {
      const ref = refOf(page, home.disk().id)
      return ref?.getSnapshot().context.record.data?.info.hostname === home.name ? ref : undefined
    },
    keyOn: page => keyAt(page, home.disk().id),
    gpus: [],
    story: undefined,
  }))
}

type Known = { readonly clients: readonly FleetClient[]; readonly machines: readonly Machine[] }
const machinesByWorld = new WeakMap<object, Known>()

function machinesNow({ world, books }: Checked): readonly Machine[] {
  const { conditions } = world.internet
  const { networkFaults } = world
  const isCut = (to: string): boolean => conditions.isCut({ from: '', to })
  return books.clients().map((one): Machine => {
    const isLocal = one === world.network.local
    return {
      id: one.id,
      name: one.client.name(),
      said: () => books.stateOf(one),
      isReachable: isLocal
        ? () => world.network.direct.isListening() && !isCut('direct/api/websocket')
        : () => one.isOnline() && !isCut('relay/ws/client') && !isCut('relay/ws/account'),
      isHarmed: () =>
        (isLocal ? (['direct'] as const) : (['page', 'machine'] as const)).some(way => networkFaults.isHarmed(way)),
      isAway: isLocal
        ? page => page.device.isOnline && !world.network.direct.isListening()
        : page => !one.isOnline() && selectRelayCondition(page.system.relay.getSnapshot()) === 'connected',
      hadWrongClock: () => books.wrongClocks.has(one.id),
      refOn: page => refOf(page, isLocal ? DIRECT_ID : one.id),
      keyOn: page => keyAt(page, isLocal ? DIRECT_ID : one.id),
      gpus: Object.keys(one.client.profile.gpus),
      story: undefined,
    }
  })
}

/** All machines of the world. */
export function machinesOf(checked: Checked): readonly Machine[] {
  const clients = checked.books.clients()
  const before = machinesByWorld.get(checked.world)
  const isSame = before?.clients.length === clients.length && before.clients.every((one, at) => one === clients[at])
  const machines = isSame ? before.machines : machinesNow(checked)
  if (!isSame) machinesByWorld.set(checked.world, { clients, machines })
  return [...machines, ...copiesOf(checked), ...homesOf(checked), ...inhabitantsOf(checked)]
}
