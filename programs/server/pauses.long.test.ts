/*
 * The largest input that each route takes, twice, on a server with many machines, full lists and rules: how long nothing else is
 * answered meanwhile. FOLDBOARD_LOAD_MINUTES repeats it for that long, and prints what it took.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MAX_TAGGED_CLIENTS, MAX_TAGS } from '../../src/folding/fleet/tags.ts'
import { MAX_VIEWS } from '../../src/folding/fleet/saved-views.ts'
import { MOST_INTERVALS } from '../../src/folding/power/price.ts'
import {
  MOST_CHEAPEST,
  MOST_RULES,
  MOST_SURPLUS,
  type Rule,
  type Schedule,
} from '../../src/folding/schedule/schedule.ts'
import { UNITS_A_REQUEST } from '../../src/folding/unit/server-history.ts'
import { startCallingProcess } from '../../test/calling-process.ts'
import { startChangingClients } from '../../test/changing-clients.ts'
import { startOthersAtServer } from '../../test/others-at-server.ts'
import { THREAD, timeOfThread, watchPauses } from '../../test/pauses.ts'
import { clientOf, programs, signIn, TOKENS, useService } from '../../test/server-service.ts'
import { MOST_COST } from './access/passwords.ts'
import type { RouteSpec } from './http/route-fields.ts'
import { routes, type RouteName } from './http/routes.ts'
import { MOST_ENTRIES } from './power/price-lists.ts'
import { openServerStore } from './store/sqlite.ts'

/** Milliseconds. */
const LONGEST_PAUSE = 200
const MINUTES = Number(process.env['FOLDBOARD_LOAD_MINUTES'] ?? 0)
const MACHINES = Number(process.env['FOLDBOARD_LOAD_MACHINES'] ?? 200)
/** Of these, how many can be reached and say what two running units do. */
const CONNECTED = Number(process.env['FOLDBOARD_LOAD_CONNECTED'] ?? 0)
const LONGEST_HEALTH = 1000
/** Of 95 of 100 answers until they begin, in a long run. */
const LONGEST_WAIT = 250
/** From this on, the memory of the last quarter of the time is compared with that of the second. */
const LEAST_MINUTES_OF_MEMORY = 20
const MOST_GROWTH = 1.05
const ROUNDS = 2
const MQTT_INPUTS = 100
/** Browsers open 255 sockets at most. */
const SOCKETS_OF_A_PAGE = Math.min(250, MACHINES)
const PAGES = ['viewer', 'operator', 'administrator']
const QUARTER = 900_000
const DAY = 86_400_000

const { client, people, start, stopLater } = useService()

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

function fullTags(): object {
  const tags = Array.from({ length: MAX_TAGS / MAX_TAGGED_CLIENTS }, (_, index) => `tag ${index}`)
  return Object.fromEntries(Array.from({ length: MAX_TAGGED_CLIENTS }, (_, index) => [`machine ${index}`, tags]))
}

function fullViews(): readonly object[] {
  return Array.from({ length: MAX_VIEWS }, (_, index) => ({
    name: `view ${index}`,
    params: { filter: 'x'.repeat(2000) },
  }))
}

function nth(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
}

type Minute = { readonly memory: number; readonly heap: number }

/** Megabytes in each minute: the most of the process, and the least of what its heap held, which is what is left after collections. */
function watchMemory() {
  const began = performance.now()
  const minutes: Minute[] = []
  const timer = setInterval(() => {
    const minute = Math.floor((performance.now() - began) / 60_000)
    const { rss, heapUsed } = process.memoryUsage()
    const { memory, heap } = minutes[minute] ?? { memory: 0, heap: Infinity }
    minutes[minute] = {
      memory: Math.max(memory, Math.round(rss / 1_048_576)),
      heap: Math.min(heap, Math.round(heapUsed / 1_048_576)),
    }
  }, 500)
  return { minutes, stop: () => clearInterval(timer) }
}

/** The second and the last quarter of the time. */
function quarters(minutes: readonly Minute[]) {
  const part = Math.floor(minutes.length / 4)
  const of = (few: readonly Minute[]): Minute => ({
    memory: nth(
      few.map(({ memory }) => memory),
      0.5,
    ),
    heap: Math.min(...few.map(({ heap }) => heap)),
  })
  return [of(minutes.slice(part, 2 * part)), of(minutes.slice(-part))] as const
}

type Figures = {
  readonly rounds: number
  readonly load: number
  readonly started: number
  readonly health: number
  readonly longest: Readonly<Record<string, number>>
  readonly median: Readonly<Record<string, number>>
  readonly p95: Readonly<Record<string, number>>
  readonly minutes: readonly Minute[]
}

