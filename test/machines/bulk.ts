import { createActor, createMachine, fromCallback, fromPromise, SimulatedClock, type ActorRefFrom } from 'xstate'
import { settled } from '../child.ts'
import { dataOf } from './fleet.ts'
import type { BulkAction } from '../../src/folding/fleet/bulk-action.ts'
import type { ApiResult } from '../../src/protocol/api/api-fault.ts'
import type { Command, FoldingState } from '../../src/protocol/client/commands.ts'
import type { Change } from '../../src/protocol/client/changes.ts'
import type { ClientLinkCommand, LinkTarget } from '../../src/machines/connection/client/client.events.ts'
import { clientMachine } from '../../src/machines/connection/client/client.machine.ts'
import { fleetMachine } from '../../src/machines/connection/fleet/fleet.machine.ts'
import { bulkPartMachine, type AccountWork } from '../../src/machines/fleet/bulk-part/bulk-part.machine.ts'
import type { KeepTags } from '../../src/machines/fleet/tags/tags.events.ts'
import { tagsMachine } from '../../src/machines/fleet/tags/tags.machine.ts'
import { selectTags } from '../../src/machines/fleet/tags/tags.selectors.ts'
import type { BulkCommand } from '../../src/machines/fleet/bulk/bulk.events.ts'
import { bulkMachine } from '../../src/machines/fleet/bulk/bulk.machine.ts'
import { selectRun } from '../../src/machines/fleet/bulk/bulk.selectors.ts'

export const START = Date.parse('2026-11-22T12:00:00.300Z')

/** How a simulated client answers a command: at once, or never. */
type Manner = 'obeys' | 'deaf'

/** What the relay does with a command to the whole fleet. */
type Relay = 'sends' | 'refuses'

/**
 * A fleet of simulated clients that take one command of a kind a second, as real ones do (docs/protocol.md §5), and the
 * bulk actor beside it. Their parent sends what is for the whole fleet, as the app does. Time is the simulated clock's.
 */
