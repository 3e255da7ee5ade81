import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery, Kysely, Migrator, sql, type DatabaseConnection, type PostgresDialect } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { Schedule } from '../../src/folding/schedule/schedule.ts'
import { emptyMemory } from '../../src/folding/incidents/client-memory.ts'
import { advance, newIncident } from '../../src/machines/incidents/incident/incident.machine.ts'
import { clientData, unitData } from '../../test/end-to-end/scripted-client.ts'
import { startHostileClient } from '../../test/hostile-client.ts'
import { allConnected, callServer, startAlertReceiver, useServers, WAIT } from '../../test/server-cluster.ts'
import type { AlertRule } from './config/alert-settings.ts'
import { migrate } from './store/database.ts'
import { migrationsFor } from './store/migrations.ts'
import { openPostgres, postgresDialect } from './store/postgres.ts'
import type { Tables } from './store/schema.ts'
import { endedUnit } from './store/recorder.ts'
import { storeOf, type EndedUnit, type Sample, type ServerStore } from './store/store.ts'

const { client, newDatabase, query, restartDatabases, startServer, stopLater } = useServers()

/**
 * Has the database end the connection that changes a table: in the statement, or at the end of its transaction.
 * `condition`: in SQL, asked at each of these moments. Sequences are not rolled back, so they count them.
 */
async function endConnections(database: string, condition: string): Promise<readonly string[]> {
  const run = (text: string) => query(database, text)
  const tables = (
    await run("SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%'")
  ).map(({ tablename }) => String(tablename))
  await run('CREATE SEQUENCE moments; CREATE SEQUENCE chosen MINVALUE 0')
  await run(`CREATE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF ${condition} THEN PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(5); END IF;
    RETURN NULL;
  END $$`)
  for (const table of tables) {
    await run(
      `CREATE TRIGGER within BEFORE INSERT OR UPDATE OR DELETE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION end_connection()`,
    )
    await run(
      `CREATE CONSTRAINT TRIGGER at_end AFTER INSERT OR UPDATE OR DELETE ON ${table} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_connection()`,
    )
  }
  return tables
}

const attic = { id: 'attic', name: 'attic', owner: undefined, info: {} }
function unitOf(id: string): EndedUnit {
  const unit = endedUnit(attic, {
    id,
    group: '',
    result: 'credited',
    end_time: '2027-01-01T00:00:00Z',
    assignment: { project: 1, credit: 5 },
  })
  if (unit === undefined) throw new Error('It has no end.')
  return unit
}
function sampleAt(at: number): Sample {
  return {
    at,
    span: 60,
    machine: 'attic',
    group_name: '',
    project: 1,
    resource: '4 CPUs',
    ppd: 1000,
  }
}
const incident = newIncident({
  machine: 'attic',
  name: 'attic',
  owner: undefined,
  condition: { kind: 'failing', gravity: 'grave', subject: '', since: 1, evidence: { group: '', count: 2 } },
})
const rules: readonly AlertRule[] = [
  {
    name: 'ana',
    channels: ['phone', 'mail'],
    together: true,
    'escalate-minutes': 30,
    least: 'warning',
    'digest-minutes': 0,
    recovery: true,
    quiet: undefined,
  },
]
const seen = { id: 'attic', name: 'attic', address: 'attic:7396', os: 'linux', version: '8.5.7' }
const schedule: Schedule = {
  id: 'quiet',
  name: 'Quiet',
  isEnabled: true,
  targets: [{ kind: 'tag', name: 'warm' }],
  timeZone: 'UTC',
  rules: [],
  otherwise: 'pause',
  finishMinutes: 0,
}
const subject = { machine: 'attic' }
const saved = { decision: { state: 'pause', since: 1 } } as const
const subscription = {
  endpoint: 'https://push.example.org/1',
  keys: { p256dh: 'p', auth: 'a' },
  user: 'ana',
  created: 1,
}
async function due({ alerts }: ServerStore): Promise<string> {
  return (await alerts.unfinished()).find(({ channel }) => channel === 'phone')?.id ?? ''
}

