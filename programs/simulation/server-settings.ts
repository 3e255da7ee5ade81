import { createHash } from 'node:crypto'
import { DEMO } from '../network/demo-account.ts'

/** Ports of a world with servers: of one server or machine that number is added. */
export const PORTS = { api: 7401, alerts: 7470, server: 7480, peer: 7490, database: 5432, machine: 8000 } as const

const SECRETS = {
  cluster: 'cluster-secret-00-cluster-secret-00-cluster',
  password: 'database-password-00',
  webhook: 'webhook-secret-00-webhook',
  viewer: 'viewer-token-00-viewer-token-00',
}

/** With which nothing may be changed. */
export const VIEWER_TOKEN = SECRETS.viewer

/** What a server is told in its settings, and neither logs nor stores nor answers. */
export const serverSecrets: readonly string[] = [...Object.values(SECRETS), DEMO.passphrase]

/** Of machines with an even number, schedules decide; people tell the others what to do. */
export function isScheduled(number: number): boolean {
  return number % 2 === 0
}

function machineSettings(number: number): string {
  return `
[[machines]]
address = "127.0.0.1:${PORTS.machine + number}"
commands = ["state", "config", "dump"]
tags = ["${isScheduled(number) ? 'scheduled' : 'manual'}"]
`
}

function sharedSettings(server: number): string {
  return `
url = "postgres://foldboard:${SECRETS.password}@127.0.0.1:${PORTS.database}/foldboard"
[cluster]
secret = "${SECRETS.cluster}"
port = ${PORTS.peer + server}
url = "http://127.0.0.1:${PORTS.peer + server}"
`
}

/** The settings of one of several servers. `machines`: numbers of those that they connect to. */
export function settingsOf(server: number, count: number, machines: readonly number[]): string {
  return `
[listen]
port = ${PORTS.server + server}
[store]
folder = "/var/foldboard"
sample-seconds = 600
${count === 1 ? '' : sharedSettings(server)}
[statistics]
hourly = false
[account]
api-url = "http://127.0.0.1:${PORTS.api}"
plain-node = true
stay-connected = true
[[tokens]]
name = "wall"
hash = "${createHash('sha256').update(VIEWER_TOKEN).digest('hex')}"
scopes = ["read"]
expires = "2099-01-01"
[[channels]]
name = "hook"
kind = "webhook"
url = "http://127.0.0.1:${PORTS.alerts}/"
secret = "${SECRETS.webhook}"
[[alerts]]
name = "ana"
channels = ["hook"]
least = "notice"
digest-minutes = 0
${machines.map(machineSettings).join('')}`
}