export async function startClients(
  ids: readonly string[],
  mannerOf: (id: string) => Manner = () => 'obeys',
  { relay = 'sends', part = bulkPartMachine }: { relay?: Relay; part?: typeof bulkPartMachine } = {},
) {
  const clock = new SimulatedClock()
  const commands: { readonly id: string; readonly command: Command; readonly at: number }[] = []
  const calls: AccountWork[] = []
  const received: string[] = []
  let stored = 0
  const broadcasts: FoldingState[] = []
  const takers = new Map<string, (command: Command, at: number) => void>()
  const lastSecond = new Map<string, number>()
  const link = fromCallback<ClientLinkCommand, LinkTarget>(({ input, receive, sendBack }) => {
    const id = input.kind === 'session' ? input.client : ''
    const report = (changes: readonly Change[]): void =>
      sendBack({ type: 'link.reported', at: START + clock.now(), facts: [{ type: 'changes.received', changes }] })
    void Promise.resolve().then(() =>
      sendBack({
        type: 'link.reported',
        at: START,
        facts: [
          {
            type: 'snapshot.received',
            data: { ...dataOf(id, id.toUpperCase()), info: { ...dataOf(id, id).info, account: 'me' } },
          },
        ],
      }),
    )
    const take = (command: Command, at: number): void => {
      const second = Math.floor(at / 1000)
      const kind = `${id}/${command.cmd}`
      if (mannerOf(id) === 'deaf' || second <= (lastSecond.get(kind) ?? 0)) return
      lastSecond.set(kind, second)
      if (command.cmd === 'state') {
        report([['groups', '', 'config', 'paused', command.state === 'pause']])
        report([['groups', '', 'config', 'finish', command.state === 'finish']])
      }
      if (command.cmd === 'config')
        for (const [name, patch] of Object.entries(command.config.groups ?? {}))
          for (const [key, value] of Object.entries(patch ?? {})) report([['groups', name, 'config', key, value]])
    }
    takers.set(id, take)
    receive(said => {
      if (said.type === 'link.check') sendBack({ type: 'link.seen', until: START + clock.now() })
      if (said.type !== 'link.send') return
      commands.push({ id, command: said.command, at: said.at })
      take(said.command, said.at)
    })
  })
  const client = clientMachine.provide({
    actors: {
      clientLink: link,
      readClock: fromPromise(() => Promise.resolve(START + clock.now())),
    },
  })
  const bulk = bulkMachine.provide({
    actors: {
      part: part.provide({
        actors: {
          callAccount: fromPromise<ApiResult<unknown>, AccountWork>(({ input }) => {
            calls.push(input)
            return Promise.resolve({ ok: true, value: undefined })
          }),
        },
      }),
    },
  })
  const broadcast = async (state: FoldingState): Promise<void> => {
    await Promise.resolve()
    if (relay === 'refuses') {
      fleet.send({ type: 'fleet.broadcastRefused', state })
      return
    }
    const at = START + clock.now()
    broadcasts.push(state)
    fleet.send({ type: 'fleet.broadcastSent', state, at })
    for (const take of takers.values()) take({ cmd: 'state', state }, at)
  }
  const account = createMachine({ on: { '*': { actions: ({ event }) => received.push(event.type) } } })
  const parent = createActor(
    createMachine({
      on: {
        'fleet.broadcastWanted': {
          actions: ({ event }: { event: { readonly type: string; readonly state?: FoldingState } }) =>
            event.state === undefined ? undefined : void broadcast(event.state),
        },
      },
      invoke: [
        {
          src: fleetMachine.provide({ actors: { client }, actions: { keepAddresses: () => undefined } }),
          id: 'fleet',
          systemId: 'fleet',
          input: { defaultAddress: '', addresses: [] },
        },
        { src: bulk, id: 'bulk', systemId: 'bulk' },
        {
          src: tagsMachine.provide({
            actors: { tagStore: fromCallback<KeepTags, undefined>(({ receive }) => receive(() => (stored += 1))) },
          }),
          id: 'tags',
          systemId: 'tags',
        },
        { src: account, id: 'account', systemId: 'account' },
      ],
    }),
    { clock },
  ).start()
  const { children } = parent.getSnapshot()
  const fleet = children['fleet'] as unknown as ActorRefFrom<typeof fleetMachine>
  const actor = children['bulk'] as unknown as ActorRefFrom<typeof bulkMachine>
  fleet.send({ type: 'fleet.machinesListed', account: 'me', machines: ids.map(id => ({ id, name: id })) })
  for (let turn = 0; turn < ids.length / 100; turn++) clock.increment(0)
  for (const id of ids) fleet.send({ type: 'relay.clientConnected', id, at: 1 })
  await settled()
  return {
    actor,
    fleet,
    clock,
    commands,
    broadcasts,
    calls,
    received,
    send: (...events: readonly BulkCommand[]) => events.forEach(event => actor.send(event)),
    snapshot: () => actor.getSnapshot(),
    tags: () => selectTags((children['tags'] as unknown as ActorRefFrom<typeof tagsMachine>).getSnapshot()),
    timesStored: () => stored,
    counts: () => selectRun(actor.getSnapshot())?.counts,
    /** Moves the clock in steps, and lets promises settle after each. */
    wait: async (milliseconds: number, step = 500) => {
      for (let passed = 0; passed < milliseconds; passed += step) {
        clock.increment(step)
        await settled()
      }
    },
    isPaused: (id: string) =>
      (fleet.getSnapshot().context.members[id]?.ref.getSnapshot().context.record.data?.groups['']?.config ?? {})
        .paused === true,
    setState: (id: string, state: FoldingState) =>
      fleet.getSnapshot().context.members[id]?.ref.send({ type: 'client.setState', state }),
  }
}

export const pause = { kind: 'state', state: 'pause', keepsPaused: true } as const satisfies BulkAction
