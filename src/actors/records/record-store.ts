import type { DBSchema } from 'idb'
import { createTurns } from '../../folding/shared/turns.ts'
import { MOST_RECORDS, readRecord, type UnitRecord } from '../../folding/unit/unit-record.ts'
import type { RecordsFact, RecordStoreCommand } from '../../machines/units/records/records.events.ts'
import { openDatabase, type Database } from '../storage/database.ts'
import { factActor } from '../fact-actor.ts'

type RecordSchema = DBSchema & { records: { key: [client: string, unit: string]; value: UnitRecord } }
export type RecordDatabase = Database<RecordSchema>

/** Undefined where IndexedDB does not work. */
export function openRecordDatabase(name: string): Promise<RecordDatabase | undefined> {
  return openDatabase<RecordSchema>(name, ['records'])
}

/** Stores what was seen of units in IndexedDB. Failures of the storage are ignored: the page knows it while it is open. */
export function recordStore(open: () => Promise<RecordDatabase | undefined>) {
  return factActor<RecordStoreCommand, undefined, RecordsFact>(({ report, receive }) => {
    let opening: Promise<RecordDatabase | undefined> | undefined
    const inTurn = createTurns()
    const execute = async (command: RecordStoreCommand): Promise<void> => {
      const database = await (opening ??= open())
      if (command.type !== 'recordStore.load') {
        if (database !== undefined) await change(database, command)
        return
      }
      const stored = database === undefined ? [] : await database.getAll('records', null, MOST_RECORDS)
      report({ type: 'records.loaded', records: stored.flatMap(value => readRecord(value) ?? []) })
    }
    // One after another, so that an earlier write cannot undo a later deletion.
    receive(command => {
      inTurn(() => execute(command)).catch(() => {
        if (command.type === 'recordStore.load') report({ type: 'records.loaded', records: [] })
      })
    })
    return () => {
      void inTurn(async () => (await opening)?.close())
    }
  })
}

async function change(
  database: RecordDatabase,
  command: Exclude<RecordStoreCommand, { readonly type: 'recordStore.load' }>,
): Promise<void> {
  const transaction = database.transaction('records', 'readwrite')
  const { store } = transaction
  const works =
    command.type === 'recordStore.clear'
      ? [store.clear()]
      : command.type === 'recordStore.save'
        ? command.records.map(record => store.put(record, [record.client, record.unit]))
        : command.units.map(({ client, unit }) => store.delete([client, unit]))
  await Promise.all([...works, transaction.done])
}
