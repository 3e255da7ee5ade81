import { expect, test, vi } from 'vitest'
import { openTestSocket } from '../../network/testing/test-socket.ts'
import {
  allConnected,
  callServer,
  saveSchedule,
  scheduleOf,
  SECRET,
  statesSentTo,
  useServers,
  WAIT,
} from '../../test/server-cluster.ts'
import { openLeaseStore, openHints } from '../store/lease-store.ts'
import { openPostgres } from '../store/postgres.ts'
import { storeOf } from '../store/store.ts'
import { COORDINATION } from './plan-holdings.ts'

const { client, newDatabase, query, startServer, stopLater } = useServers()

const holders = async (database: string) =>
  (await query(database, 'SELECT server, count(*)::int AS machines FROM holdings GROUP BY server ORDER BY 2')).map(
    ({ machines }) => machines,
  )

test('two servers share the machines, each shows and controls all, and one takes over when the other stops', async ({
  skip,
}) => {
  const database = await newDatabase(skip)
  const clients = [await client('attic'), await client('cellar')]
  const first = await startServer(database, clients)
  await allConnected(first, 2)
  const second = await startServer(database, clients)
  // One machine for each; the first coordinates too.
  await vi.waitFor(async () => expect(await holders(database)).toEqual([1, 2]), WAIT)
  await allConnected(first, 2)
  await allConnected(second, 2)
  // Each machine has one connection.
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

test('a server whose lease is over writes nothing more, and what it had is taken', async ({ skip }) => {
  const database = await newDatabase(skip)
  let lease: string | undefined = 'late'
  const late = storeOf(await openPostgres(database, () => lease))
  const options = { url: 'http://x', settings: 'x', machines: ['attic', 'cellar'], duration: 300 }
  const leases = openLeaseStore(database, options)
  stopLater({ stop: async () => Promise.all([late.close(), leases.close()]) })
  await expect(late.addSamples([sample])).rejects.toThrow('lease')
  expect((await leases.join('late', undefined)).holders.get(COORDINATION)).toBe('late')
  await late.addSamples([sample])
  expect(await leases.renew('late')).toMatchObject({ server: 'late', releases: [] })

  // It stands still; another server comes.
  await vi.waitFor(async () => {
    const taken = await leases.join('next', undefined).then(holdings => leases.leave('next').then(() => holdings))
    expect([...taken.holders.values()]).toEqual(['next', 'next', 'next'])
  }, WAIT)
  await expect(late.addSamples([{ ...sample, ppd: 2 }])).rejects.toThrow('lease')
  await expect(late.alerts.beginAttempt('d')).rejects.toThrow('lease')
  await expect(late.addAction({ at: 1, who: 'w', machine: 'm', command: 'c', reason: 'r' })).rejects.toThrow('lease')
  expect(await leases.renew('late')).toBeUndefined()
  expect((await late.points({ by: 'total', step: 60 })).map(({ ppd }) => ppd)).toEqual([1])
  lease = undefined
  await expect(late.saw([], 1)).resolves.toBeUndefined()
})

const sample = { at: 0, span: 60, machine: 'm', group_name: '', project: 1, resource: '', ppd: 1 }

test('what happens during a takeover is written before it, or refused', async ({ skip }) => {
  const database = await newDatabase(skip)
  const { db, write, close } = await openPostgres(database, () => 'slow')
  const leases = openLeaseStore(database, { url: 'http://x', settings: '', machines: [], duration: 100 })
  stopLater({ stop: async () => Promise.all([close(), leases.close()]) })
  await leases.join('slow', undefined)
  let taken = false
  await write(async change => {
    await vi.waitFor(async () => {
      const over = await query(
        database,
        'SELECT 1 FROM servers WHERE expires < extract(epoch FROM clock_timestamp()) * 1000',
      )
      expect(over).toHaveLength(1)
    }, WAIT)
    const taking = leases.join('fast', undefined).then(() => (taken = true))
    // The takeover begins after the lease, and waits for this transaction.
    await vi.waitFor(async () => {
      const waiting = await query(database, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
      expect(waiting.length).toBeGreaterThan(0)
    }, WAIT)
    expect(taken).toBe(false)
    await change.insertInto('samples').values(sample).execute()
    void taking
  })
  await vi.waitFor(() => expect(taken).toBe(true), WAIT)
  expect(await db.selectFrom('samples').selectAll().execute()).toHaveLength(1)
})

test('a server without a secret lets no other in, and names that PostgreSQL cannot store are stored without NUL', async ({
  skip,
}) => {
  const database = await newDatabase(skip)
  const alone = openLeaseStore(database, { url: '', settings: '', machines: [], duration: 5000 })
  const store = storeOf(await openPostgres(database))
  stopLater({ stop: async () => Promise.all([alone.close(), store.close()]) })
  await alone.join('one', undefined)
  await expect(alone.join('two', undefined)).rejects.toThrow('cluster.secret')
  await expect(alone.join('one again', 'one')).resolves.toMatchObject({ server: 'one again' })
  await store.saw([{ id: 'a', name: 'at\0tic', address: 'a', os: '', version: '' }], 1)
  expect(await store.machines()).toMatchObject([{ name: 'attic' }])
  await expect(store.backUp('x')).rejects.toThrow('pg_dump')
})

test('hints arrive, and after a lost connection everything is looked at again', async ({ skip }) => {
  const database = await newDatabase(skip)
  const topics: string[] = []
  const hints = stopLater(openHints(database, topic => topics.push(topic)))
  const all = ['holdings', 'schedules', 'incidents', 'units', 'account', 'shared']
  await vi.waitFor(() => expect(topics).toEqual(all), WAIT)
  hints.tell('units')
  await vi.waitFor(() => expect(topics).toEqual([...all, 'units']), WAIT)
  await query(database, "SELECT pg_notify('foldboard', 'nonsense')")
  await query(
    database,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
  )
  await vi.waitFor(() => expect(topics).toEqual([...all, 'units', ...all]), WAIT)
})

test('another program at the port for servers gets nothing', async ({ skip }) => {
  const database = await newDatabase(skip)
  const server = await startServer(database, [await client('attic')])
  const [{ url } = { url: '' }] = (await query(database, 'SELECT url FROM servers')) as { url: string }[]
  const statuses = await Promise.all(
    [
      fetch(`${url}/api/server/schedules`),
      fetch(`${url}/api/server/schedules`, { headers: { authorization: `Bearer ${'x'.repeat(40)}` } }),
      fetch(`${url}/api/server/schedules`, { headers: { authorization: `Bearer ${SECRET}` } }),
      fetch(`${url}/elsewhere`, { headers: { authorization: `Bearer ${SECRET}` } }),
      fetch(`${url}/person-changed`, { method: 'POST', body: '{}', headers: { authorization: `Bearer ${SECRET}` } }),
      // The public port ignores identities.
      fetch(`${server.origin}/api/server/users`, {
        headers: {
          authorization: `Bearer ${SECRET}`,
          'x-foldboard-identity': encodeURIComponent('{"name":"x","role":"administrator"}'),
        },
      }),
    ].map(async answer => (await answer).status),
  )
  expect(statuses).toEqual([401, 401, 400, 404, 400, 401])
  await expect(openTestSocket(`${url.replace('http', 'ws')}/machine?address=x`, {})).rejects.toThrow()
})
