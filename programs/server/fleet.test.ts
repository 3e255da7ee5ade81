import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { createFleet } from './fleet.ts'
import { createPlaces } from './places.ts'
import { openServerStore } from './store/sqlite.ts'
import { readConfig } from './config/read-config.ts'

const MACHINES = 120
const SECONDS = 4

afterEach(() => {
  vi.useRealTimers()
})

test('machines that cannot be reached are tried 50 times a second at most, all together, and each of them again', async () => {
  const text = Array.from({ length: MACHINES }, (_, index) => `[[machines]]\naddress = "host-${index}.example:7396"`)
  const read = readConfig({ file: { path: 'test.toml', text: text.join('\n') } })
  if (!read.ok) throw new Error(JSON.stringify(read.mistakes))
  const store = await openServerStore(undefined)
  vi.useFakeTimers()
  const tried: string[] = []
  const places = createPlaces(read.config, Date.now)
  const fleet = createFleet({
    links: {
      exchangeOf: url => places.byUrl.get(url)?.exchange,
      routeOf: url => {
        tried.push(url)
        return undefined
      },
      openSession: undefined,
      elsewhere: () => undefined,
      now: Date.now,
    },
    history: { store, machines: () => [], held: () => undefined, rollsUp: () => false, onUnits: () => undefined },
    addresses: places.all.map(({ address }) => address),
    clones: {},
    settings: read.config.store,
    log: pino({ level: 'silent' }),
    now: Date.now,
    random: () => 0,
  })
  fleet.start()
  await vi.advanceTimersByTimeAsync(5)
  expect(new Set(tried).size).toBe(MACHINES)
  tried.length = 0

  await vi.advanceTimersByTimeAsync(SECONDS * 1000)

  fleet.stop()
  expect(tried.length).toBeLessThanOrEqual((SECONDS + 1) * 50)
  expect(new Set(tried).size).toBe(MACHINES)
})