/** Each kind of transaction, in an order in which they make sense. */
const writes: Readonly<Record<string, (store: ServerStore) => Promise<unknown>>> = {
  'clients that are seen': store => store.saw([seen, { ...seen, id: 'cellar' }], 1),
  'units that ended': store => store.addUnits([unitOf('a'), unitOf('b')]),
  'units of a page': store => store.imports.addMissing([unitOf('b'), unitOf('c')]),
  samples: store => store.addSamples([sampleAt(0), sampleAt(60_000)]),
  sums: store => store.sumUp(7_200_000, 60),
  'rolled up samples': store => store.rollUp(7_200_000, 0),
  'a command': store => store.addAction({ at: 1, who: 'ana', machine: 'attic', command: 'pause', reason: 'noise' }),
  'its outcome': async store => store.settleAction((await store.actions(1))[0]?.id ?? 0, 'confirmed'),
  'clients of the account': store => store.listAccountClients([{ id: 'b', name: 'attic' }]),
  'an incident and its alerts': store =>
    store.incidents.save({ put: [incident], removed: [], rules, at: 1, newId: () => `delivery-${++ids}` }),
  'what rules keep': store =>
    store.incidents.writeMemories(new Map([['attic', { owner: undefined, memory: emptyMemory(1) }]])),
  'alerts that are taken': async store =>
    store.alerts.take(await due(store), 1e9, { remaining: 0, mayPass: () => true }, () => `delivery-${++ids}`),
  'an attempt': async store => store.alerts.beginAttempt(await due(store), 2),
  'its end': async store =>
    store.alerts.keep({ id: await due(store), state: 'delivered', failures: 0, error: undefined, wait: 0 }, 3),
  'an incident that is over': store =>
    store.incidents.save({
      put: [advance(incident, { type: 'incident.ended', at: 5 })],
      removed: [],
      rules,
      at: 5,
      newId: () => `delivery-${++ids}`,
    }),
  'what was settled long ago': store => store.alerts.prune(4),
  schedules: store => store.schedules.replace([schedule, { ...schedule, id: 'other' }]),
  'an input': store => store.schedules.saveInput('solar', 5, 1),
  'states of schedules': store => store.schedules.saveSubjects([{ subject, saved }]),
  'a state of a schedule': store => store.schedules.saveSubjects([{ subject: { machine: 'cellar' }, saved }]),
  'a state that is forgotten': store => store.schedules.saveSubjects([{ subject }]),
  'progress of schedules': store => store.schedules.saveProgress(5, {}),
  'a tag': store => store.shared.change({ type: 'tags.add', machines: ['attic'], tag: 'warm' }),
  'a view': store => store.shared.change({ type: 'views.save', name: 'Paused', params: { filter: 'state:paused' } }),
  standings: store => store.standings.add([{ kind: 'donor', name: 'ana', at: 1, score: 5, wus: 1 }]),
  'a subscription': store => store.push.add(subscription),
  'its end ': store => store.push.remove(subscription.endpoint),
  'a session': store => store.sessions.add({ hash: 'h', user: 'ana', expires: 100, made_with: 'p' }, 1),
  'its end  ': store => store.sessions.remove('h'),
}
let ids = 0

test('a connection to PostgreSQL that ends at any moment of any write: it is refused and nothing of it is left', async ({
  skip,
}) => {
  const [database, other] = [await newDatabase(skip), await newDatabase(skip)]
  const [store, undisturbed] = [storeOf(await openPostgres(database)), storeOf(await openPostgres(other))]
  stopLater({ stop: () => Promise.all([store.close(), undisturbed.close()]) })
  const tables = await endConnections(database, "nextval('moments') = (SELECT last_value FROM chosen)")
  /** The number that the database gives a command may leave gaps. */
  const contentOf = async (url: string): Promise<unknown> => {
    const parts = tables.map(
      table =>
        `SELECT '${table}' AS name, (to_jsonb(t) - CASE WHEN '${table}' = 'actions' THEN 'id' ELSE '' END)::text AS row FROM ${table} t`,
    )
    return query(url, `${parts.join(' UNION ALL ')} ORDER BY 1, 2`)
  }
  const ended = new Map<string, number>()
  for (const [what, write] of Object.entries(writes)) {
    const idsBefore = ids
    await write(undisturbed)
    const before = await contentOf(database)
    for (let moment = 1; ; moment++) {
      ids = idsBefore
      await query(database, `SELECT setval('chosen', ${moment}), setval('moments', 1, false)`)
      const isDone = await write(store).then(
        () => true,
        () => false,
      )
      await query(database, "SELECT setval('chosen', 0)")
      if (isDone) break
      // Sums are several transactions, each complete.
      if (what !== 'sums') expect(await contentOf(database), `${what} ${moment}`).toEqual(before)
      ended.set(what, moment)
    }
    expect(await contentOf(database), what).toEqual(await contentOf(other))
  }
  expect([...ended.keys()]).toEqual(Object.keys(writes))
})

/** Has the database end the connection in place of the nth statement. */
function endedAt(dialect: PostgresDialect, nth: number): PostgresDialect {
  let left = nth
  const wrapped = new WeakSet<DatabaseConnection>()
  const createDriver = dialect.createDriver.bind(dialect)
  dialect.createDriver = () => {
    const driver = createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    driver.acquireConnection = async () => {
      const connection = await acquire()
      if (wrapped.has(connection)) return connection
      wrapped.add(connection)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = query =>
        execute(--left < 0 ? CompiledQuery.raw('SELECT pg_terminate_backend(pg_backend_pid())') : query)
      return connection
    }
    return driver
  }
  return dialect
}

