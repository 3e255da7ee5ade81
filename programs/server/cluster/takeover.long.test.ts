import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startNetwork } from '../../network/index.ts'
import { openTestSocket } from '../../../test/network/test-socket.ts'
import {
  allConnected,
  callServer,
  clientsOf,
  saveSchedule,
  scheduleOf,
  statesSentTo,
  useServers,
  WAIT,
  type ClusterServer,
} from '../../../test/server-cluster.ts'
import { signIn } from '../../../test/server-service.ts'
import { accountApi } from '../account/account.ts'
import { enroll } from '../account/enroll.ts'
import { openHints } from '../store/lease-store.ts'

const { client, newDatabase, query, startServer, stopLater } = useServers()

const HOUR = 3_600_000
/** Of the password of signIn, of the least cost. */
const HASH = '$argon2id$v=19$m=8,t=1,p=1$b2YgdGhlIHRlc3Rz$NPx++r3NAI3LvIWOGBFkGw'

async function holders(database: string) {
  return (
    await query(database, 'SELECT server, count(*)::int AS machines FROM holdings GROUP BY server ORDER BY 2')
  ).map(({ machines: clients }) => clients)
}

test('two servers share the clients, each shows and controls all, and one takes over when the other stops', async ({
  skip,
}) => {
  const database = await newDatabase(skip)
  const clients = [await client('attic'), await client('cellar')]
  const first = await startServer(database, clients)
  await allConnected(first, 2)
  const second = await startServer(database, clients)
  // One client for each; the first coordinates too.
  await vi.waitFor(async () => expect(await holders(database)).toEqual([1, 2]), WAIT)
  await allConnected(first, 2)
  await allConnected(second, 2)
  // Each client has one connection.
  await vi.waitFor(() => expect(clients.map(({ readers }) => readers())).toEqual([1, 1]), WAIT)

  for (const [at, server] of [first, second].entries())
    for (const [number, held] of clients.entries()) {
      const state = at === 0 ? 'pause' : 'fold'
      const path = number === 0 ? '/api/websocket' : `/clients/${number + 1}/api/websocket`
      const page = await openTestSocket(server.origin.replace('http', 'ws') + path, { Origin: server.origin })
      stopLater({ stop: () => page.drop() })
      expect(JSON.parse(await page.next())).toMatchObject({ info: { mach_name: ['attic', 'cellar'][number] } })
      page.send(JSON.stringify({ cmd: 'state', state }))
      await vi.waitFor(() => expect(statesSentTo(held)).toEqual(['pause', 'fold'].slice(0, at + 1)), WAIT)
      held.say(['groups', '', 'config', 'paused', state === 'pause'])
      page.drop()
    }
  await vi.waitFor(async () => {
    const actions = await query(database, 'SELECT outcome FROM actions')
    expect(actions).toEqual(Array.from({ length: 4 }, () => ({ outcome: 'confirmed' })))
  }, WAIT)

  const ended = {
    id: 'old',
    group: '',
    result: 'credited',
    end_time: new Date().toISOString(),
    assignment: { project: 1, credit: 5 },
  }
  for (const each of clients) each.say(['wus', [ended]])
  await vi.waitFor(async () => expect(await query(database, 'SELECT key FROM units')).toHaveLength(2), WAIT)

  await first.stop()
  await allConnected(second, 2)
  expect(await holders(database)).toEqual([3])
  for (const each of clients) each.say(['wus', [ended]])
  await vi.waitFor(async () => {
    const metrics = await (await fetch(`${second.origin}/metrics`)).text()
    expect(metrics.match(/^foldboard_machine_info/gm)).toHaveLength(2)
  }, WAIT)
  expect(await query(database, 'SELECT key FROM units')).toHaveLength(2)
})

