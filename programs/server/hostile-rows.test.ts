import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import { clientOf, untilConnected, useService } from '../../test/server-service.ts'
import type { RouteSpec } from './http/route-fields.ts'
import { routes } from './http/routes.ts'
import { backUp, restore } from './store/backup.ts'
import { DATABASE_FILE, openServerStore } from './store/sqlite.ts'

const { client, start, stopLater } = useService()

async function folderWith(...statements: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-rows-'))
  stopLater({ stop: () => rmSync(folder, { recursive: true }) })
  await (await openServerStore(folder)).close()
  const database = new Libsql(join(folder, DATABASE_FILE))
  for (const statement of statements) database.exec(statement)
  database.close()
  return folder
}

const UNIT = `'attic','u',1,'','gpu',1,1,1,1,'0x22','credited'`
const BAD_ROWS = [
  `INSERT INTO energy VALUES ('attic',1,2,1,-5,1,1,1,1,1,'measured'), ('attic',3,4,1,9e999,1,1,1,1,1,''),
   ('attic','never',4,1,1,1,1,1,1,1,''), (x'00',5,6,1,1,1,1,1,1,1,'')`,
  `INSERT INTO inputs VALUES ('solar','much',1), ('price',9e999,1), ('heat',1,9e15)`,
  `INSERT INTO standings VALUES ('donor','ana',9e18,1,1), ('donor',x'00',1,1,1), ('team','x',1,-1,1)`,
  `INSERT INTO shared VALUES ('tags','new','{}'), ('views',1,x'00'), ('power',-9e999,'{}'),
   ('processors',1,'[')`,
  `INSERT INTO units (key,machine,unit,number,group_name,resource,project,run,clone,gen,core,result,credit,ended)
   VALUES ('a',${UNIT},-9e999,1), ('b',${UNIT},5,9e18), ('c',${UNIT},'much',5), ('d',${UNIT},-1,5)`,
  `INSERT INTO prices VALUES ('spot',1,'x',1), ('spot',9e17,9e18,1), ('spot',5,6,9e999)`,
  `INSERT INTO counters VALUES ('plug','x',9e99,1,1)`,
  `INSERT INTO actions VALUES (1,9e18,'ana','attic','pause','',NULL)`,
  `INSERT INTO machines VALUES ('attic',x'00','','','',1,1)`,
  `INSERT INTO samples VALUES (9e18,60,'attic','',1,'gpu',1), ('never',60,'attic','',1,'gpu',9e999)`,
  `INSERT INTO progress VALUES ('energy','never')`,
  `INSERT INTO push_subscriptions VALUES (x'00','ana','','',1)`,
  `INSERT INTO incidents VALUES ('i','i','attic','x','grave','open','never',NULL,'o','{}'),
   ('j','j','attic','x','grave','open',1,NULL,'o','{}')`,
  `INSERT INTO deliveries VALUES ('d','r','c','waiting','never',0,NULL,1,NULL,NULL)`,
  `INSERT INTO alerts VALUES ('a','o','i','r','c','found',1,1,'planned',NULL,'{')`,
  `INSERT INTO memories VALUES ('attic','[]')`,
  `INSERT INTO schedules VALUES ('s',0,'{"id":"s"}'), ('t',1,'')`,
  `INSERT INTO schedule_states VALUES ('','at noon'), ('attic','{}')`,
]

test('rows that nobody wrote are left out, kept aside and counted, and every route answers', async () => {
  const folder = await folderWith(...BAD_ROWS)
  const store = await openServerStore(folder)
  const service = await start(clientOf(await client()), { store })
  await untilConnected(service)
  const statuses: Record<string, number> = {}
  for (const { method, path } of Object.values<RouteSpec>(routes)) {
    if (method === 'post' || path.endsWith('/events')) continue
    const response = await fetch(`${service.origin}${path}`)
    statuses[path] = response.status
    await response.text()
  }
  expect(Object.entries(statuses).filter(([, status]) => status !== 200)).toEqual([])
  const metrics = await (await fetch(`${service.origin}/metrics`)).text()
  for (const [table, rows] of [
    ['energy', 4],
    ['inputs', 3],
    ['units', 4],
    ['standings', 3],
    ['incidents', 2],
    ['alerts', 1],
    ['memories', 1],
    ['schedules', 2],
    ['schedule_states', 2],
    ['shared', 4],
  ])
    expect(metrics).toContain(`{table="${table}"} ${rows}`)
  expect((await store.units({}, 10)).units).toEqual([])
})

