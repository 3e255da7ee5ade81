import { createActor, fromCallback, SimulatedClock, type ActorRefFrom, type AnyActorRef } from 'xstate'
import { expect, test } from 'vitest'
import { fleetMachine } from '../../../../src/machines/connection/fleet/fleet.machine.ts'
import type { ClientLinkCommand, LinkTarget } from '../../../../src/machines/connection/client/client.events.ts'
import { clientMachine } from '../../../../src/machines/connection/client/client.machine.ts'
import { answeringHost } from '../../../../test/machines/answering-host.ts'
import { dataOf } from '../../../../test/machines/fleet.ts'
import type { RecorderCommand } from './server.events.ts'
import { serverMachine } from './server.machine.ts'
import { readMember, stateOf } from './server.selectors.ts'

function start() {
  const clock = new SimulatedClock()
  const links: { target: LinkTarget; commands: ClientLinkCommand[] }[] = []
  const recorded: RecorderCommand[] = []
  let fails = false
  const client = clientMachine.provide({
    actors: {
      clientLink: fromCallback<ClientLinkCommand, LinkTarget>(({ input, receive }) => {
        const link = { target: input, commands: [] as ClientLinkCommand[] }
        links.push(link)
        receive(command => link.commands.push(command))
      }),
      pingHost: answeringHost,
    },
  })
  const actor = createActor(
    serverMachine.provide({
      actors: {
        fleet: fleetMachine.provide({ actors: { client } }),
        recorder: fromCallback<RecorderCommand, undefined>(({ receive }) => {
          receive(command => {
            if (fails) throw new Error('The disk is full')
            recorded.push(command)
          })
        }),
      },
    }),
    { clock, input: { clients: [{ address: 'attic:7396', name: 'Attic' }], clones: {}, samplePeriod: 60_000 } },
  )
  actor.subscribe({ error: () => undefined })
  actor.start()
  const fleet = () => actor.system.get('fleet') as ActorRefFrom<typeof fleetMachine>
  return { actor, clock, links, recorded, fleet, fail: (now: boolean) => (fails = now) }
}

test('every client of the settings is connected, and asked for the units that ended', () => {
  const { links, fleet } = start()
  expect(links.map(({ target }) => target)).toEqual([
    { kind: 'direct', url: 'ws://attic:7396/api/websocket', isWatched: false },
  ])
  const member = fleet().getSnapshot().context.members['@attic:7396']?.ref
  expect(member?.getSnapshot().context.collects).toBe(true)
})

test('what is known of a client: its name in the settings, its own id, and its state while it is connected', () => {
  const { fleet } = start()
  expect(stateOf(readMember(fleet().getSnapshot(), '@attic:7396'), 'attic:7396')).toMatchObject({
    isConnected: false,
    id: undefined,
    data: undefined,
  })
  expect(readMember(fleet().getSnapshot(), '@cellar:7396')).toMatchObject({ report: undefined, data: undefined })
  const data = dataOf('puppet-id', 'puppet')
  fleet()
    .getSnapshot()
    .context.members['@attic:7396']?.ref.send({
      type: 'link.reported',
      at: 10,
      facts: [{ type: 'snapshot.received', data }],
    })
  expect(stateOf(readMember(fleet().getSnapshot(), '@attic:7396'), 'attic:7396')).toMatchObject({
    name: 'Attic',
    id: 'puppet-id',
    isConnected: true,
    data,
    lastMessageAt: 10,
    asOf: undefined,
  })
})

test('points are sampled once in each period, and units that ended are stored at once', () => {
  const { actor, clock, recorded, fleet } = start()
  clock.increment(59_999)
  expect(recorded).toEqual([])
  clock.increment(1)
  clock.increment(60_000)
  expect(recorded).toEqual([{ type: 'recorder.sample' }, { type: 'recorder.sample' }])
  const units = [{ id: 'unit', end_time: '2027-01-01T00:00:00Z' }]
  fleet()
    .getSnapshot()
    .context.members['@attic:7396']?.ref.send({
      type: 'link.reported',
      at: 10,
      facts: [
        { type: 'snapshot.received', data: dataOf('puppet-id', 'puppet') },
        { type: 'history.received', replace: true, units },
      ],
    })
  expect(recorded.at(-1)).toMatchObject({ type: 'recorder.store', machine: { id: 'puppet-id' }, units })
  expect(actor.getSnapshot().value).toEqual({ running: 'sampling' })
})

test('a recorder that fails is started again, with all clients, and so is the fleet', () => {
  const { actor, clock, links, recorded, fail } = start()
  fail(true)
  clock.increment(60_000)
  expect(actor.getSnapshot().value).toBe('restarting')
  fail(false)
  clock.increment(1000)
  expect(actor.getSnapshot().value).toEqual({ running: 'sampling' })
  expect(links).toHaveLength(2)
  clock.increment(60_000)
  expect(recorded).toEqual([{ type: 'recorder.sample' }])

  const broken = createActor(
    serverMachine.provide({
      actors: {
        fleet: fleetMachine.provide({
          actors: { client: clientMachine },
          actions: {
            keepAddresses: () => {
              throw new Error('broken')
            },
          },
        }),
        recorder: fromCallback<RecorderCommand, undefined>(() => undefined),
      },
    }),
    { clock: new SimulatedClock(), input: { clients: [], clones: {}, samplePeriod: 1 } },
  )
  broken.subscribe({ error: () => undefined })
  broken.start()
  ;(broken.system.get('fleet') as AnyActorRef).send({ type: 'fleet.connect', address: 'cellar' })
  expect(broken.getSnapshot().value).toBe('restarting')
})
