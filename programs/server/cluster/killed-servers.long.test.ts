import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { textOf } from '../../host/abrupt-socket.ts'
import { freePort } from '../../../test/free-port.ts'
import { clientData, unitData } from '../../../test/end-to-end/scripted-client.ts'
import { startProgram, type Program } from '../../../test/program.ts'
import { SECRET, useServers } from '../../../test/server-cluster.ts'

const SERVER = join(import.meta.dirname, '../../../build/server.js')
const WAIT = { timeout: 30_000, interval: 100 }
/** What a client keeps. */
const HISTORY = 500
const UNIT_MS = 100

const { newDatabase, query, stopLater } = useServers()

/** A client that ends a unit every tenth of a second, and tells its history as real ones do. */
async function startBusyClient() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const asking = new Set<WebSocket>()
  const ended: object[] = []
  server.on('connection', socket => {
    socket.on('close', () => asking.delete(socket))
    socket.on('message', data => {
      const { cmd, enable } = JSON.parse(textOf(data)) as { cmd: string; enable?: boolean }
      if (cmd !== 'wus' || enable !== true) return
      asking.add(socket)
      socket.send(JSON.stringify(['wus', ended.slice(-HISTORY).toReversed()]))
    })
    socket.send(JSON.stringify(clientData({ units: [unitData()] })))
  })
  const timer = setInterval(() => {
    const id = `unit-${ended.length}`
    const unit = { id, group: '', result: 'credited', end_time: '2027-01-01T00:00:00Z', assignment: { project: 1 } }
    ended.push(unit)
    for (const socket of asking) socket.send(JSON.stringify(['wus', -2, [unit]]))
  }, UNIT_MS)
  const rest = (): void => clearInterval(timer)
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    ended,
    rest,
    stop: () => {
      rest()
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

test('of two servers that stand still and are killed while units end, none that the history of the client names is lost', async ({
  skip,
}) => {
  const database = await newDatabase(skip)
  const client = stopLater(await startBusyClient())
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-killed-'))
  stopLater({ stop: () => rmSync(folder, { recursive: true, force: true }) })
  const ports = [await freePort(), await freePort()]
  const start = (port: number): Program => {
    const file = join(folder, `${port}.toml`)
    writeFileSync(
      file,
      `[listen]\nport = 0\n[store]\nurl = "${database}"\n[statistics]\nhourly = false\n[cluster]\nsecret = "${SECRET}"\nport = ${port}\nlease-seconds = 2\n[[machines]]\naddress = "${client.address}"\n`,
    )
    return stopLater(startProgram(process.execPath, [SERVER, '--config', file, '--data', folder], { cwd: folder }))
  }
  const programs = new Map(ports.map(port => [port, start(port)]))
  const holder = async (): Promise<number | undefined> => {
    const [row] = await query(
      database,
      `SELECT url FROM servers JOIN holdings ON server = id WHERE resource = '${client.address}'`,
    )
    return row === undefined ? undefined : Number(new URL(String(row['url'])).port)
  }
  const units = async (): Promise<number> =>
    Number((await query(database, 'SELECT count(*)::int AS units FROM units'))[0]?.['units'])
  /** Waits until a server that is not `former` stores units. */
  const takenOver = async (former: number | undefined): Promise<number> => {
    const next = await vi.waitFor(async () => {
      const found = await holder()
      expect(found).toSatisfy((port: unknown) => port !== undefined && port !== former)
      return found ?? 0
    }, WAIT)
    const before = await units()
    await vi.waitFor(async () => expect(await units()).toBeGreaterThan(before), WAIT)
    return next
  }
  for (const program of programs.values()) await program.says(/server listens/)
  let holding = await takenOver(undefined)
  for (let round = 0; round < 9; round++) {
    const { pid = 0, stop } = programs.get(holding) ?? {}
    if (round % 3 === 0) process.kill(pid, 'SIGSTOP')
    else await stop?.()
    const former = holding
    holding = await takenOver(former)
    if (round % 3 === 0) process.kill(pid, 'SIGCONT')
    else {
      const again = start(former)
      programs.set(former, again)
      await again.says(/server listens/)
    }
  }
  client.rest()
  expect(client.ended.length).toBeGreaterThan(HISTORY / 5)
  const named = client.ended.slice(-HISTORY)
  await vi.waitFor(async () => {
    const stored = new Set((await query(database, 'SELECT unit FROM units')).map(({ unit }) => unit))
    expect(named.filter(unit => !stored.has(Reflect.get(unit, 'id')))).toEqual([])
  }, WAIT)
  // What is forgotten by the client was stored before, as no takeover lasted longer than its history.
  expect(await units()).toBe(client.ended.length)
}, 280_000)
