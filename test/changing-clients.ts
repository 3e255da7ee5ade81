import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { clientData, unitData } from './end-to-end/scripted-client.ts'

const SCRIPT = `
  const { WebSocketServer } = await import('ws')
  const STEPS = 100
  const state = JSON.parse(process.argv[1])
  const sockets = []
  process.stdin.on('end', () => process.exit()).resume()
  const server = new WebSocketServer({ port: 0, host: '0.0.0.0' })
  server.on('listening', () => console.log(server.address().port))
  server.on('connection', (socket, request) => {
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.splice(sockets.indexOf(socket), 1))
    state.info.id = request.socket.localAddress
    socket.send(JSON.stringify(state))
    sockets.push(socket)
  })
  const change = (socket, second) => {
    for (const unit of [0, 1]) {
      socket.send(JSON.stringify(['units', unit, 'eta', 100000 - second + 's']))
      socket.send(JSON.stringify(['units', unit, 'wu_progress', (second % 1000) / 1000]))
      if (second % 5 === 0) socket.send(JSON.stringify(['units', unit, 'ppd', 100000 + second]))
    }
  }
  const began = performance.now()
  for (let step = 0; ; step++) {
    for (let at = step % STEPS; at < sockets.length; at += STEPS) change(sockets[at], Math.floor(step / STEPS))
    await new Promise(resolve => setTimeout(resolve, Math.max(0, began + (1000 * step) / STEPS - performance.now())))
  }`

/** Addresses of loopback that differ, of one network. */
const ADDRESSES = 250

/**
 * A process of its own with clients of two running units, each of which changes its progress and its time left a second, and its points
 * every fifth. They are reached at one port of many loopback addresses, which Linux has.
 */
export async function startChangingClients(count: number) {
  const state = clientData({ units: [unitData(), unitData({ id: 'unit-2' })] })
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, JSON.stringify(state)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { value: port } = (await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()) as {
    value: string
  }
  return {
    addresses: Array.from(
      { length: count },
      (_, at) => `127.1.${Math.floor(at / ADDRESSES)}.${(at % ADDRESSES) + 1}:${port}`,
    ),
    stop: () => void child.kill(),
  }
}
