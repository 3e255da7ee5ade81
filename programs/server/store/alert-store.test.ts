import { randomUUID } from 'node:crypto'
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely'
import { expect, test } from 'vitest'
import { newIncident } from '../../../src/machines/incidents/incident/incident.machine.ts'
import { libsqlDriver } from '../../host/libsql.ts'
import type { AlertRule } from '../config/alert-settings.ts'
import { alertStoreOf } from './alert-store.ts'
import { migrate } from './database.ts'
import { incidentStoreOf } from './incident-store.ts'
import type { Tables } from './schema.ts'
import type { Write } from './write.ts'

const EVERYTHING = { remaining: 0, mayPass: () => true }
const rule: AlertRule = {
  name: 'ana',
  channels: ['phone'],
  together: true,
  'escalate-minutes': 30,
  least: 'warning',
  'digest-minutes': 0,
  recovery: true,
  quiet: undefined,
}

test('no statement about alerts reads all of them, or all messages', async () => {
  const driver = libsqlDriver(':memory:')
  const statements = new Map<string, readonly unknown[]>()
  const recorded: SqliteDatabase = {
    ...driver,
    prepare: text => {
      const statement = driver.prepare(text)
      return {
        ...statement,
        all: parameters => {
          statements.set(text, parameters)
          return statement.all(parameters)
        },
        run: parameters => {
          statements.set(text, parameters)
          return statement.run(parameters)
        },
      }
    },
  }
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: recorded }) })
  await migrate(db, 'sqlite', '')
  statements.clear()
  const write: Write = work => db.transaction().execute(work)
  const alerts = alertStoreOf(db, write)
  const condition = {
    kind: 'failing',
    gravity: 'grave',
    subject: '',
    since: 1,
    evidence: { group: '', count: 2 },
  } as const
  const put = [newIncident({ machine: 'attic', name: 'attic', owner: undefined, condition })]
  const [delivery] = await incidentStoreOf(db, write).save({
    put,
    removed: [],
    rules: [rule],
    at: 1,
    newId: randomUUID,
  })
  const id = delivery?.id ?? ''
  expect((await alerts.take(id, 1, EVERYTHING, randomUUID)).isSent).toBe(true)
  expect(await alerts.claimedBy(id)).toHaveLength(1)
  await alerts.beginAttempt(id, 2)
  await alerts.keep({ id, state: 'delivered', failures: 0, error: undefined, wait: 0 }, 3)
  expect(await alerts.list(10)).toMatchObject([{ alerts: 1 }])
  await alerts.prune(10_000)
  const plans = [...statements].flatMap(([text, parameters]) =>
    /^(?:select|update|delete)/.test(text)
      ? driver
          .prepare(`explain query plan ${text}`)
          .all(parameters)
          .map(row => (row as { detail: string }).detail)
      : [],
  )
  await db.destroy()
  // The newest come first in that index.
  expect(plans.filter(plan => /^SCAN (?:alerts|deliveries)/.test(plan))).toEqual([
    'SCAN deliveries USING INDEX deliveries_created',
  ])
})