test('schedules and incidents are asked of the server that coordinates, through any server', async ({ skip }) => {
  const database = await newDatabase(skip)
  const clients = [await client('attic')]
  const first = await startServer(database, clients)
  const second = await startServer(database, clients)
  await allConnected(second, 1)
  const call = (path: string, body?: object) => callServer(second, path, body)
  await saveSchedule(second, scheduleOf('warm'))
  await vi.waitFor(() => expect(statesSentTo(clients[0])).toEqual(['pause']), WAIT)
  clients[0]?.say(['groups', '', 'config', 'paused', true])
  expect((await call('incidents')).status).toBe(200)
  const events = await fetch(`${second.origin}/api/server/events`)
  const reader = events.body?.getReader()
  expect((await call('shared', { type: 'tags.add', machines: ['a'], tag: 'attic' })).status).toBe(200)
  let text = ''
  while (!text.includes('event: shared')) text += Buffer.from((await reader?.read())?.value ?? []).toString()
  await reader?.cancel()
  expect(await (await call('shared')).json()).toMatchObject({ revision: '1', tags: { a: ['attic'] } })
  expect((await call('machines/1/override', { state: 'fold', minutes: 120 })).status).toBe(200)
  await vi.waitFor(() => expect(statesSentTo(clients[0])).toEqual(['pause', 'fold']), WAIT)
  clients[0]?.say(['groups', '', 'config', 'paused', false])
  // No step is needed when the coordination moves: what was decided is stored.
  await first.stop()
  await vi.waitFor(async () => {
    const { status } = await call('schedules')
    expect(status).toBe(200)
  }, WAIT)
  await allConnected(second, 1)
  expect(statesSentTo(clients[0])).toEqual(['pause', 'fold'])
})

test('one of two servers counts energy, whichever hears a meter, and the other goes on from there when it takes over', async ({
  skip,
}) => {
  const database = await newDatabase(skip)
  const attic = await client('attic')
  const meter = `[[meters]]\nname = "plug"\nmachine = "${attic.address.host}:${attic.address.port}"\nunit = "Wh"\n`
  let passed = 0
  const now = (): number => Date.now() + passed
  const one = await startServer(database, [attic], meter, { now })
  const two = await startServer(database, [attic], meter, { now })
  const untilReported = (server: ClusterServer, wattHours: number) =>
    vi.waitFor(async () => {
      const { status } = await fetch(`${server.origin}/api/server/meters/plug`, {
        method: 'POST',
        headers: { Origin: server.origin },
        body: String(wattHours),
      })
      expect(status).toBe(200)
    }, WAIT)
  const counted = (wattHours: number) =>
    vi.waitFor(async () => {
      const rows = await query(database, 'SELECT machine, origin, watt_hours FROM energy')
      expect(new Set(rows.map(({ machine: key, origin }) => `${String(key)} ${String(origin)}`))).toEqual(
        new Set(['attic-id measured']),
      )
      expect(rows.reduce((sum, row) => sum + Number(row['watt_hours']), 0)).toBeCloseTo(wattHours)
    }, WAIT)
  await untilReported(one, 1000)
  passed += 15_000
  await untilReported(two, 1010)
  await counted(10)
  await one.stop()
  passed += 15_000
  await untilReported(two, 1015)
  await counted(15)
}, 60_000)

test('who signs out at one server is signed out at all of them', async ({ skip }) => {
  const database = await newDatabase(skip)
  const attic = await client('attic')
  const user = `[[users]]\nname = "ana"\nrole = "viewer"\npassword = "${HASH}"\n`
  const first = await startServer(database, [attic], user)
  const second = await startServer(database, [attic], user)
  const Cookie = await signIn(first, 'ana')
  const open = () =>
    openTestSocket(`${second.origin.replace('http', 'ws')}/api/websocket`, { Origin: second.origin, Cookie })
  const page = await vi.waitFor(open, WAIT)
  stopLater({ stop: () => page.drop() })
  const events = await fetch(`${second.origin}/api/server/events`, { headers: { Cookie } })
  expect(events.status).toBe(200)
  const headers = { Origin: first.origin, Cookie }
  expect((await fetch(`${first.origin}/api/server/logout`, { method: 'POST', headers })).status).toBe(200)
  await vi.waitFor(() => expect(page.socket.readyState).toBe(WebSocket.CLOSED), WAIT)
  await expect(events.text()).rejects.toThrow('terminated')
})

test('notifications of the database arrive, and after a lost connection everything is read again', async ({ skip }) => {
  const database = await newDatabase(skip)
  const topics: string[] = []
  const hints = stopLater(openHints(database, topic => topics.push(topic)))
  const all = ['holdings', 'schedules', 'incidents', 'units', 'account', 'shared', 'sessions']
  await vi.waitFor(() => expect(topics).toEqual(all), WAIT)
  hints.notify('units')
  await vi.waitFor(() => expect(topics).toEqual([...all, 'units']), WAIT)
  await query(database, "SELECT pg_notify('foldboard', 'nonsense')")
  await query(
    database,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
  )
  await vi.waitFor(() => expect(topics).toEqual([...all, 'units', ...all]), WAIT)
})

