import { collectDefaultMetrics, Counter, Registry } from 'prom-client'
import { mostFailures } from '../../../src/folding/fleet/client-facts.ts'
import type { StateTone } from '../../../src/folding/shared/appearance.ts'
import { text } from '../../../src/folding/shared/read.ts'
import { boundedText } from '../../../src/folding/text/vocabulary.ts'
import type { Excess } from '../../../src/folding/client/client-excess.ts'
import { GRAVITIES, INCIDENT_KINDS } from '../../../src/folding/incidents/incident.ts'
import { kindEntry } from '../../../src/folding/incidents/incident-kinds.ts'
import type { StoredIncident } from '../../../src/folding/incidents/incident-schema.ts'
import type { Power } from '../power/power.ts'
import type { Alerts } from '../alerts/alerts.ts'
import type { Outcome } from '../gateway/pacer.ts'
import type { SettledState } from '../machines/delivery/delivery.events.ts'
import type { ClientStatus } from '../machines/server/server.selectors.ts'

export type MetricsDeps = {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** `label`: the name in the settings, else the address: it stays the same whatever the client reports. */
  readonly machines: () => readonly (ClientStatus & { readonly label: string })[]
  /** The labels of clients by their keys, also of those that are not connected. */
  readonly labels: () => (key: string) => string
  readonly sockets: () => number
  /** Those that last. */
  readonly incidents: () => readonly StoredIncident[]
  readonly alerts: Alerts['counts']
  /** What a client draws and has used, by its key; undefined where another server records it. */
  readonly power: Power['of']
  readonly currency: () => string | undefined
}

export type EndedUnits = {
  readonly machine: string
  readonly result: string
  readonly credit: number | null
  /** How many; default: one. */
  readonly units?: number
}

export type Metrics = {
  readonly contentType: string
  /** The text, a metric at a time. */
  readonly families: () => AsyncIterable<string>
  /** Units that ended; `machine`: the key of a client, `credit`: their points. */
  readonly countUnits: (ended: readonly EndedUnits[]) => void
  /** A client was disconnected, since it sent too much. */
  readonly countExcess: (client: string, limit: Excess) => void
  readonly countSetAside: (table: string, rows: number) => void
  readonly countCommand: (outcome: Outcome) => void
  readonly countAlert: (channel: string, how: SettledState) => void
}

/** Results that clients report; others count as `other`, so that the number of series is bounded. */
const RESULTS = ['credited', 'dumped', 'expired', 'failed', 'retries', 'rejected', 'missing', 'aborted']
/** Of a version or a system. */
const LONGEST_LABEL = 60
const TONES: readonly StateTone[] = [
  'running',
  'finishing',
  'waiting',
  'paused',
  'transfer',
  'failed',
  'done',
  'unknown',
]

function shownText(value: unknown): string {
  return boundedText(text(value) ?? '', LONGEST_LABEL)
}

type Labels = Readonly<Record<string, string>>
type Collect = (add: (labels: Labels, value: number) => void) => void

/** One metric as text: thousands of machines have a hundred thousand lines, for which prom-client takes twice as long. */
function familyOf(kind: 'gauge' | 'counter', name: string, help: string, collect: Collect): () => string {
  return () => {
    const values = new Map<string, number>()
    collect((labels, value) => {
      const text = Object.entries(labels).map(([label, of]) => `${label}="${escaped(of)}"`)
      const key = text.length === 0 ? '' : `{${text.join(',')}}`
      values.set(key, (values.get(key) ?? 0) + value)
    })
    const lines = [...values].map(([key, value]) => `foldboard_${name}${key} ${value}`)
    return [`# HELP foldboard_${name} ${help}`, `# TYPE foldboard_${name} ${kind}`, ...lines].join('\n')
  }
}

function escaped(value: string): string {
  return value.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
}

