import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { WebSocket, WebSocketServer } from 'ws'
import { textOf } from '../../network/node/abrupt-socket.ts'
import { clientData, unitData } from '../end-to-end/scripted-client.ts'
import { startProgram } from '../program.ts'
import { pass, quantile, report } from './figures.ts'

const SERVER = join(import.meta.dirname, '../../build/server.js')
const SECONDS = 10
const POLL_MS = 250
/** Steps of a second, over which the machines are spread. */
const STEPS = 100
/** Of Linux: how many make a second of processor time in /proc. */
const TICKS = 100
/** Addresses of loopback that differ, so that each is a machine of its own. */
const ADDRESSES = 250

/** Machines with two running units each, which a server reaches at one port and many loopback addresses. */
const startMachines = async (count: number) => {
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

/** What a machine says in a second: progress of both units, and their points every fifth second. */
const sayProgress = (socket: WebSocket, second: number): void => {
  for (const unit of [0, 1]) {
    socket.send(JSON.stringify(['units', unit, 'eta', `${1000 - second}s`]))
    socket.send(JSON.stringify(['units', unit, 'wu_progress', performance.now() / 1e6]))
    if (second % 5 === 0) socket.send(JSON.stringify(['units', unit, 'ppd', 100_000 + second]))
  }
}

const processorSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS
}
const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** How many machines are connected; 0 while the server is too busy to answer. */
const connectedOf = async (origin: string): Promise<number> => {
  const answer = await fetch(`${origin}/api/server/machines`).catch(() => undefined)
  const { machines = [] } = ((await answer?.json()) ?? {}) as { machines?: readonly { connected: boolean }[] }
  return machines.filter(({ connected }) => connected).length
}

for (const count of [100, 1000])
  test(`a server with ${count} machines, a page for each`, async ({}, info) => {
    test.skip(process.platform !== 'linux', 'It needs the loopback addresses and /proc of Linux.')
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
      for (let number = 1; number <= count; number++) {
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
          if (socket !== undefined) sayProgress(socket, Math.floor(step / STEPS))
        }
      }
      const seconds = (performance.now() - timeBefore) / 1000
      const processor = (processorSeconds(program.pid) - processorBefore) / seconds
      await pass(1000)
      const database = ['server.db', 'server.db-wal'].reduce(
        (sum, name) => sum + statSync(join(folder, '.foldboard/server', name)).size,
        0,
      )
      await report(info, [
        { name: 'start to all connected', value: connectedIn, unit: 'ms' },
        { name: 'from a machine to a page, median', value: quantile(delays, 0.5), unit: 'ms' },
        {
          name: 'from a machine to a page, p95',
          value: quantile(delays, 0.95),
          unit: 'ms',
          ...(count === 100 ? { goal: 100 } : {}),
        },
        { name: 'changes that arrived', value: (delays.length / (count * 2 * SECONDS)) * 100, unit: '%' },
        { name: 'processor', value: processor * 100, unit: '% of a core' },
        { name: 'memory', value: residentMegabytes(program.pid), unit: 'MiB' },
        { name: 'metrics', value: metrics.length / 1024, unit: 'KiB' },
        { name: 'database after the first samples', value: database / 1024, unit: 'KiB' },
      ])
    } finally {
      await program.interrupt()
      machines.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