test('a boundary of a schedule that falls into a takeover is kept by the server that takes over, once', async ({
  skip,
}) => {
  const database = await newDatabase(skip)
  const attic = await client('attic')
  // Noon, long before midnight, where the day of the rule ends.
  const noon = Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR + 12 * HOUR
  const started = Date.now()
  let passed = 0
  const now = (): number => noon + (Date.now() - started) + passed
  const first = await startServer(database, [attic], '', { now })
  await allConnected(first, 1)
  const today = new Date(noon).toISOString().slice(0, 10)
  const rule = { kind: 'dates', first: today, last: today, from: '00:00', until: '18:00', state: 'finish' }
  await saveSchedule(first, scheduleOf('warm', { rules: [rule] }))
  await vi.waitFor(() => expect(statesSentTo(attic)).toEqual(['finish']), WAIT)
  attic.say(['groups', '', 'config', 'finish', true])
  await vi.waitFor(async () => {
    expect(await query(database, 'SELECT outcome FROM actions')).toEqual([{ outcome: 'confirmed' }])
  }, WAIT)

  // While none coordinates it becomes seven in the evening.
  await first.stop()
  passed = 7 * HOUR
  expect(statesSentTo(attic)).toEqual(['finish'])
  const second = await startServer(database, [attic], '', { now })
  await vi.waitFor(() => expect(statesSentTo(attic)).toEqual(['finish', 'pause']), WAIT)
  attic.say(['groups', '', 'config', 'paused', true], ['groups', '', 'config', 'finish', false])
  await vi.waitFor(async () => {
    const { subjects } = (await (await callServer(second, 'schedules')).json()) as { subjects: { condition: string }[] }
    expect(subjects).toMatchObject([{ condition: 'kept', wanted: 'pause' }])
  }, WAIT)
  // A third server takes over what is kept already: nothing is sent again.
  const third = await startServer(database, [attic], '', { now })
  await allConnected(third, 1)
  await second.stop()
  await vi.waitFor(async () => {
    const answer = await callServer(third, 'schedules')
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { subjects: object[] }).subjects).toMatchObject([{ wanted: 'pause' }])
  }, WAIT)
  expect(statesSentTo(attic)).toEqual(['finish', 'pause'])
  expect(await query(database, 'SELECT who, command, outcome FROM actions ORDER BY id')).toEqual([
    { who: 'schedules', command: 'finish', outcome: 'confirmed' },
    { who: 'schedules', command: 'pause', outcome: 'confirmed' },
  ])
})

test('clients of an account are seen and controlled through a server that does not coordinate it', async ({ skip }) => {
  const database = await newDatabase(skip)
  const network = stopLater(
    await startNetwork({
      port: 0,
      data: undefined,
      uniform: true,
      machines: 1,
      keyBits: 1024,
      accountKeyBits: 1024,
      client: { host: '127.0.0.1', port: 9 },
    }),
  )
  await network.online()
  const { account } = await enroll(accountApi(network.apiUrl), network.account.email, network.account.passphrase)
  const settings = `[account]\napi-url = "${network.apiUrl}"\nplain-node = true\ncommands = ["state"]\n`
  const attic = await client('attic')
  const first = await startServer(database, [attic], settings, { account })
  await allConnected(first, 2)
  const second = await startServer(database, [attic], settings, { account })
  await vi.waitFor(async () => expect(await clientsOf(second)).toHaveLength(2), WAIT)
  expect((await clientsOf(second)).map(({ number }) => number)).toEqual(
    (await clientsOf(first)).map(({ number }) => number),
  )

  const open = async () => {
    const origin = second.origin
    const page = await openTestSocket(`${origin.replace('http', 'ws')}/clients/2/api/websocket`, { Origin: origin })
    stopLater({ stop: () => page.drop() })
    return page
  }
  // The first attempt of a page makes the server connect.
  const page = await vi.waitFor(open, WAIT)
  const name = network.clients()[0]?.client.name()
  expect(JSON.parse(await page.next(text => text.startsWith('{')))).toMatchObject({ info: { mach_name: name } })
  page.send('{"cmd":"state","state":"pause"}')
  await page.next(text => text.startsWith('[') && text.includes('paused'))
  await vi.waitFor(async () => {
    expect(await query(database, 'SELECT who, command, outcome FROM actions')).toEqual([
      { who: 'local', command: 'pause', outcome: 'confirmed' },
    ])
  }, WAIT)
  // The account moves to the other server when the first one stops.
  await first.stop()
  await allConnected(second, 2)
}, 60_000)
