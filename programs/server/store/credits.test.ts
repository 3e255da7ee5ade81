import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApi } from '../../../src/actors/network/api.ts'
import { excerptOf } from '../../../src/folding/unit/server-history.ts'
import { loggedCredit } from '../../../src/folding/unit/unit-progress.ts'
import { webUrl } from '../../../test/urls.ts'
import { servedUnit } from '../http/history-handlers.ts'
import { followCredits } from './credits.ts'
import { endedUnit } from './recorder.ts'
import { openServerStore } from './sqlite.ts'

const BEGIN = Date.parse('2027-01-04T12:20:00Z')
const HOUR = 3_600_000

beforeEach(() => void vi.useFakeTimers({ now: BEGIN, toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

const attic = { id: 'attic', name: 'attic', owner: undefined, info: {} }
function ended(run: number, result = 'credited') {
  return endedUnit(attic, {
    id: `u${run}`,
    result,
    end_time: new Date(BEGIN - run * 60_000).toISOString(),
    assignment: { project: 18_400, time: new Date(BEGIN - HOUR).toISOString() },
    wu: { run, clone: 0, gen: 0 },
  })
}

test('units are asked for by the rules of pages, newest first, and pages get what was found', async () => {
  const store = await openServerStore(undefined)
  await store.addUnits([ended(3), ended(1), ended(2, 'dumped')].flatMap(unit => unit ?? []))
  const asked: string[] = []
  const knownRuns = ['/run/1/']
  const stop = followCredits({
    store,
    api: createApi({
      fetch: url => {
        const { pathname } = new URL(url instanceof Request ? url.url : url)
        asked.push(pathname)
        const isKnown = knownRuns.some(run => pathname.includes(run))
        return Promise.resolve(Response.json(isKnown ? [{ user: 'ana', credit: 1234 }] : [], { status: 200 }))
      },
      baseUrl: webUrl('https://api.test'),
      session: () => undefined,
      compareClock: () => undefined,
      now: Date.now,
      timeout: 1000,
    }),
    donors: () => ['ana'],
    log: pino({ level: 'silent' }),
    now: Date.now,
  })
  const credits = async () => {
    const { units } = await store.units({}, 10)
    const excerpt = excerptOf({ machines: [], units: units.map(servedUnit), next: null, mayGive: false })
    return excerpt.units.map(({ unit }) => loggedCredit(unit))
  }
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toEqual(['/project/18400/run/1/clone/0/gen/0'])
  await vi.advanceTimersByTimeAsync(2000)
  expect(asked).toEqual([expect.stringContaining('/run/1/'), expect.stringContaining('/run/3/')])
  expect(await credits()).toEqual([1234, undefined, undefined])
  // The client reports its units again on each connection.
  await store.addUnits([ended(1), ended(3)].flatMap(unit => unit ?? []))
  knownRuns.push('/run/3/')
  await vi.advanceTimersByTimeAsync(2 * HOUR)
  expect(asked).toHaveLength(3)
  expect(await credits()).toEqual([1234, undefined, 1234])
  stop()
})

test('a long history without questions is read a page at a time, and messages are handled between them, until the stop', async () => {
  const store = await openServerStore(undefined)
  await store.addUnits(Array.from({ length: 1200 }, (_, run) => ended(run, 'failed')).flatMap(unit => unit ?? []))
  let [pages, atOnce, mostAtOnce] = [0, 0, 0]
  const untilRead = async (count: number): Promise<void> => {
    for (let turns = 0; pages < count || turns < 10; turns++) await new Promise(setImmediate)
  }
  const stop = followCredits({
    store: {
      ...store,
      units: (...args) => {
        pages++
        mostAtOnce = Math.max(mostAtOnce, ++atOnce)
        setImmediate(() => (atOnce = 0))
        if (pages === 5) stop()
        return store.units(...args)
      },
    },
    api: () => expect.fail('There is nothing to ask for.'),
    donors: () => ['ana'],
    log: pino({ level: 'silent' }),
    now: Date.now,
  })
  await vi.advanceTimersByTimeAsync(60_000)
  await untilRead(3)
  await vi.advanceTimersByTimeAsync(HOUR)
  await untilRead(5)
  expect({ pages, mostAtOnce }).toEqual({ pages: 5, mostAtOnce: 1 })
})
