import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { textOf } from '../../programs/host/abrupt-socket.ts'

type Command = Readonly<Record<string, unknown>>

type Parts = {
  readonly info?: object
  readonly config?: object
  readonly groups?: object
  readonly units?: readonly object[]
}

/** The full state of a typical client, changed by the parameters. */
export function clientData({ info = {}, config = {}, groups, units = [] }: Parts = {}) {
  return {
    info: {
      version: '8.5.7',
      os: 'linux',
      os_version: '6.18',
      cpu: 'amd64',
      cpu_brand: 'A processor',
      cpus: 8,
      gpus: {},
      mach_name: 'puppet',
      hostname: 'puppet',
      id: 'puppet-id',
      account: '',
      has_battery: false,
      on_battery: false,
      ...info,
    },
    config: { user: 'Anonymous', team: 0, passkey: '', cause: 'any', ...config },
    groups: groups ?? { '': { config: groupConfig() } },
    units,
  }
}

export function groupConfig(config: object = {}) {
  return {
    on_idle: false,
    on_battery: true,
    keep_awake: true,
    paused: false,
    finish: false,
    beta: false,
    cuda: true,
    hip: true,
    key: 0,
    cpus: 8,
    gpus: {},
    ...config,
  }
}

/** A unit that runs, far from its deadline. */
export function unitData(unit: object = {}) {
  return {
    id: 'unit-1',
    group: '',
    number: 1,
    state: 'RUN',
    cpus: 4,
    gpus: [],
    progress: 0,
    wu_progress: 0.25,
    eta: '3h 5m',
    ppd: 123_456,
    run_time: 600,
    assignment: {
      project: 18_201,
      core: { type: '0xa9' },
      credit: 1000,
      deadline: 864_000,
      timeout: 864_000,
      time: new Date().toISOString(),
    },
    wu: { run: 1, clone: 2, gen: 3 },
    ...unit,
  }
}

/** A client that sends only what the test makes it send. */
export async function startScriptedClient(first: string | object) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const sockets = new Set<WebSocket>()
  const commands: Command[] = []
  let greeting = first
  let wake = (): void => undefined

  const sayText = (text: string): void => {
    for (const socket of sockets) socket.send(text)
  }
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('message', data => {
      // Everything that a page sends is an object.
      commands.push(JSON.parse(textOf(data)) as Command)
      wake()
    })
    socket.send(typeof greeting === 'string' ? greeting : JSON.stringify(greeting))
  })

  return {
    address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    sayText,
    /** Sets the first message to later connections. */
    greetWith: (data: object): void => {
      greeting = data
    },
    say: (...contents: readonly unknown[]) => {
      for (const content of contents) sayText(JSON.stringify(content))
    },
    /** The next command that the test has not taken yet. */
    nextCommand: async (): Promise<Command> => {
      for (;;) {
        const command = commands.shift()
        if (command !== undefined) return command
        await new Promise<void>(resolve => (wake = resolve))
      }
    },
    untakenCommands: (): readonly Command[] => commands,
    readers: () => sockets.size,
    drop: () => {
      for (const socket of sockets) socket.terminate()
    },
    stop: () => {
      for (const socket of sockets) socket.terminate()
      server.close()
    },
  }
}
