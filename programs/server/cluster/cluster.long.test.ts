import { expect, test, vi } from 'vitest'
import { openTestSocket } from '../../../test/network/test-socket.ts'
import { SECRET, useServers, WAIT } from '../../../test/server-cluster.ts'
import { openLeaseStore } from '../store/lease-store.ts'
import { openPostgres } from '../store/postgres.ts'
import { storeOf } from '../store/store.ts'
import { COORDINATION } from './plan-holdings.ts'

const { client, newDatabase, query, startServer, stopLater } = useServers()

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
    const takenOver = await leases.join('next', undefined).then(holdings => leases.leave('next').then(() => holdings))
    expect([...takenOver.holders.values()]).toEqual(['next', 'next', 'next'])
  }, WAIT)
  await expect(late.addSamples([{ ...sample, ppd: 2 }])).rejects.toThrow('lease')
  await expect(late.alerts.beginAttempt('d', 1)).rejects.toThrow('lease')
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
  let hasJoined = false
  await write(async change => {
    await vi.waitFor(async () => {
      const over = await query(
        database,
        'SELECT 1 FROM servers WHERE expires < extract(epoch FROM clock_timestamp()) * 1000',
      )
      expect(over).toHaveLength(1)
    }, WAIT)
    const taking = leases.join('fast', undefined).then(() => (hasJoined = true))
    // The takeover begins after the lease, and waits for this transaction.
    await vi.waitFor(async () => {
      const waiting = await query(database, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
      expect(waiting.length).toBeGreaterThan(0)
    }, WAIT)
    expect(hasJoined).toBe(false)
    await change.insertInto('samples').values(sample).execute()
    void taking
  })
  await vi.waitFor(() => expect(hasJoined).toBe(true), WAIT)
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
})

test('another program that connects to the port for servers gets no data', async ({ skip }) => {
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