/** Metrics by the conventions of Prometheus: base units, totals as counters, one name for one thing. */
export function createMetrics(deps: MetricsDeps): Metrics {
  const { machines: clients, labels, sockets, incidents, alerts } = deps
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'foldboard_' })
  const counter = (name: string, help: string, ...labelNames: readonly string[]) =>
    new Counter({ name: `foldboard_${name}`, help, labelNames: [...labelNames], registers: [registry] })
  const families: (() => string)[] = []
  /** `collect` adds all of its values, whenever it is asked for. */
  const gauge = (name: string, help: string, collect: Collect): void =>
    void families.push(familyOf('gauge', name, help, collect))

  const ofClients = (name: string, help: string, read: (client: ClientStatus) => number | undefined): void =>
    gauge(`machine_${name}`, help, add => {
      for (const client of clients()) {
        const value = read(client)
        if (value !== undefined) add({ machine: client.label }, value)
      }
    })
  ofClients('up', 'Whether the server is connected to the machine.', ({ isConnected }) => (isConnected ? 1 : 0))
  ofClients('points_per_day', 'Points per day of the units that run now.', ({ summary }) => summary.ppd)
  ofClients('cpus_used', 'CPUs of units that run now.', ({ summary }) => summary.cpus)
  ofClients('gpus_used', 'GPUs of units that run now.', ({ summary }) => summary.gpus)
  ofClients(
    'failed_units',
    'Units that failed or were lost in a row, in the group with most.',
    ({ isConnected, data }) => (isConnected ? mostFailures(data) : 0),
  )
  ofClients('problem_level', 'Most serious problem: 0 none to 3.', ({ problem }) => problem)
  ofClients('last_message_timestamp_seconds', 'When the last message of the machine arrived.', ({ lastMessageAt }) =>
    lastMessageAt === undefined ? undefined : lastMessageAt / 1000,
  )
  ofClients(
    'age_seconds',
    'How old what is known of the machine is; 0 while each of its messages comes at once.',
    client =>
      client.isConnected ? (client.asOf === undefined ? 0 : Math.max(0, deps.now() - client.asOf) / 1000) : undefined,
  )
  families.push(...powerMetrics(deps))
  gauge('machine_units', 'Units of the machine now, by state.', add => {
    for (const { label, summary, isConnected } of clients())
      for (const state of TONES) if (isConnected) add({ machine: label, state }, summary[state])
  })
  gauge('machine_info', 'Version and operating system of the client.', add => {
    for (const { label, data } of clients())
      if (data !== undefined)
        add({ machine: label, version: shownText(data.info.version), os: shownText(data.info.os) }, 1)
  })
  gauge('page_sockets', 'Sockets of pages that are open now.', add => {
    add({}, sockets())
  })
  gauge('incidents', 'Incidents that last, by kind and state.', add => {
    for (const kind of INCIDENT_KINDS) add({ kind, gravity: kindEntry(kind).gravity, state: 'open' }, 0)
    for (const { kind, gravity, state } of incidents()) add({ kind, gravity, state }, 1)
  })
  gauge('machine_incidents', 'Incidents of the machine that ask for attention, by gravity.', add => {
    const labels = new Map(clients().flatMap(({ id, label }) => (id === undefined ? [] : [[id, label]])))
    for (const client of labels.values()) for (const gravity of GRAVITIES) add({ machine: client, gravity }, 0)
    for (const { machine: client, gravity, state } of incidents()) {
      const label = labels.get(client)
      if (label !== undefined && state === 'open') add({ machine: label, gravity }, 1)
    }
  })
  gauge(
    'alert_messages',
    'Messages with alerts that are not delivered yet: waiting, and those of them whose channel failed.',
    add => {
      const { waiting, failing } = alerts()
      add({ state: 'waiting' }, waiting - failing)
      add({ state: 'failing' }, failing)
    },
  )
  gauge('alive_failing', 'Whether the last sign of life did not arrive.', add => {
    add({}, alerts().isAliveFailing ? 1 : 0)
  })
  const messages = counter(
    'alert_messages_total',
    'Messages with alerts, by channel and outcome.',
    'channel',
    'outcome',
  )
  const units = counter('units_ended_total', 'Work units that ended.', 'machine', 'result')
  const rowsSetAside = counter(
    'rows_set_aside_total',
    'Rows that the database refused for what was in them, or that could not be read, by table.',
    'table',
  )
  const excesses = counter(
    'machine_disconnections_total',
    'How often the machine was disconnected since it sent more than a client does, by what it exceeded.',
    'machine',
    'limit',
  )
  const credit = counter('base_credit_total', 'Base points of units that were credited.', 'machine')
  const commands = counter('commands_total', 'Commands sent to machines, by outcome.', 'outcome')

  return {
    contentType: registry.contentType,
    families: async function* () {
      for (const family of families) yield `${family()}\n\n`
      yield await registry.metrics()
    },
    countUnits: ended => {
      const labelOf = labels()
      for (const { machine: key, result, credit: points, units: number = 1 } of ended) {
        const client = labelOf(key)
        units.inc({ machine: client, result: RESULTS.includes(result) ? result : 'other' }, number)
        if (result === 'credited') credit.inc({ machine: client }, Math.max(0, points ?? 0))
      }
    },
    countSetAside: (table, rows) => rowsSetAside.inc({ table }, rows),
    countExcess: (client, limit) => excesses.inc({ machine: client, limit }),
    countCommand: outcome => commands.inc({ outcome }),
    countAlert: (channel, outcome) => messages.inc({ channel, outcome }),
  }
}

const JOULES = 3600

/** What machines draw and have used. A counter's value is the store's, which survives restarts. */
function powerMetrics({ machines: clients, power, currency }: MetricsDeps): readonly (() => string)[] {
  return [
    familyOf(
      'gauge',
      'machine_power_watts',
      'What the machine draws now, by how that is known: measured, entered or guess.',
      add => {
        for (const { id, label } of clients()) {
          const { watts, origin } = power(id) ?? {}
          if (watts !== undefined && origin !== undefined) add({ machine: label, origin }, watts)
        }
      },
    ),
    familyOf(
      'counter',
      'machine_energy_joules_total',
      'Energy that the machine has used while that was known.',
      add => {
        for (const { id, label } of clients()) {
          const used = power(id)?.total.wattHours
          if (used !== undefined) add({ machine: label }, used * JOULES)
        }
      },
    ),
    familyOf(
      'gauge',
      'machine_energy_cost',
      'What the energy has cost of which the price is known. Prices below zero make it fall.',
      add => {
        const unit = currency()
        for (const { id, label } of clients()) {
          const cost = power(id)?.total.cost
          if (unit !== undefined && cost !== undefined) add({ machine: label, currency: unit }, cost)
        }
      },
    ),
  ]
}
