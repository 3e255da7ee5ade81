import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
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
  readonly text: () => Promise<string>
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

/** Metrics by the conventions of Prometheus: base units, totals as counters, one name for one thing. */
export function createMetrics(deps: MetricsDeps): Metrics {
  const { machines: clients, labels, sockets, incidents, alerts } = deps
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'foldboard_' })
  const registers = [registry]

  const gauge = (name: string, help: string, read: (client: ClientStatus) => number | undefined): void => {
    new Gauge({
      name: `foldboard_machine_${name}`,
      help,
      labelNames: ['machine'],
      registers,
      collect() {
        this.reset()
        for (const client of clients()) {
          const value = read(client)
          if (value !== undefined) this.set({ machine: client.label }, value)
        }
      },
    })
  }
  gauge('up', 'Whether the server is connected to the machine.', ({ isConnected }) => (isConnected ? 1 : 0))
  gauge('points_per_day', 'Points per day of the units that run now.', ({ summary }) => summary.ppd)
  gauge('cpus_used', 'CPUs of units that run now.', ({ summary }) => summary.cpus)
  gauge('gpus_used', 'GPUs of units that run now.', ({ summary }) => summary.gpus)
  gauge(
    'failed_units',
    'Units that failed or were lost in a row, over all groups.',
    ({ summary }) => summary.failedUnits,
  )
  gauge('problem_level', 'Most serious problem: 0 none to 3.', ({ problem }) => problem)
  gauge('last_message_timestamp_seconds', 'When the last message of the machine arrived.', ({ lastMessageAt }) =>
    lastMessageAt === undefined ? undefined : lastMessageAt / 1000,
  )
  gauge('age_seconds', 'How old what is known of the machine is; 0 while each of its messages comes at once.', client =>
    client.isConnected ? (client.asOf === undefined ? 0 : Math.max(0, deps.now() - client.asOf) / 1000) : undefined,
  )
  powerMetrics(deps, registers)
  new Gauge({
    name: 'foldboard_machine_units',
    help: 'Units of the machine now, by state.',
    labelNames: ['machine', 'state'],
    registers,
    collect() {
      this.reset()
      for (const { label, summary, isConnected } of clients())
        for (const state of TONES) if (isConnected) this.set({ machine: label, state }, summary[state])
    },
  })
  new Gauge({
    name: 'foldboard_machine_info',
    help: 'Version and operating system of the client.',
    labelNames: ['machine', 'version', 'os'],
    registers,
    collect() {
      this.reset()
      for (const { label, data } of clients())
        if (data !== undefined)
          this.set({ machine: label, version: shownText(data.info.version), os: shownText(data.info.os) }, 1)
    },
  })
  new Gauge({
    name: 'foldboard_page_sockets',
    help: 'Sockets of pages that are open now.',
    registers,
    collect() {
      this.set(sockets())
    },
  })
  new Gauge({
    name: 'foldboard_incidents',
    help: 'Incidents that last, by kind and state.',
    labelNames: ['kind', 'gravity', 'state'],
    registers,
    collect() {
      this.reset()
      for (const kind of INCIDENT_KINDS) this.set({ kind, gravity: kindEntry(kind).gravity, state: 'open' }, 0)
      for (const { kind, gravity, state } of incidents()) this.inc({ kind, gravity, state }, 1)
    },
  })
  new Gauge({
    name: 'foldboard_machine_incidents',
    help: 'Incidents of the machine that ask for attention, by gravity.',
    labelNames: ['machine', 'gravity'],
    registers,
    collect() {
      this.reset()
      const labels = new Map(clients().flatMap(({ id, label }) => (id === undefined ? [] : [[id, label]])))
      for (const client of labels.values()) for (const gravity of GRAVITIES) this.set({ machine: client, gravity }, 0)
      for (const { machine: client, gravity, state } of incidents()) {
        const label = labels.get(client)
        if (label !== undefined && state === 'open') this.inc({ machine: label, gravity }, 1)
      }
    },
  })
  new Gauge({
    name: 'foldboard_alert_messages',
    help: 'Messages with alerts that are not delivered yet: waiting, and those of them whose channel failed.',
    labelNames: ['state'],
    registers,
    collect() {
      const { waiting, failing } = alerts()
      this.set({ state: 'waiting' }, waiting - failing)
      this.set({ state: 'failing' }, failing)
    },
  })
  new Gauge({
    name: 'foldboard_alive_failing',
    help: 'Whether the last sign of life did not arrive.',
    registers,
    collect() {
      this.set(alerts().isAliveFailing ? 1 : 0)
    },
  })
  const messages = new Counter({
    name: 'foldboard_alert_messages_total',
    help: 'Messages with alerts, by channel and outcome.',
    labelNames: ['channel', 'outcome'],
    registers,
  })
  const units = new Counter({
    name: 'foldboard_units_ended_total',
    help: 'Work units that ended.',
    labelNames: ['machine', 'result'],
    registers,
  })
  const rowsSetAside = new Counter({
    name: 'foldboard_rows_set_aside_total',
    help: 'Rows that the database refused for what was in them, or that could not be read, by table.',
    labelNames: ['table'],
    registers,
  })
  const excesses = new Counter({
    name: 'foldboard_machine_disconnections_total',
    help: 'How often the machine was disconnected since it sent more than a client does, by what it exceeded.',
    labelNames: ['machine', 'limit'],
    registers,
  })
  const credit = new Counter({
    name: 'foldboard_base_credit_total',
    help: 'Base points of units that were credited.',
    labelNames: ['machine'],
    registers,
  })
  const commands = new Counter({
    name: 'foldboard_commands_total',
    help: 'Commands sent to machines, by outcome.',
    labelNames: ['outcome'],
    registers,
  })

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
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
function powerMetrics({ machines: clients, power, currency }: MetricsDeps, registers: Registry[]): void {
  new Gauge({
    name: 'foldboard_machine_power_watts',
    help: 'What the machine draws now, by how that is known: measured, entered or guess.',
    labelNames: ['machine', 'origin'],
    registers,
    collect() {
      this.reset()
      for (const { id, label } of clients()) {
        const { watts, origin } = power(id) ?? {}
        if (watts !== undefined && origin !== undefined) this.set({ machine: label, origin }, watts)
      }
    },
  })
  new Counter({
    name: 'foldboard_machine_energy_joules_total',
    help: 'Energy that the machine has used while that was known.',
    labelNames: ['machine'],
    registers,
    collect() {
      this.reset()
      for (const { id, label } of clients()) {
        const used = power(id)?.total.wattHours
        if (used !== undefined) this.inc({ machine: label }, used * JOULES)
      }
    },
  })
  new Gauge({
    name: 'foldboard_machine_energy_cost',
    help: 'What the energy has cost of which the price is known. Prices below zero make it fall.',
    labelNames: ['machine', 'currency'],
    registers,
    collect() {
      this.reset()
      const unit = currency()
      for (const { id, label } of clients()) {
        const cost = power(id)?.total.cost
        if (unit !== undefined && cost !== undefined) this.set({ machine: label, currency: unit }, cost)
      }
    },
  })
}
