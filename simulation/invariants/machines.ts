import { DIRECT_ID } from '../../src/folding/client/client.ts'
import type { ClientRef, ClientSnapshot } from '../../src/machines/connection/client/client.machine.ts'
import { selectRelayCondition } from '../../src/machines/connection/relay/relay.selectors.ts'
import type { ClientData } from '../../src/protocol/client-data.ts'
import { selectClientKeyOf } from '../../src/machines/connection/fleet/fleet.selectors.ts'
import type { Inhabitant } from '../inhabitants/inhabitants.ts'
import type { OpenPage } from '../world.ts'
import type { FrameFault } from '../../network/faults/kinds.ts'
import type { FleetClient } from '../../network/index.ts'
import type { Checked } from './invariants.ts'

/** A machine as the world knows it, whatever pages believe. */
export type Machine = {
  /** Unique in the world. */
  readonly id: string
  readonly name: string
  /** What it would tell a new reader now. */
  readonly said: () => ClientData | undefined
  /** Whether a page could hear it now: it runs, and nothing between them is cut. */
  readonly isReachable: () => boolean
  /** Whether it is away, as a page could know whose own network works. */
  readonly isAway: (page: OpenPage) => boolean
  readonly hadWrongClock: () => boolean
  /** Under which the page keeps its incidents. */
  readonly keyOn: (page: OpenPage) => string | undefined
  readonly shownOn: (page: OpenPage) => ClientSnapshot | undefined
  /** GPUs that the computer has, whether or not it reports them. */
  readonly gpus: readonly string[]
  /** What somebody says is right of its incidents; undefined where it follows from the machine alone. */
  readonly story: Inhabitant | undefined
}

const refOf = (page: OpenPage, id: string): ClientRef | undefined =>
  page.system.fleet.getSnapshot().context.members[id]?.ref

const keyAt = (page: OpenPage, member: string | undefined): string | undefined =>
  member === undefined ? undefined : selectClientKeyOf(member)(page.system.fleet.getSnapshot())

const memberAt = (page: OpenPage, address: string): readonly [string, { readonly ref: ClientRef }] | undefined =>
  Object.entries(page.system.fleet.getSnapshot().context.members).find(
    ([, { ref }]) => ref.getSnapshot().context.address === address,
  )

const inhabitantsOf = ({ world }: Checked): readonly Machine[] =>
  world.inhabitants.running().map(one => ({
    id: `${one.name} ${one.startedAt}`,
    name: one.name,
    said: one.said,
    isReachable: () => true,
    isAway: () => false,
    hadWrongClock: () => true,
    shownOn: page => memberAt(page, one.address)?.[1].ref.getSnapshot(),
    keyOn: page => keyAt(page, memberAt(page, one.address)?.[0]),
    gpus: [],
    story: one,
  }))

const homesOf = ({ world }: Checked): readonly Machine[] =>
  world.homes.all().map(home => ({
    id: `${home.name} ${home.disk().id}`,
    name: home.name,
    said: home.said,
    isReachable: () => home.isAwake() && !home.isRefusing(),
    isAway: page => page.device.isOnline && (!home.isAwake() || home.isRefusing()),
    hadWrongClock: () => false,
    shownOn: page => memberAt(page, home.address)?.[1].ref.getSnapshot(),
    keyOn: page => keyAt(page, memberAt(page, home.address)?.[0]),
    gpus: Object.keys(home.client()?.profile.gpus ?? {}),
    story: undefined,
  }))

/** Computers that share an id at the node, which lets one of them in at a time: what is shown is of the one that it names. */
const copiesOf = ({ world }: Checked): readonly Machine[] =>
  world.household.copies().map(home => ({
    id: `${home.name} as ${home.disk().id}`,
    name: home.name,
    said: home.said,
    isReachable: () => home.isAwake() && home.isOnline(),
    isAway: () => false,
    hadWrongClock: () => true,
    shownOn: page => {
      const snapshot = refOf(page, home.disk().id)?.getSnapshot()
      return snapshot?.context.record.data?.info.hostname === home.name ? snapshot : undefined
    },
    keyOn: page => keyAt(page, home.disk().id),
    gpus: [],
    story: undefined,
  }))

type Known = { readonly clients: readonly FleetClient[]; readonly machines: readonly Machine[] }
/** No reader of a direct connection can notice these, since its messages are not numbered: it ends with the fault. */
const UNNOTICED: readonly (FrameFault | undefined)[] = ['drop', 'duplicate', 'reorder']

const known = new WeakMap<object, Known>()

const machinesNow = ({ world, books }: Checked): readonly Machine[] => {
  const { conditions } = world.internet
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
      isAway: isLocal
        ? page => page.device.isOnline && !world.network.direct.isListening()
        : page => !one.isOnline() && selectRelayCondition(page.system.relay.getSnapshot()) === 'connected',
      hadWrongClock: () => books.wrongClocks.has(one.id),
      shownOn: page =>
        isLocal && UNNOTICED.includes(world.faultyChannels.get('direct'))
          ? undefined
          : refOf(page, isLocal ? DIRECT_ID : one.id)?.getSnapshot(),
      keyOn: page => keyAt(page, isLocal ? DIRECT_ID : one.id),
      gpus: Object.keys(one.client.profile.gpus),
      story: undefined,
    }
  })
}

/** All machines of the world. */
export const machinesOf = (checked: Checked): readonly Machine[] => {
  const clients = checked.books.clients()
  const before = known.get(checked.world)
  const isSame = before?.clients.length === clients.length && before.clients.every((one, at) => one === clients[at])
  const machines = isSame ? before.machines : machinesNow(checked)
  if (!isSame) known.set(checked.world, { clients, machines })
  return [...machines, ...copiesOf(checked), ...homesOf(checked), ...inhabitantsOf(checked)]
}
