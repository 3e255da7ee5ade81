import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

/** A client with many running units that sends as many changes as requested. */
export async function startBusyClient(units: number) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const sockets = new Set<WebSocket>()
  const snapshot = {
    info: {
      version: '8.5.7',
      id: 'busy',
      mach_name: 'Busy',
      hostname: 'busy',
      os: 'linux',
      os_version: '6.18',
      cpus: units,
      gpus: {},
      account: '',
    },
    config: { user: 'Anonymous', team: 0, passkey: '', cause: 'any' },
    groups: { '': { config: { paused: false, finish: false, cpus: units, gpus: {} } } },
    units: Array.from({ length: units }, (_, index) => unitAt(index)),
  }
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.send(JSON.stringify(snapshot))
  })
  return {
    address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    say: (change: readonly unknown[]) => {
      const text = JSON.stringify(change)
      for (const socket of sockets) socket.send(text)
    },
    stop: () => {
      for (const socket of sockets) socket.terminate()
      server.close()
    },
  }
}

function unitAt(index: number) {
  return {
    id: `unit-${index}`,
    group: '',
    number: index + 1,
    state: 'RUN',
    cpus: 1,
    gpus: [],
    progress: 0,
    wu_progress: 0.1,
    eta: '3h 5m',
    ppd: 1000 + index,
    run_time: 600,
    start_time: '2026-11-20T12:00:00Z',
    assignment: {
      project: 18201 + index,
      credit: 1000,
      deadline: 604800,
      timeout: 86400,
      time: '2026-11-20T12:00:00Z',
      core: { type: '0xa9' },
    },
    wu: { run: 1, clone: 2, gen: index },
  }
}