test('PostgreSQL that ends the connection at any statement of a migration keeps the database as it was, and it starts again', async ({
  skip,
}) => {
  const url = await newDatabase(skip)
  const db = new Kysely<Tables>({ dialect: postgresDialect(url, 1) })
  const provider = { getMigrations: () => Promise.resolve(migrationsFor('postgres')) }
  await new Migrator({ db, provider }).migrateTo('004-push')
  await sql`INSERT INTO sessions VALUES ('h', 'ana', 5)`.execute(db)
  await db.destroy()
  const tablesOf = () =>
    query(
      url,
      "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
    )
  const before = await tablesOf()
  let statements = 0
  for (let isDone = false; !isDone;) {
    const killed = new Kysely<Tables>({ dialect: endedAt(postgresDialect(url, 1), statements) })
    isDone = await migrate(killed, 'postgres', 'test').then(
      () => true,
      (error: unknown) => {
        expect(String(error)).toMatch(/terminat|connection/i)
        return false
      },
    )
    await killed.destroy()
    const after = await tablesOf()
    // Either all migrations, or none of them.
    if (JSON.stringify(after) === JSON.stringify(before)) statements++
    else break
  }
  expect(statements).toBeGreaterThan(30)
  const store = storeOf(await openPostgres(url))
  stopLater({ stop: () => store.close() })
  expect(await store.sessions.find('h', 1)).toMatchObject({ user: 'ana', made_with: '' })
}, 280_000)

test('connections that end at random, and PostgreSQL that is started again, lose and double nothing', async ({
  skip,
}) => {
  const database = await newDatabase(skip)
  const house = await client('attic')
  const hostile = await Promise.all(
    Array.from({ length: 4 }, async (_, at) =>
      stopLater(
        await startHostileClient(async send => {
          await send(clientData({ info: { id: `hostile-${at}` }, units: [unitData()] }))
          await delay(3000)
          for (let key = 0; ; key++) await send(['info', `key ${key}`, 'x'])
        }),
      ),
    ),
  )
  const receiver = stopLater(await startAlertReceiver())
  const server = await startServer(database, [house, ...hostile], receiver.settings)
  await allConnected(server, 5)
  await endConnections(database, "random() < 0.03 AND nextval('chosen') >= 0")

  const units: object[] = []
  const tagged: string[] = []
  const reasons: string[] = []
  const inputs: string[] = []
  const asked: string[] = []
  const isDone = async (path: string, body: object): Promise<boolean> => {
    const answer = await callServer(server, path, body).catch(() => undefined)
    await answer?.arrayBuffer()
    return answer?.status === 200
  }
  const say = (): void => house.say(['wus', units])
  const until = performance.now() + 20_000
  const restarting = delay(4000 + Math.random() * 8000).then(restartDatabases)
  // A server whose connections end when it asks for its lease has none for seconds.
  const isEnough = (): boolean => tagged.length > 10 && inputs.length > 10 && reasons.length > 1
  for (let round = 0; performance.now() < until || !isEnough(); round++) {
    units.push({
      id: `unit-${round}`,
      group: '',
      result: 'credited',
      end_time: '2027-01-01T00:00:00Z',
      assignment: { project: 1, credit: 5 },
    })
    say()
    if (await isDone('shared', { type: 'tags.add', machines: [`client ${round}`], tag: 'warm' }))
      tagged.push(`client ${round}`)
    if (await isDone(`inputs/in${round}`, { value: round })) inputs.push(`in${round}`)
    if (round % 10 === 0) {
      asked.push(`reason ${round}`)
      const command = { cmd: 'state', state: round % 20 === 0 ? 'pause' : 'fold' }
      if (await isDone('machines/1/commands', { command, reason: `reason ${round}` })) reasons.push(`reason ${round}`)
    }
    await delay(100)
  }
  await restarting
  const [chosen] = await query(database, 'SELECT last_value::int AS ended FROM chosen')
  expect(chosen?.['ended']).toBeGreaterThan(5)
  await query(database, 'DROP FUNCTION end_connection CASCADE')

  await vi.waitFor(async () => {
    say()
    expect(await query(database, 'SELECT count(*)::int AS count FROM units')).toEqual([{ count: units.length }])
  }, WAIT)
  const shared = (await (await callServer(server, 'shared')).json()) as { tags: Record<string, string[]> }
  expect(Object.keys(shared.tags)).toEqual(expect.arrayContaining(tagged))
  const stored = await query(database, 'SELECT name FROM inputs')
  expect(stored.map(({ name }) => name)).toEqual(expect.arrayContaining(inputs))
  const actions = (await query(database, 'SELECT reason FROM actions')).map(({ reason }) => reason)
  expect(actions).toEqual(expect.arrayContaining(reasons))
  expect(new Set(actions).size).toBe(actions.length)
  expect(asked).toEqual(expect.arrayContaining(actions))
  // Each of those that sent too much is told of once.
  await vi.waitFor(() => expect(receiver.reportedBy('open').size).toBe(4), { ...WAIT, timeout: 80_000 })
  expect([...receiver.reportedBy('open').values()].map(({ size }) => size)).toEqual([1, 1, 1, 1])
}, 240_000)
