import type { Kysely } from 'kysely'
import { parseMemory, type StoredMemory, type StoredIncident } from '../../../src/folding/incidents/incident-schema.ts'
import { storageId } from '../../../src/folding/incidents/incident.ts'
import { planAlerts, type TrackedIncident } from '../alerts/plan.ts'
import type { AlertRule } from '../config/alert-settings.ts'
import { addAlerts, type NewDelivery } from './alert-store.ts'
import type { Write } from './write.ts'
import { parsedJson } from '../../../src/folding/shared/read.ts'
import { createPauses } from '../event-loop.ts'
import { partsOf, replaceReports, reportRowSetAside } from './rows.ts'
import type { IncidentTable, Tables } from './schema.ts'
import { incidentOf, trackedIncidents } from './tracked-incidents.ts'

export type IncidentFilter = {
  readonly state: 'active' | 'ended' | 'all'
  readonly machine?: string | undefined
  readonly kind?: string | undefined
  /** Epoch milliseconds: began at or after, and before. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export type IncidentStore = {
  /** Those that last, and the newest `mostEnded` that are over. */
  readonly load: (mostEnded: number) => Promise<readonly StoredIncident[]>
  /**
   * Stores changed incidents and the alerts that follow from them in one transaction: neither is ever stored without the
   * other. Resolves with the deliveries that will take the alerts.
   */
  readonly save: (change: IncidentChange) => Promise<readonly NewDelivery[]>
  /** Newest first. */
  readonly list: (filter: IncidentFilter, limit: number) => Promise<readonly StoredIncident[]>
  readonly readMemories: () => Promise<ReadonlyMap<string, StoredMemory>>
  readonly writeMemories: (memories: ReadonlyMap<string, StoredMemory>) => Promise<void>
}

export type IncidentChange = {
  readonly put: readonly StoredIncident[]
  /** Ids (`storageId`) of incidents that are stored under another id now, or that the statechart no longer holds. */
  readonly removed: readonly string[]
  readonly rules: readonly AlertRule[]
  /** Epoch milliseconds. */
  readonly at: number
  /** Makes the id of a delivery. */
  readonly newId: () => string
}

export function incidentStoreOf(db: Kysely<Tables>, write: Write): IncidentStore {
  return {
    load: async mostEnded => {
      const active = await db.selectFrom('incidents').select('value').where('ended', 'is', null).execute()
      const ended = await db
        .selectFrom('incidents')
        .select('value')
        .where('ended', 'is not', null)
        .orderBy('ended', 'desc')
        .limit(mostEnded)
        .execute()
      return incidentsOf(db, [...active, ...ended])
    },

    save: async ({ put, removed, rules, at, newId }) =>
      write(async change => {
        const previous = await trackedIncidents(
          change,
          put.map(({ key }) => key),
        )
        const { tracked, alerts } = planAlerts(
          put.map(after => ({ before: previous.get(after.key), after })),
          rules,
          at,
        )
        // One that is over stays in the history, unless it returned.
        const active = new Set(put.flatMap(({ key, resolvedAt }) => (resolvedAt === undefined ? [key] : [])))
        const gone = removed.filter(id => !id.includes(' @') || active.has(id.slice(0, id.lastIndexOf(' @'))))
        for (const part of partsOf(gone)) await change.deleteFrom('incidents').where('id', 'in', part).execute()
        const pause = createPauses()
        for (const part of partsOf(tracked)) {
          await replaceReports(change, 'incidents', ['id'], part.map(rowOf))
          await pause()
        }
        return addAlerts(change, alerts, newId, at)
      }),

    list: async ({ state, machine: client, kind, from, to }, limit) => {
      let query = db.selectFrom('incidents').select('value').orderBy('since', 'desc').orderBy('id').limit(limit)
      if (state !== 'all') query = query.where('ended', state === 'active' ? 'is' : 'is not', null)
      if (client !== undefined) query = query.where('machine', '=', client)
      if (kind !== undefined) query = query.where('kind', '=', kind)
      if (from !== undefined) query = query.where('since', '>=', from)
      if (to !== undefined) query = query.where('since', '<', to)
      return incidentsOf(db, await query.execute())
    },

    readMemories: async () => {
      const rows = await db.selectFrom('memories').selectAll().execute()
      return new Map(
        rows.flatMap(({ machine: client, value }) => {
          const memory = memoryOf(value)
          if (memory !== undefined) return [[client, memory] as const]
          reportRowSetAside(db, 'memories', new Error('What is stored cannot be read.'))
          return []
        }),
      )
    },
    writeMemories: async memories => {
      if (memories.size === 0) return
      const rows = [...memories].map(([client, memory]) => ({
        machine: client,
        value: JSON.stringify(memory, withoutMaps),
      }))
      await write(async change => {
        const pause = createPauses()
        for (const part of partsOf(rows)) {
          await replaceReports(change, 'memories', ['machine'], part)
          await pause()
        }
      })
    },
  }
}

/** Those that can be read; messages are handled meanwhile. */
async function incidentsOf(
  db: Kysely<Tables>,
  rows: readonly { readonly value: string }[],
): Promise<readonly StoredIncident[]> {
  const found: StoredIncident[] = []
  const pause = createPauses()
  for (const part of partsOf(rows)) {
    found.push(...part.flatMap(({ value }) => incidentOf(db, value) ?? []))
    await pause()
  }
  return found
}

export function memoryOf(value: string): StoredMemory | undefined {
  return parseMemory(parsedJson(value, withMaps))
}

function rowOf({ incident, occurrence }: TrackedIncident): IncidentTable {
  return {
    id: storageId(incident),
    key: incident.key,
    machine: incident.machine,
    kind: incident.kind,
    gravity: incident.gravity,
    state: incident.state,
    since: Math.max(0, Math.trunc(incident.since)),
    ended: incident.resolvedAt === undefined ? null : Math.trunc(incident.resolvedAt),
    occurrence,
    value: JSON.stringify(incident),
  }
}

/** Maps are stored as lists of their entries. */
function withoutMaps(_: string, value: unknown): unknown {
  return value instanceof Map ? { entries: [...value] } : value
}

function withMaps(_: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'entries' in value && Array.isArray(value.entries)
    ? new Map(value.entries as [unknown, unknown][])
    : value
}
