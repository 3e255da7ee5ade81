import { describe, expect, it } from 'vitest'
import {
  createActor,
  createMachine,
  fromCallback,
  fromPromise,
  sendTo,
  SimulatedClock,
  type ActorRefFrom,
} from 'xstate'
import { settled } from '../../../../test/child.ts'
import { dataOf } from '../../../../test/machines/fleet.ts'
import type { ClientLinkCommand, LinkTarget } from '../../connection/client/client.events.ts'
import { clientMachine } from '../../connection/client/client.machine.ts'
import { fleetMachine } from '../../connection/fleet/fleet.machine.ts'
import type { HistoryNotification, HistoryStoreCommand } from './history.events.ts'
import { historyMachine } from './history.machine.ts'
import { isHistoryAwaited } from './history.selectors.ts'
import { MOST_REQUESTED } from './history.requests.ts'

/** A fleet with a direct client and these clients of the account, all connected, and the history beside it. */
async function start(...ids: readonly string[]) {
  const clock = new SimulatedClock()
  const asked: string[] = []
  const client = clientMachine.provide({
    actors: {
      clientLink: fromCallback<ClientLinkCommand, LinkTarget>(({ input, receive }) =>
        receive(command => {
          if (command.type === 'link.send' && command.command.cmd === 'wus')
            asked.push(input.kind === 'session' ? input.client : 'direct')
        }),
      ),
      readClock: fromPromise(() => Promise.resolve(1000 + clock.now())),
    },
  })
  const parent = createActor(
    createMachine({
      invoke: [
        {
          id: 'fleet',
          systemId: 'fleet',
          src: fleetMachine.provide({ actors: { client }, actions: { keepAddresses: () => undefined } }),
          input: { defaultAddress: '127.0.0.1:7396', addresses: [] },
        },
        {
          id: 'history',
          src: historyMachine.provide({
            actors: {
              historyStore: fromCallback<HistoryStoreCommand, undefined>(({ receive, sendBack }) =>
                receive(({ type }) => {
                  if (type === 'store.load')
                    sendBack({ type: 'store.loaded', excerpt: { machines: [], units: [] }, cutOffs: {} })
                }),
              ),
            },
          }),
        },
      ],
      on: {
        'history.requested': {
          actions: sendTo('fleet', ({ event }) => {
            const { ids: some } = event as Extract<HistoryNotification, { type: 'history.requested' }>
            return { type: 'fleet.reportHistory', ...(some === undefined ? {} : { ids: some }) }
          }),
        },
      },
    }),
    { clock },
  ).start()
  const { children } = parent.getSnapshot()
  const fleet = children['fleet'] as unknown as ActorRefFrom<typeof fleetMachine>
  const history = children['history'] as unknown as ActorRefFrom<typeof historyMachine>
  const connect = (id: string): void => {
    if (id !== '__direct__') fleet.send({ type: 'relay.clientConnected', id, at: 1 })
    fleet.getSnapshot().context.members[id]?.ref.send({
      type: 'link.reported',
      at: 10,
      facts: [{ type: 'snapshot.received', data: dataOf(id === '__direct__' ? 'own' : id, id) }],
    })
  }
  const list = (clients: readonly string[]): void => {
    fleet.send({ type: 'fleet.machinesListed', account: 'me', machines: clients.map(id => ({ id, name: id })) })
    for (let part = 0; part < clients.length; part += 100) clock.increment(0)
  }
  list(ids)
  connect('__direct__')
  ids.forEach(connect)
  await settled()
  const pass = async (seconds: number): Promise<readonly string[]> => {
    for (let second = 0; second < seconds; second++) {
      clock.increment(1000)
      await settled()
    }
    return asked.splice(0)
  }
  return { fleet, history, connect, list, pass }
}

describe('the history', () => {
  it('is asked of direct clients at once, and of those of the account only when they are wanted, one a second', async () => {
    const { history, pass } = await start('a', 'b', 'c')
    history.send({ type: 'history.open' })
    expect(await pass(30)).toEqual(['direct'])
    expect(isHistoryAwaited(history.getSnapshot())).toBe(false)
    history.send({ type: 'history.want', reader: 'grid', machines: ['c', 'a'] })
    await settled()
    expect(await pass(0)).toEqual(['c'])
    expect(isHistoryAwaited(history.getSnapshot())).toBe(true)
    expect(await pass(1)).toEqual(['a'])
    expect(isHistoryAwaited(history.getSnapshot())).toBe(true)
    expect(await pass(30)).toEqual([])
    expect(isHistoryAwaited(history.getSnapshot())).toBe(false)
  })

  it('is asked of clients that are named before those of the whole account', async () => {
    const { history, pass } = await start('a', 'b', 'c')
    history.send({ type: 'history.open' })
    history.send({ type: 'history.want', reader: 'units', machines: 'all' })
    await settled()
    history.send({ type: 'history.want', reader: 'unit', machines: ['c'] })
    expect(await pass(5)).toEqual(['direct', 'a', 'c', 'b'])
  })

  it('is asked of no client while the page is hidden, or when its reader was closed', async () => {
    const { history, pass } = await start('a', 'b', 'c')
    history.send({ type: 'history.pageHidden' })
    history.send({ type: 'history.open' })
    history.send({ type: 'history.want', reader: 'units', machines: 'all' })
    expect(await pass(30)).toEqual(['direct'])
    history.send({ type: 'history.pageShown' })
    await settled()
    expect(await pass(0)).toEqual(['a'])
    history.send({ type: 'history.want', reader: 'units', machines: [] })
    expect(await pass(30)).toEqual([])
  })

  it('is asked of a client again after its connection, and of one that connects later', async () => {
    const { fleet, history, connect, list, pass } = await start('a')
    history.send({ type: 'history.open' })
    history.send({ type: 'history.want', reader: 'units', machines: 'all' })
    expect(await pass(20)).toEqual(['direct', 'a'])
    fleet.send({ type: 'relay.clientDisconnected', id: 'a', at: 2 })
    list(['a', 'b'])
    expect(await pass(20)).toEqual([])
    connect('b')
    connect('a')
    expect((await pass(20)).toSorted()).toEqual(['a', 'b'])
  })

  it('of a large account is asked of some, of those in view, and of all only on request', async () => {
    const ids = Array.from({ length: MOST_REQUESTED + 20 }, (_, index) => `m${1000 + index}`)
    const { history, pass } = await start(...ids)
    history.send({ type: 'history.open' })
    history.send({ type: 'history.want', reader: 'charts', machines: 'all' })
    expect(await pass(200)).toHaveLength(1 + MOST_REQUESTED)
    history.send({ type: 'history.want', reader: 'grid', machines: ids.slice(-2) })
    expect(await pass(5)).toEqual(ids.slice(-2))
    history.send({ type: 'history.wantUnlimited' })
    expect(await pass(60)).toHaveLength(18)
  })

  it('is asked of all clients of a large account when that was requested before they connect', async () => {
    const ids = Array.from({ length: MOST_REQUESTED + 20 }, (_, index) => `m${1000 + index}`)
    const { history, pass } = await start(...ids)
    history.send({ type: 'history.wantUnlimited' })
    history.send({ type: 'history.open' })
    history.send({ type: 'history.want', reader: 'charts', machines: 'all' })
    expect(await pass(200)).toHaveLength(1 + MOST_REQUESTED + 20)
  })
})
