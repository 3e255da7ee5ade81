import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { type Kysely, sql, SqliteDialect } from 'kysely'
import Libsql from 'libsql'
import { WebSocket, WebSocketServer } from 'ws'
import { textOf } from '../../programs/host/abrupt-socket.ts'
import { libsqlDriver } from '../../programs/host/libsql.ts'
import { databaseOf, migrate } from '../../programs/server/store/database.ts'
import { pointsStoreOf } from '../../programs/server/store/points-store.ts'
import { DIMENSIONS } from '../../programs/server/store/samples.ts'
import type { Tables } from '../../programs/server/store/schema.ts'
import { clientData, unitData } from '../end-to-end/scripted-client.ts'
import { startProgram } from '../program.ts'
import { pass, quantile, report } from './figures.ts'

const SERVER = join(import.meta.dirname, '../../build/server.js')
const SECONDS = 10
const POLL_MS = 250
const SAMPLES_A_DAY = 1440
const MEBIBYTE = 1_048_576
/** Steps of a second, over which the clients are spread. */
const STEPS = 100
/** Of Linux: how many make a second of processor time in /proc. */
const TICKS = 100
/** Addresses of loopback that differ, so that each is a client of its own. */
const ADDRESSES = 250

/** Clients with two running units each, which a server reaches at one port and many loopback addresses. */
async function startMachines(count: number) {
  const sockets: WebSocket[] = []
  const server = new WebSocketServer({ port: 0, host: '0.0.0.0' })
  await once(server, 'listening')
  server.on('connection', socket => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    const units = [unitData(), unitData({ id: 'unit-2' })]
    socket.send(JSON.stringify(clientData({ info: { id: `machine-${sockets.length}` }, units })))
  })
  const { port } = server.address() as AddressInfo
  const addresses = Array.from(
    { length: count },
    (_, at) => `127.0.${Math.floor(at / ADDRESSES)}.${(at % ADDRESSES) + 1}:${port}`,
  )
  const stop = (): void => {
    for (const socket of sockets) socket.terminate()
    server.close()
  }
  return { sockets, addresses, stop }
}

/** What a client reports in a second: progress of one unit; or of both, and their points every fifth second. */
function sayProgress(socket: WebSocket, second: number, changes: 1 | 4): void {
  if (changes === 1) {
    socket.send(JSON.stringify(['units', second % 2, 'wu_progress', performance.now() / 1e6]))
    return
  }
  for (const unit of [0, 1]) {
    socket.send(JSON.stringify(['units', unit, 'eta', `${1000 - second}s`]))
    socket.send(JSON.stringify(['units', unit, 'wu_progress', performance.now() / 1e6]))
    if (second % 5 === 0) socket.send(JSON.stringify(['units', unit, 'ppd', 100_000 + second]))
  }
}

function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS
}
function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** Rows of one sample of all clients, and bytes of a row with its indexes. */
function sampleSizes(path: string): { readonly rows: number; readonly bytes: number } {
  const database = new Libsql(path, { readonly: true })
  const read = (text: string): number => {
    const [value = 0] = Object.values((database.prepare(text).get() ?? {}) as Record<string, number>)
    return value
  }
  const rows = read('SELECT count(*) FROM samples GROUP BY at ORDER BY 1 DESC LIMIT 1')
  const all = read('SELECT count(*) FROM samples')
  const bytes = read('PRAGMA page_count') * read('PRAGMA page_size')
  database.close()
  return { rows, bytes: bytes / Math.max(1, all) }
}

/** How many clients are connected; 0 while the server is too busy to answer. */
async function connectedOf(origin: string): Promise<number> {
  const answer = await fetch(`${origin}/api/server/machines`).catch(() => undefined)
  const { machines = [] } = ((await answer?.json()) ?? {}) as { machines?: readonly { connected: boolean }[] }
  return machines.filter(({ connected }) => connected).length
}

