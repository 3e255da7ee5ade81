/*
 * The largest input that each route takes, twice, on a server with many machines, full lists and rules: how long nothing else is
 * answered meanwhile. FOLDBOARD_LOAD_MINUTES repeats it for that long, and prints what it took.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { MOST_INTERVALS } from '../src/folding/power/price.ts'
import { MOST_CHEAPEST, MOST_RULES, MOST_SURPLUS, type Rule, type Schedule } from '../src/folding/schedule/schedule.ts'
import { clientOf, useService } from '../test/server-service.ts'
import type { RouteSpec } from './http/route-fields.ts'
import { routes } from './http/routes.ts'
import { MOST_ENTRIES } from './power/price-lists.ts'

/** Milliseconds. */
const LONGEST_PAUSE = 200
const MINUTES = Number(process.env['FOLDBOARD_LOAD_MINUTES'] ?? 0)
const MACHINES = 200
/** These decide all schedules again, which with full lists still takes longer at once. */
const LONGER: readonly string[] = ['prices', 'input', 'removeInput', 'saveSchedules']
const QUARTER = 900_000
const DAY = 86_400_000

const { client, start } = useService()

function rulesOf(): readonly Rule[] {
  const all = { from: '00:00', until: '24:00', state: 'fold' } as const
  const input = { input: 'solar', validMinutes: 60, hysteresis: 5, holdMinutes: 0, state: 'pause' } as const
  return Array.from({ length: MOST_RULES }, (_, index): Rule =>
    index < MOST_CHEAPEST
      ? { kind: 'cheapest', hours: 1 + (index % 20), ...all }
      : index < MOST_CHEAPEST + MOST_SURPLUS
        ? { kind: 'surplus', isLeft: false, ...input }
        : index % 2 === 0
          ? { kind: 'input', compare: 'above', threshold: index, ...input }
          : { kind: 'week', days: [1, 2, 3], from: '10:00', until: '11:00', state: 'fold' },
  )
}

function schedules(): readonly Schedule[] {
  const rules = rulesOf()
  return Array.from({ length: rules.length / 50 }, (_, index) => ({
    id: `s${index}`,
    name: `Schedule ${index}`,
    isEnabled: true,
    targets: [{ kind: 'all', name: '' }],
    timeZone: 'Europe/Berlin',
    rules: rules.slice(50 * index, 50 * (index + 1)),
    otherwise: null,
    finishMinutes: 0,
  }))
}

test(
  'no route that decides no schedules stops the server for longer than 200 ms',
  async () => {
    const others = Array.from(
      { length: MACHINES },
      (_, index) => `[[machines]]\naddress = "127.0.0.1:${20_000 + index}"\ncommands = ["state"]`,
    )
    const service = await start([clientOf(await client(), ['state']), ...others].join('\n'))
    const now = Date.now() - (Date.now() % QUARTER)
    await service.store.power.savePrices(
      'spot',
      Array.from({ length: MOST_INTERVALS }, (_, index) => ({
        begin: now - (MOST_INTERVALS - 192 - index) * QUARTER,
        end: now - (MOST_INTERVALS - 193 - index) * QUARTER,
        price: index % 97,
      })),
      0,
      now + 10 * DAY,
    )
    const used = { seconds: 900, wattHours: 9, points: 5, cost: 1, pricedWattHours: 9, grams: 1, gradedWattHours: 9 }
    for (let day = 0; day < 100; day++)
      await service.store.power.addEnergy(
        Array.from({ length: 100 }, (_, index) => ({
          ...used,
          machine: `m${index}`,
          from: now - day * DAY,
          until: now - day * DAY + QUARTER,
          origin: 'measured' as const,
        })),
      )
    const tariffs = { currency: 'EUR', timeZone: 'UTC', price: { kind: 'list', input: 'spot' }, co2: null }
    const entries = Array.from({ length: MOST_ENTRIES }, (_, index) => [(now - DAY) / 1000 + index * 900, index % 50])
    const bodies: Record<string, () => Promise<unknown>> = {
      changeShared: () => Promise.resolve({ type: 'power.tariffs', tariffs }),
      prices: () =>
        Promise.resolve({ unix_seconds: entries.map(([at]) => at), price: entries.map(([, price]) => price) }),
      input: () => Promise.resolve({ value: Math.random() }),
      saveSchedules: async () => {
        const answer = await fetch(`${service.origin}/api/server/schedules`)
        return { revision: ((await answer.json()) as { revision: string }).revision, schedules: schedules() }
      },
      override: () => Promise.resolve({ state: 'pause', minutes: 5 }),
      follow: () => Promise.resolve({}),
      removeInput: () => Promise.resolve({}),
    }
    const queries: Record<string, string> = {
      power: '?days=400',
      energy: '?limit=20000',
      units: '?limit=10000',
      standings: '?limit=50000',
    }
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const longest: Record<string, number> = {}
    const times: number[] = []
    /** Text is made, sent and read apart from what is measured: both sides are on one thread. */
    const call = async (name: string, { method, path }: RouteSpec): Promise<void> => {
      const body = method === 'post' ? JSON.stringify(await bodies[name]?.()) : undefined
      const isInput = name === 'removeInput' || name === 'input'
      const url = `${service.origin}${path.replace(':number', '1').replace(':name', isInput ? 'solar' : 'spot')}`
      await new Promise(resolve => setTimeout(resolve, 20))
      delay.reset()
      const from = performance.now()
      const request = { method, body: body ?? null, headers: { Origin: service.origin } }
      const response = await fetch(`${url}${queries[name] ?? ''}`, request)
      times.push(performance.now() - from)
      for await (const part of response.body ?? []) void part
      await new Promise(resolve => setTimeout(resolve, 50))
      longest[name] = Math.max(longest[name] ?? 0, Math.round(delay.max / 1e6))
    }
    const order = ['changeShared', 'prices', 'input', 'saveSchedules', 'override', 'follow', 'input']
    const all = Object.entries<RouteSpec>(routes).filter(
      ([name, { method }]) => name !== 'events' && (method === 'get' || bodies[name] !== undefined),
    )
    const asked = [...order, ...all.map(([name]) => name).filter(name => !order.includes(name))]
    const end = performance.now() + MINUTES * 60_000
    for (let round = 0; round < 2 || performance.now() < end; round++) {
      for (const name of asked) await call(name, routes[name as keyof typeof routes])
      if (round === 0) delay.reset()
    }
    delay.disable()
    times.sort((a, b) => a - b)
    if (MINUTES > 0)
      process.stdout.write(
        `${JSON.stringify({ longest, p95: times[Math.floor(times.length * 0.95)], rss: process.memoryUsage().rss })}\n`,
      )
    expect(Object.entries(longest).filter(([name, pause]) => pause > LONGEST_PAUSE && !LONGER.includes(name))).toEqual(
      [],
    )
  },
  600_000 + MINUTES * 60_000,
)
