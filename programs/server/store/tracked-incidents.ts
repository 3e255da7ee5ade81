import type { Kysely } from 'kysely'
import { parseIncident, type StoredIncident } from '../../../src/folding/incidents/incident-schema.ts'
import type { TrackedIncident } from '../alerts/plan.ts'
import { parsedJson } from '../../../src/folding/shared/read.ts'
import { createPauses } from '../event-loop.ts'
import { partsOf, reportRowSetAside } from './rows.ts'
import type { Tables } from './schema.ts'

/** An incident as the database has it; undefined when it cannot be read. */
export function incidentOf(db: Kysely<Tables>, value: string): StoredIncident | undefined {
  const incident = parseIncident(parsedJson(value))
  if (incident === undefined) reportRowSetAside(db, 'incidents', new Error('What is stored cannot be read.'))
  return incident
}

/** Incidents that have not ended, of these keys. */
export async function trackedIncidents(
  db: Kysely<Tables>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, TrackedIncident>> {
  const found = new Map<string, TrackedIncident>()
  const pause = createPauses()
  for (const part of partsOf(keys)) {
    const rows = await db
      .selectFrom('incidents')
      .select(['key', 'occurrence', 'value'])
      .where('ended', 'is', null)
      .where('key', 'in', part)
      .execute()
    for (const { key, occurrence, value } of rows) {
      const incident = incidentOf(db, value)
      if (incident !== undefined) found.set(key, { incident, occurrence })
    }
    await pause()
  }
  return found
}
