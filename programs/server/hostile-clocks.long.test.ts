import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { clientData, groupConfig, unitData } from '../../test/end-to-end/scripted-client.ts'
import { startHostileClient } from '../../test/hostile-client.ts'
import {
  allConnected,
  callServer,
  clientsOf,
  saveSchedule,
  scheduleOf,
  startAlertReceiver,
  statesSentTo,
  useServers,
  WAIT,
  type ClusterServer,
} from '../../test/server-cluster.ts'

const { client, newDatabase, query, startServer, stopLater } = useServers()

const MINUTE = 60_000
const CLIENTS = 8

test('four servers whose clocks are minutes apart hold each client once, and tell and store everything once', async ({
  skip,
}) => {
  const database = await newDatabase(skip)
  const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(`client-${at}`)))
  let attackers = 0
  const hostile = await Promise.all(
    Array.from({ length: 3 }, async (_, at) =>
      stopLater(
        await startHostileClient(async send => {
          await send(clientData({ info: { id: `hostile-${at}` }, units: [unitData()] }))
          while (attackers <= at) await delay(50)
          for (let key = 0; ; key++) await send(['info', `key ${key}`, 'x'])
        }),
      ),
    ),
  )
  const receiver = stopLater(await startAlertReceiver())
  const start = (minutes: number) =>
    startServer(database, [...clients, ...hostile], receiver.settings, { now: () => Date.now() + minutes * MINUTE })
  // Those that take over are behind, and ahead of, those before them.
  const servers: ClusterServer[] = []
  for (const minutes of [7, -5, 0, -11]) {
    servers.push(await start(minutes))
    await allConnected(servers[0] as ClusterServer, CLIENTS + hostile.length)
  }
  await vi.waitFor(async () => {
    expect(await query(database, 'SELECT server FROM holdings GROUP BY server')).toHaveLength(4)
  }, WAIT)
  for (const server of servers) await allConnected(server, CLIENTS + hostile.length)
  await saveSchedule(servers[3] as ClusterServer, scheduleOf('warm', { targets: [{ kind: 'all' }] }))

  await vi.waitFor(() => expect(clients.map(statesSentTo)).toEqual(clients.map(() => ['pause'])), WAIT)
  for (const [at, each] of clients.entries()) {
    each.say(['groups', '', 'config', 'paused', true])
    const info = { id: `client-${at}-id`, mach_name: `client-${at}` }
    each.greetWith(clientData({ info, groups: { '': { config: groupConfig({ paused: true }) } }, units: [unitData()] }))
  }

  const units: object[] = []
  const say = (): void => {
    for (const each of clients) each.say(['wus', units])
  }
  const heldOnce = () =>
    vi.waitFor(() => expect(clients.map(({ readers }) => readers())).toEqual(clients.map(() => 1)), WAIT)
  await heldOnce()
  for (let round = 0; round < 3; round++) {
    for (let at = 0; at < 10; at++) {
      units.push({
        id: `unit-${round}-${at}`,
        group: '',
        result: 'credited',
        end_time: '2027-01-01T00:00:00Z',
        assignment: { project: 1, credit: 5 },
      })
      say()
      await delay(20)
    }
    attackers++
    await vi.waitFor(() => expect(receiver.reportedBy('open').size).toBe(attackers), WAIT)
    // The one that has coordinated longest ends: another one, whose clock is far from its own, takes over.
    await servers.shift()?.stop()
    const next = servers[0] as ClusterServer
    await vi.waitFor(async () => expect((await callServer(next, 'schedules')).status).toBe(200), WAIT)
    await allConnected(next, CLIENTS + hostile.length - attackers)
    await heldOnce()
  }
  await vi.waitFor(async () => {
    say()
    expect(await query(database, 'SELECT count(*)::int AS count FROM units')).toEqual([
      { count: units.length * CLIENTS },
    ])
  }, WAIT)
  const last = servers[0] as ClusterServer
  expect((await clientsOf(last)).length).toBe(CLIENTS + hostile.length)
  expect(await query(database, 'SELECT server FROM holdings GROUP BY server')).toHaveLength(1)
  // Each incident is told once, and each decision of the schedule is carried out once.
  expect([...receiver.reportedBy('open').values()].map(({ size }) => size)).toEqual([1, 1, 1])
  expect(clients.map(statesSentTo)).toEqual(clients.map(() => ['pause']))
  const { incidents } = (await (await callServer(last, 'incidents')).json()) as { incidents: { kind: string }[] }
  expect(incidents.filter(({ kind }) => kind === 'excessive')).toHaveLength(3)
}, 180_000)
