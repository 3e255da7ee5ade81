import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createActor, createMachine, type AnyActorLogic } from 'xstate'
import type { UnitRecord } from '../../folding/unit/unit-record.ts'
import type { RecordsFact, RecordStoreCommand } from '../../machines/units/records/records.events.ts'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { openRecordDatabase, recordStore } from './record-store.ts'
import { recordWatch, type ObservedClient } from './record-watch.ts'

afterEach(() => {
  vi.useRealTimers()
  globalThis.indexedDB = new IDBFactory()
})

/** Runs an effect, and keeps what it reports. */
function run(logic: AnyActorLogic) {
  const reports: RecordsFact[] = []
  const keep = ({ event }: { event: RecordsFact }): number => reports.push(event)
  const parent = createActor(
    createMachine({
      types: { events: {} as RecordsFact },
      invoke: { src: logic, id: 'child' },
      on: { 'records.loaded': { actions: keep }, 'records.observed': { actions: keep } },
    }),
  ).start()
  const send = (command: RecordStoreCommand): void => parent.getSnapshot().children['child']?.send(command)
  return { reports, send }
}

function recordOf(unit: string): UnitRecord {
  return {
    client: 'c',
    unit,
    owner: undefined,
    spacing: 60_000,
    moments: [{ at: 1, ppd: 0, status: 'RUN' }],
  }
}

describe('the store of records', () => {
  const loaded = async (open = () => openRecordDatabase('records')) => {
    const { reports, send } = run(recordStore(open))
    send({ type: 'recordStore.load' })
    await vi.waitFor(() => expect(reports).toHaveLength(1), 20_000)
    return { send, records: reports.flatMap(fact => (fact.type === 'records.loaded' ? fact.records : [])) }
  }

  it('gives back what was stored and not deleted', async () => {
    const { send } = await loaded()
    send({ type: 'recordStore.save', records: [recordOf('a'), recordOf('b')] })
    send({ type: 'recordStore.delete', units: [{ client: 'c', unit: 'a' }] })
    await vi.waitFor(async () => expect((await loaded()).records).toEqual([recordOf('b')]), 20_000)
    send({ type: 'recordStore.clear' })
    await vi.waitFor(async () => expect((await loaded()).records).toEqual([]), 20_000)
  })

  it('has nothing where there is no database, or when it fails', async () => {
    expect((await loaded(() => Promise.resolve(undefined))).records).toEqual([])
    expect((await loaded(() => Promise.reject(new Error('full')))).records).toEqual([])
  })
})

describe('the watch of records', () => {
  const dataWith = (units: readonly Unit[]): ClientData => ({ info: {}, config: {}, groups: {}, units })
  const running = { id: 'u', state: 'RUN', pid: 1, wu_progress: 0.25, ppd: 500 }

  it('reports a unit once a minute and when its state changes, and no unit that is asked for or has ended', () => {
    vi.useFakeTimers()
    let units: readonly Unit[] = [
      running,
      { id: 'asked', state: 'ASSIGN' },
      { id: 'x', result: 'dumped', end_time: '2026-11-20T00:00:00Z' },
    ]
    const clients = (): readonly ObservedClient[] => [
      { id: 'c', client: 'c', owner: undefined, data: dataWith(units), asOf: undefined },
    ]
    const { reports } = run(
      recordWatch({
        readClients: clients,
        readInput: (_, { id }) => (id === 'u' ? { name: 'card', value: 71 } : undefined),
        readAccount: () => null,
        now: () => Date.now(),
      }),
    )
    const statuses = () =>
      reports.flatMap(fact =>
        fact.type === 'records.observed' ? fact.seen.map(({ unit, moment }) => `${unit} ${moment.status}`) : [],
      )
    vi.advanceTimersByTime(0)
    expect(reports).toMatchObject([
      {
        account: null,
        seen: [{ client: 'c', unit: 'u', moment: { progress: 0.25, ppd: 500, status: 'RUN', input: { value: 71 } } }],
      },
    ])
    vi.advanceTimersByTime(59_000)
    expect(statuses()).toHaveLength(1)
    vi.advanceTimersByTime(1000)
    expect(statuses()).toHaveLength(2)
    units = [{ ...running, pause_reason: 'Paused' }]
    vi.advanceTimersByTime(5000)
    expect(statuses().at(-1)).toBe('u PAUSE')
  })
})