/** The rows of the table in docs/server.md. */
function tableOf({ rounds, load, started, health, longest, median, p95, minutes }: Figures): string {
  const largest = (what: Readonly<Record<string, number>>): string => {
    const [[first, most] = ['', 0], ...others] = Object.entries(what).sort(([, one], [, other]) => other - one)
    return `${most} ms, \`${first}\`; ${others
      .slice(0, 2)
      .map(([name, time]) => `\`${name}\` ${time}`)
      .join(', ')}; all others at most ${others[2]?.[1] ?? 0}`
  }
  const [second, last] = quarters(minutes)
  const rows = [
    ['rounds through all routes; load average', `${rounds}; ${load}`],
    ['work until the server listens', `${started} ms`],
    ['the longest work of the thread at once', largest(longest)],
    ['the middle one of each route', largest(median)],
    ['the most that was worked before `/healthz` answered', `${health} ms`],
    ['95 of 100 answers began within, by the clock', largest(p95)],
    ['memory of the process, middle of the second quarter and of the last', `${second.memory} and ${last.memory} MB`],
    ['least that the heap held, in the same', `${second.heap} and ${last.heap} MB`],
  ]
  return rows.map(([what, figure]) => `| ${what} | ${figure} |`).join('\n')
}

/** An idle computer asks more often than one address may. */
async function untilAllowed<Answer extends { readonly status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask()
  while (answer.status === 429) {
    await new Promise(resolve => setTimeout(resolve, 1000))
    answer = await ask()
  }
  return answer
}

const METER = '[[meters]]\nname = "spot"'
/** A user whose password takes as long to compare as one may. */
const COSTLY = `[[users]]\nname = "costly"\nrole = "viewer"\npassword = "$argon2id$v=19$m=${MOST_COST},t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaA"`

test(
  'no route stops the server for longer than 200 ms',
  async () => {
    const { addresses } = CONNECTED === 0 ? { addresses: [] } : stopLater(await startChangingClients(CONNECTED))
    const others = Array.from(
      { length: MACHINES },
      (_, index) =>
        `[[machines]]\naddress = "${addresses[index] ?? `127.0.0.1:${20_000 + index}`}"\ncommands = ["state"]`,
    )
    const company = stopLater(await startOthersAtServer(MQTT_INPUTS))
    const inputs = Array.from(
      { length: MQTT_INPUTS },
      (_, index) => `[[mqtt.inputs]]\nname = "${index === 0 ? 'solar' : `meter${index}`}"\ntopic = "meter/${index}"`,
    )
    const broker = [`[mqtt]\nurl = "${company.brokerUrl}"`, ...inputs]
    const settings = [
      clientOf(await client(), ['state', 'config']),
      ...[...others, people(), COSTLY, programs(), METER],
      ...broker,
    ]
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-pauses-'))
    stopLater({ stop: () => rmSync(folder, { recursive: true }) })
    const before = timeOfThread()
    const service = await start(settings.join('\n'), { store: await openServerStore(folder) })
    const started = timeOfThread() - before
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
    const cookie = await signIn(service, 'administrator')
    await service.store.saw([{ id: 'attic', name: 'attic', address: '', os: '', version: '' }], now)
    const cookies = await Promise.all(PAGES.map(name => signIn(service, name)))
    company.openPages(service.origin, cookies, SOCKETS_OF_A_PAGE)
    const caller = stopLater(startCallingProcess(THREAD))
    const tariffs = { currency: 'EUR', timeZone: 'UTC', price: { kind: 'list', input: 'spot' }, co2: null }
    const entries = Array.from({ length: MOST_ENTRIES }, (_, index) => [(now - DAY) / 1000 + index * 900, index % 50])
    const keys = Array.from({ length: 1000 }, (_, index) => `${index} `.padEnd(1000, 'x'))
    const units = Array.from({ length: UNITS_A_REQUEST }, (_, index) => ({
      machine: 'attic',
      id: `unit ${Math.random()} ${index}`,
      result: 'credited',
      end_time: '2027-01-01T00:00:00Z',
      assignment: { project: index, credit: 5 },
      more: 'x'.repeat(1600),
    }))
    /** The largest that each takes, one after another. */
    const bodies: Partial<Record<RouteName, () => unknown[] | Promise<unknown[]>>> = {
      changeShared: () => [
        { type: 'tags.import', mode: 'replace', tags: fullTags() },
        { type: 'tags.rename', tag: 'tag 1', newTag: `tag ${Math.random()}` },
        { type: 'views.import', mode: 'replace', views: { views: fullViews() } },
        { type: 'power.tariffs', tariffs },
      ],
      prices: () => [{ unix_seconds: entries.map(([at]) => at), price: entries.map(([, price]) => price) }],
      input: () => [{ value: Math.random() }],
      saveSchedules: async () => {
        const answer = await untilAllowed(() =>
          fetch(`${service.origin}/api/server/schedules`, { headers: { Cookie: cookie } }),
        )
        return [{ revision: ((await answer.json()) as { revision: string }).revision, schedules: schedules() }]
      },
      override: () => [{ state: 'pause', minutes: 5 }],
      follow: () => [{}],
      takeHistory: () => [{ machines: [{ id: 'attic', name: 'attic' }], units }],
      acknowledgeIncidents: () => [{ keys }],
      snoozeIncidents: () => [{ keys, minutes: 5 }],
      reopenIncidents: () => [{ keys }],
      testAlert: () => [{ channel: 'none' }],
      reading: () => [Array.from({ length: 30_000 }, (_, index) => index % 10)],
      command: () => [{ command: { cmd: 'config', config: { user: 'x'.repeat(1_000_000) } } }],
      subscribePush: () => [{ endpoint: `https://example.org/${'x'.repeat(1000)}`, keys: { p256dh: 'x', auth: 'x' } }],
      unsubscribePush: () => [{ endpoint: `https://example.org/${'x'.repeat(1000)}` }],
    }
    const forms: Partial<Record<RouteName, string>> = {
      login: new URLSearchParams({
        name: 'costly',
        password: 'x'.repeat(1024),
        next: `/${'x'.repeat(990)}`,
      }).toString(),
      enroll: new URLSearchParams({ email: 'x'.repeat(300), passphrase: 'x'.repeat(1024) }).toString(),
    }
    const queries: Record<string, string> = {
      power: '?days=400',
      energy: '?limit=20000',
      units: '?limit=10000',
      history: '?limit=5000',
      standings: '?limit=50000',
      actions: '?limit=1000',
      incidents: '?state=all&limit=10000',
      points: '?by=project&step=minute',
    }
    const watch = stopLater(watchPauses())
    const pauses: Record<string, number[]> = {}
    const times: Record<string, number[]> = {}
    let health = 0
    const { minutes } = stopLater(watchMemory())
    const call = async (name: RouteName): Promise<void> => {
      const { method, path }: RouteSpec = routes[name]
      const isInput = name === 'removeInput' || name === 'input'
      const url = `${service.origin}${path.replace(':number', '1').replace(':name', isInput ? 'solar' : 'spot')}`
      const form = forms[name]
      const texts =
        method === 'get'
          ? [undefined]
          : form === undefined
            ? ((await bodies[name]?.()) ?? [undefined]).map(body => JSON.stringify(body))
            : [form]
      let longest = 0
      for (const text of texts) {
        await new Promise(resolve => setTimeout(resolve, 20))
        const called = await untilAllowed(() => {
          watch.reset()
          return caller.call({
            url: `${url}${queries[name] ?? ''}`,
            method: method.toUpperCase(),
            text,
            headers: {
              Origin: service.origin,
              ...(name === 'logout' ? { Authorization: `Bearer ${TOKENS.read}` } : { Cookie: cookie }),
              ...(form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
            },
            isStream: name === 'events',
          })
        })
        expect([name, called.status], name).not.toEqual([name, 500])
        await new Promise(resolve => setTimeout(resolve, 50))
        longest = Math.max(longest, watch.longest())
        times[name] = [...(times[name] ?? []), called.first]
        health = Math.max(health, called.health)
      }
      pauses[name] = [...(pauses[name] ?? []), longest]
    }
    const first: readonly RouteName[] = [
      'changeShared',
      'prices',
      'input',
      'saveSchedules',
      'override',
      'follow',
      'input',
    ]
    const names = (Object.keys(routes) as RouteName[]).filter(name => !first.includes(name))
    const end = performance.now() + MINUTES * 60_000
    for (let round = 0; round < ROUNDS || performance.now() < end; round++) {
      for (const name of [...first, ...names]) await call(name)
    }
    if (MINUTES > 0) {
      const of = (what: Record<string, number[]>, share: number) =>
        Object.fromEntries(Object.entries(what).map(([name, all]) => [name, Math.round(nth(all, share))]))
      const figures: Figures = {
        rounds: pauses['health']?.length ?? 0,
        load: Math.round(loadavg()[2] ?? 0),
        longest: of(pauses, 1),
        median: of(pauses, 0.5),
        p95: of(times, 0.95),
        health: Math.round(health),
        started: Math.round(started),
        minutes,
      }
      process.stdout.write(`${JSON.stringify(figures)}\n${tableOf(figures)}\n`)
      const [second, last] = quarters(minutes)
      const growth = [last.memory / second.memory, last.heap / second.heap]
      if (MINUTES >= LEAST_MINUTES_OF_MEMORY) expect.soft(Math.max(...growth)).toBeLessThan(MOST_GROWTH)
      expect.soft(Object.entries(figures.p95).filter(([, time]) => time > LONGEST_WAIT)).toEqual([])
    }
    const longest = Object.entries(pauses).map(([name, all]) => [name, nth(all, 1)] as const)
    expect(longest.filter(([, pause]) => pause > LONGEST_PAUSE)).toEqual([])
    expect(Math.max(health, started)).toBeLessThan(LONGEST_HEALTH)
  },
  600_000 + MINUTES * 60_000,
)