test('samples and sums that nobody wrote are left out of points', async () => {
  const at = Date.parse('2027-01-01T00:00:00Z')
  const rest = `'',1,'gpu'`
  const folder = await folderWith(
    `INSERT INTO samples VALUES (${at},60,'attic',${rest},60), (${at},60,'cellar',${rest},-60), (${at},60,'shed',${rest},9e999),
     (${at},60,'barn',${rest},'much'), ('never',60,'yard',${rest},5), (${at},60,x'00',${rest},5), (${at},'long','loft',${rest},5), (${at},-5,'den',${rest},5)`,
    `INSERT INTO totals VALUES (3600,'machine',${at - 7_200_000},'attic',7), (3600,'machine',${at - 7_200_000},'shed',-7),
     (3600,'machine',${at - 7_200_000},x'00',7), (3600,'machine',${at - 7_200_000},'barn',9e999),
     (3600,'machine',-9007199254740993,'attic',7), (3600,'total',-9e999,'',7), (86400,'total','never','',7)`,
    `INSERT INTO progress VALUES ('summed',${at - 3_600_000})`,
  )
  const store = await openServerStore(folder)
  stopLater({ stop: () => store.close() })
  expect(await store.points({ by: 'machine', step: 60 })).toEqual([{ at, name: 'attic', ppd: 60 }])
  const hours = [
    { at: at - 7_200_000, name: 'attic', ppd: 7 },
    { at, name: 'attic', ppd: 1 },
  ]
  expect(await store.points({ by: 'machine', step: 3600 })).toEqual(hours)
  await store.sumUp(at + 3_600_000)
  expect((await store.points({ by: 'machine', step: 3600 })).at(-1)).toEqual(hours.at(-1))

  // They are counted once, when they would become hours and days.
  const aside: Record<string, number> = {}
  store.onSetAside((table, _, rows = 1) => (aside[table] = (aside[table] ?? 0) + rows))
  expect(await store.rollUp(at + 7_200_000, at)).toBe(true)
  expect(await store.rollUp(at + 7_200_000, at)).toBe(true)
  expect(aside).toEqual({ samples: 7, totals: 6 })
  expect((await store.points({ by: 'machine', step: 3600 })).at(-1)).toEqual(hours.at(-1))
})

test('a history is added up from its first sample on that has a possible time', async () => {
  const at = Date.parse('2027-01-01T00:00:00Z')
  const rest = `'attic','',1,'gpu',60`
  const folder = await folderWith(`INSERT INTO samples VALUES (-9e15,60,${rest}), (${at},60,${rest})`)
  const store = await openServerStore(folder)
  stopLater({ stop: () => store.close() })
  await store.sumUp(at + 7_200_000)
  expect(await store.points({ by: 'total', step: 3600, from: at })).toEqual([{ at, name: '', ppd: 1 }])
})

test('only a backup is restored whose tables are those of this program, and nobody is signed in by it', async () => {
  const sessions = `INSERT INTO sessions VALUES ('h','ana',8e15,'p')`
  const target = await folderWith()
  const attempt = async (...statements: readonly string[]): Promise<string> => {
    const file = join(await folderWith(sessions, ...statements), DATABASE_FILE)
    return restore(target, file).then(
      () => 'restored',
      (error: unknown) => String(error),
    )
  }
  for (const statement of [
    `CREATE TRIGGER t AFTER INSERT ON units BEGIN INSERT INTO sessions VALUES ('x','ana',9e15,''); END`,
    `CREATE TRIGGER t AFTER INSERT ON units BEGIN DELETE FROM units; END`,
    `ALTER TABLE units ADD COLUMN more text GENERATED ALWAYS AS (key) VIRTUAL`,
    `DROP TABLE energy`,
    `DROP TABLE energy; CREATE VIEW energy AS SELECT * FROM units`,
    `CREATE TABLE more (id)`,
    `DROP INDEX units_ended`,
    `DELETE FROM kysely_migration WHERE name = '002-schedules'`,
  ])
    expect(await attempt(statement), statement).toContain('cannot be restored')
  expect(await attempt()).toBe('restored')
  const file = join(await folderWith(), 'copy.db')
  await backUp(await folderWith(sessions), file)
  await restore(target, file)
  const store = await openServerStore(target)
  expect(await store.sessions.find('h', 1)).toBeUndefined()
  await store.close()
})