for (const [count, pages, changes] of [
  [100, 100, 4],
  [1000, 1000, 4],
  [5000, 500, 1],
  [5000, 500, 4],
] as const)
  test(`a server with ${count} machines that change ${changes} values a second, pages for ${pages} of them`, async ({}, info) => {
    test.skip(process.platform !== 'linux', 'It needs the loopback addresses and /proc of Linux.')
    test.setTimeout(300_000)
    const machines = await startMachines(count)
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-bench-'))
    const settings = machines.addresses.map(address => `[[machines]]\naddress = "${address}"\n`).join('')
    writeFileSync(join(folder, 'foldboard-server.toml'), `[store]\nsample-seconds = 10\n${settings}`)
    const began = performance.now()
    const program = startProgram(process.execPath, [SERVER, '--port', '0'], { cwd: folder })
    try {
      const [, port = ''] = await program.says(/"port":(\d+),.*"msg":"server listens"/)
      const origin = `http://127.0.0.1:${port}`
      while ((await connectedOf(origin)) < count) await pass(POLL_MS)
      const connectedIn = performance.now() - began
      const delays: number[] = []
      for (let number = 1; number <= pages; number++) {
        const path = number === 1 ? '/api/websocket' : `/clients/${number}/api/websocket`
        const page = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: { Origin: origin } })
        // What does not arrive is reported.
        page.on('error', () => undefined)
        page.on('message', raw => {
          const message = JSON.parse(textOf(raw)) as readonly unknown[]
          if (message[2] === 'wu_progress') delays.push(performance.now() - Number(message[3]) * 1e6)
        })
        if (number % 50 === 0) await once(page, 'open')
      }
      await pass(1000)
      const metrics = await (await fetch(`${origin}/metrics`)).text()
      const [processorBefore, timeBefore] = [processorSeconds(program.pid), performance.now()]
      for (let step = 0; step < SECONDS * STEPS; step++) {
        await pass(Math.max(0, timeBefore + (step * 1000) / STEPS - performance.now()))
        for (let at = step % STEPS; at < machines.sockets.length; at += STEPS) {
          const socket = machines.sockets[at]
          if (socket !== undefined) sayProgress(socket, Math.floor(step / STEPS), changes)
        }
      }
      const seconds = (performance.now() - timeBefore) / 1000
      const processor = (processorSeconds(program.pid) - processorBefore) / seconds
      await pass(1000)
      const { rows, bytes } = sampleSizes(join(folder, '.foldboard/server/server.db'))
      await report(info, [
        { name: 'start to all connected', value: connectedIn, unit: 'ms' },
        { name: 'from a machine to a page, median', value: quantile(delays, 0.5), unit: 'ms' },
        {
          name: 'from a machine to a page, p95',
          value: quantile(delays, 0.95),
          unit: 'ms',
          ...(count === 100 ? { goal: 100 } : count === 5000 && changes === 1 ? { goal: 200 } : {}),
        },
        {
          name: 'changes that arrived',
          value: (delays.length / (pages * Math.ceil(changes / 2) * SECONDS)) * 100,
          unit: '%',
        },
        { name: 'processor', value: processor * 100, unit: '% of a core' },
        { name: 'memory', value: residentMegabytes(program.pid), unit: 'MiB' },
        { name: 'metrics', value: metrics.length / 1024, unit: 'KiB' },
        { name: 'samples a day, one a minute', value: (rows * SAMPLES_A_DAY) / 1000, unit: 'thousand rows' },
        { name: 'their size on the disk', value: (rows * SAMPLES_A_DAY * bytes) / MEBIBYTE, unit: 'MiB' },
      ])
    } finally {
      await program.interrupt()
      machines.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const YEAR_END = Date.parse('2027-12-31T12:30Z')

/** A year of 1,000 clients as a server keeps it: hours, and one value a minute of the last days. */
async function generateYear(db: Kysely<Tables>): Promise<void> {
  const machine = sql.lit(1000)
  const fill = (begin: number, end: number, seconds: number) =>
    sql`
      WITH RECURSIVE machines(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM machines WHERE n + 1 < ${machine}),
        times(at) AS (SELECT ${sql.lit(begin)} UNION ALL SELECT at + ${sql.lit(seconds * 1000)} FROM times
          WHERE at + ${sql.lit(seconds * 1000)} < ${sql.lit(end)})
      INSERT INTO samples (at, span, machine, group_name, project, resource, ppd)
      SELECT at, ${sql.lit(seconds)}, 'machine-' || n, '', 18000 + (n + at / ${sql.lit(DAY_MS)}) % 40,
        'GPU ' || (n % 12), 100000 + n
      FROM times, machines`.execute(db)
  const minutesFrom = Math.floor(YEAR_END / DAY_MS - 1) * DAY_MS
  for (let day = minutesFrom - 363 * DAY_MS; day < minutesFrom; day += DAY_MS) await fill(day, day + DAY_MS, 3600)
  for (let hour = minutesFrom; hour < YEAR_END; hour += HOUR_MS)
    await fill(hour, Math.min(YEAR_END, hour + HOUR_MS), 60)
}

test('charts of a year of 1,000 machines', async ({}, info) => {
  test.setTimeout(900_000)
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-bench-'))
  const path = join(folder, 'server.db')
  const { db, write, close } = databaseOf('sqlite', new SqliteDialect({ database: libsqlDriver(path) }))
  try {
    await migrate(db, 'sqlite', path)
    await generateYear(db)
    const store = pointsStoreOf(db, write)
    const began = performance.now()
    await store.sumUp(YEAR_END)
    const summedIn = performance.now() - began
    const timed = async (name: string, filter: Parameters<typeof store.points>[0]) => {
      const times: number[] = []
      for (let round = 0; round < 5; round++) {
        const before = performance.now()
        await store.points(filter)
        times.push(performance.now() - before)
      }
      return { name, value: quantile(times, 0.5), unit: 'ms', goal: 200 }
    }
    const figures = []
    for (const by of DIMENSIONS) {
      const days = by === 'machine' ? 30 : 366
      figures.push(
        await timed(`${days} days by ${by}, a value a day`, { by, step: 86_400, from: YEAR_END - days * DAY_MS }),
        await timed(`${by === 'machine' ? 1 : 7} days by ${by}, a value an hour`, {
          by,
          step: 3600,
          from: YEAR_END - (by === 'machine' ? 1 : 7) * DAY_MS,
        }),
      )
    }
    figures.push(
      await timed('a year in all, a value an hour', { by: 'total', step: 3600 }),
      await timed('a year of one machine by project, a value a day', {
        by: 'project',
        step: 86_400,
        machine: 'machine-7',
      }),
      await timed('a day of one machine, a value a minute', {
        by: 'total',
        step: 60,
        machine: 'machine-7',
        from: YEAR_END - DAY_MS,
      }),
      await timed('an hour in all, a value a minute', { by: 'total', step: 60, from: YEAR_END - HOUR_MS }),
    )
    const before = performance.now()
    await store.sumUp(YEAR_END + HOUR_MS)
    figures.push(
      { name: 'adding up an hour', value: performance.now() - before, unit: 'ms' },
      { name: 'adding up a year once', value: summedIn / 1000, unit: 's' },
      { name: 'database', value: statSync(path).size / MEBIBYTE, unit: 'MiB' },
    )
    await report(info, figures)
  } finally {
    await close()
    rmSync(folder, { recursive: true, force: true })
  }
})
