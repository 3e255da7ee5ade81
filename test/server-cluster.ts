import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, vi } from 'vitest'
import { openCluster } from '../programs/server/cluster/cluster.ts'
import { readConfig } from '../programs/server/config/read-config.ts'
import { startService, type ServiceOptions } from '../programs/server/service.ts'
import { clientData, groupConfig, startScriptedClient, unitData } from './end-to-end/scripted-client.ts'
import type { TestPostgres } from './postgres.ts'
import { usePostgres } from './use-postgres.ts'
import { useDashboardFolder, useStopLater } from './stop-later.ts'

export const SECRET = 's'.repeat(40)
export const WAIT = { timeout: 15_000, interval: 30 }

type Client = Awaited<ReturnType<typeof startScriptedClient>>
type Skip = (reason: string) => void

/** Servers of one database of PostgreSQL, which end with each test. */
export function useServers() {
  const needPostgres = usePostgres()
  let postgres: TestPostgres
  const dist = useDashboardFolder()
  const stopLater = useStopLater()
  return {
    stopLater,
    newDatabase: (skip: Skip): Promise<string> => {
      postgres = needPostgres(skip)
      return postgres.newDatabase()
    },
    query: (url: string, text: string) => postgres.run(url, text),
    restartDatabases: () => postgres.restart(),
    client: async (name: string): Promise<Client> =>
      stopLater(
        await startScriptedClient(
          clientData({
            info: { id: `${name}-id`, mach_name: name },
            groups: { '': { config: groupConfig() } },
            units: [unitData()],
          }),
        ),
      ),
    /** `more`: of its settings. */
    startServer: async (
      database: string,
      clients: readonly Pick<Client, 'address'>[],
      more = '',
      options: Partial<ServiceOptions> = {},
    ) => {
      const clientSettings = clients.map(
        ({ address: { host, port } }) =>
          `[[machines]]\naddress = "${host}:${port}"\ncommands = ["state"]\ntags = ["warm"]\n`,
      )
      const read = readConfig({
        file: {
          path: 'test.toml',
          text: `[listen]\nport = 0\n[store]\nurl = "${database}"\nsample-seconds = 10\n[cluster]\nsecret = "${SECRET}"\nport = 0\nlease-seconds = 2\n${clientSettings.join('')}${more}`,
        },
      })
      if (!read.ok) throw new Error(JSON.stringify(read.mistakes))
      const cluster = await openCluster(database, read.config.cluster)
      const service = await startService({
        config: read.config,
        store: cluster.store,
        cluster,
        log: pino({ level: 'silent' }),
        dist,
        version: '0.0.0',
        random: () => 0,
        ...options,
      })
      let isStopped = false
      const stop = async () => {
        if (!isStopped) await service.stop()
        isStopped = true
      }
      return stopLater({ ...service, origin: `http://127.0.0.1:${service.port}`, stop })
    },
  }
}

/** Receives alerts: settings of a channel and of who is told, and what was received. */
export async function startAlertReceiver() {
  const received: { readonly id: string; readonly machine: string; readonly state: string }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (more: string) => (text += more))
    request.on('end', () => {
      const { id, incidents } = JSON.parse(text) as { id: string; incidents: { machine: string; state: string }[] }
      for (const { machine: client, state } of incidents) received.push({ id, machine: client, state })
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    settings: `[[channels]]\nname = "hook"\nkind = "webhook"\nurl = "http://127.0.0.1:${port}/"\n[[alerts]]\nname = "ana"\nchannels = ["hook"]\nleast = "notice"\ndigest-minutes = 0\n`,
    /** Each incident that was told, with the ids of its messages: a repetition has the id of the first. */
    reportedBy: (state: string): ReadonlyMap<string, ReadonlySet<string>> => {
      const ids = new Map<string, Set<string>>()
      for (const { id, machine: client, state: alertState } of received)
        if (alertState === state) ids.set(client, (ids.get(client) ?? new Set()).add(id))
      return ids
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type ClusterServer = Awaited<ReturnType<ReturnType<typeof useServers>['startServer']>>

export function statesSentTo(client: Client | undefined) {
  return client?.untakenCommands().flatMap(({ cmd, state }) => (cmd === 'state' ? [state] : []))
}

/** Calls the HTTP API: with a body by POST. */
export function callServer({ origin }: ClusterServer, path: string, body?: object) {
  return fetch(`${origin}/api/server/${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { Origin: origin },
  })
}

export async function clientsOf(server: ClusterServer) {
  return (
    (await (await callServer(server, 'machines')).json()) as {
      machines: { number: number; name: string; connected: boolean }[]
    }
  ).machines
}

export function allConnected(server: ClusterServer, count: number) {
  return vi.waitFor(async () => {
    const clients = await clientsOf(server)
    expect(clients.filter(({ connected }) => connected)).toHaveLength(count)
  }, WAIT)
}

/** A schedule of all clients with a tag. */
export function scheduleOf(tag: string, change: object = {}) {
  return {
    id: 'quiet',
    name: 'Quiet',
    isEnabled: true,
    targets: [{ kind: 'tag', name: tag }],
    timeZone: 'UTC',
    rules: [],
    otherwise: 'pause',
    finishMinutes: 0,
    ...change,
  }
}

/** Replaces all schedules by this one, when the server has become the one that decides them. */
export async function saveSchedule(server: ClusterServer, schedule: object): Promise<void> {
  const { revision } = await vi.waitFor(async () => {
    const current = await callServer(server, 'schedules')
    expect(current.status).toBe(200)
    return (await current.json()) as { revision: string }
  }, WAIT)
  const saved = await callServer(server, 'schedules', { revision, schedules: [schedule] })
  const answer = await saved.text()
  expect(saved.status, answer).toBe(200)
}
