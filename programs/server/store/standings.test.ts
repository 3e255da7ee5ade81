import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApi } from '../../../src/actors/network/api.ts'
import { webUrl } from '../../../test/urls.ts'
import { openServerStore } from './sqlite.ts'
import { followStandings, readStandings, type Folder } from './standings.ts'

const BEGIN = Date.parse('2027-01-04T12:20:00Z')
const HOUR = 3_600_000

beforeEach(() => void vi.useFakeTimers({ now: BEGIN }))
afterEach(() => vi.useRealTimers())

test('points of donors and teams are read each hour, one record an hour, and a failure loses only its own', async () => {
  const store = await openServerStore(undefined)
  const asked: string[] = []
  let isAway = false
  const api = createApi({
    fetch: url => {
      const { pathname, search } = new URL(url instanceof Request ? url.url : url)
      asked.push(pathname + search)
      if (isAway || pathname.includes('bo')) return Promise.resolve(Response.json({ error: 'no' }, { status: 404 }))
      return Promise.resolve(Response.json({ name: 'x', score: 1000 + asked.length, wus: 7 }))
    },
    baseUrl: webUrl('https://api.test'),
    session: () => undefined,
    compareClock: () => undefined,
    now: Date.now,
    timeout: 1000,
  })
  const ana: Folder = { user: 'ana b', team: 42, passkey: 'p' }
  const folders = [ana, ana, { user: 'bo', team: 0, passkey: '' }, { user: 'Anonymous', team: 42, passkey: '' }]
  const deps = {
    store: store.standings,
    api,
    folders: () => folders,
    log: pino({ level: 'silent' }),
    now: Date.now,
    random: () => 0,
  }
  const stop = followStandings(deps)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toEqual(['/user/ana%20b?passkey=p', '/user/bo', '/team/42'])
  isAway = true
  await vi.advanceTimersByTimeAsync(HOUR)
  isAway = false
  await vi.advanceTimersByTimeAsync(HOUR)
  const at = (hour: number) => BEGIN + 60_000 + hour * HOUR
  const all = await store.standings.list({}, 100)
  expect(all.map(({ kind, name, at: when }) => [kind, name, when])).toEqual([
    ['team', '42', at(0)],
    ['donor', 'ana b', at(0)],
    ['team', '42', at(2)],
    ['donor', 'ana b', at(2)],
  ])
  expect(await store.standings.list({ kind: 'team', from: at(1), to: at(3) }, 100)).toEqual(
    all.filter(row => row.kind === 'team' && row.at === at(2)),
  )
  expect(await store.standings.list({ name: 'ana b' }, 1)).toMatchObject([{ at: at(2) }])
  // A server that starts again within the hour asks only for what it does not have.
  const before = asked.length
  await readStandings({ ...deps, folders: () => [...folders, { user: 'cleo', team: 7, passkey: '' }] })
  expect(asked.slice(before)).toEqual(['/user/bo', '/user/cleo', '/team/7'])
  stop()
  await vi.advanceTimersByTimeAsync(3 * HOUR)
  expect(await store.standings.list({}, 100)).toHaveLength(6)
  await store.close()
})
