import { assign, enqueueActions, sendTo, setup, type SnapshotFrom } from 'xstate'
import { recordKey, withSeen, type Records, type Seen } from '../../../folding/unit/unit-record.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import type { RecordsEvent, RecordStoreCommand } from './records.events.ts'

export type RecordsContext = { readonly records: Records }

type Observed = { readonly account: string | null | undefined; readonly seen: readonly Seen[] }

export const recordsMachine = setup({
  types: { context: {} as RecordsContext, events: {} as RecordsEvent },
  actors: {
    recordStore: actorPlaceholder<RecordStoreCommand, undefined>('recordStore'),
    /** Reports what clients say of their units, from time to time and when their state changes. */
    recordWatch: actorPlaceholder<{ type: 'none' }, undefined>('recordWatch'),
  },
  actions: {
    load: sendTo('recordStore', { type: 'recordStore.load' } satisfies RecordStoreCommand),
    deleteOthers: enqueueActions(({ context: { records }, enqueue }, account: string | null | undefined) => {
      const others = [...records.values()].filter(
        ({ owner }) => account !== undefined && owner !== undefined && owner !== account,
      )
      if (others.length === 0) return
      const keys = new Set(others.map(recordKey))
      enqueue.assign({ records: new Map([...records].filter(([key]) => !keys.has(key))) })
      enqueue.sendTo('recordStore', {
        type: 'recordStore.delete',
        units: others.map(({ client, unit }) => ({ client, unit })),
      } satisfies RecordStoreCommand)
    }),
    addSeen: enqueueActions(({ context, enqueue }, { seen }: Observed) => {
      const { records, dropped } = withSeen(context.records, seen)
      enqueue.assign({ records })
      const changed = seen.flatMap(one => records.get(recordKey(one)) ?? [])
      if (changed.length > 0)
        enqueue.sendTo('recordStore', {
          type: 'recordStore.save',
          records: [...new Set(changed)],
        } satisfies RecordStoreCommand)
      const units = dropped.flatMap(key => context.records.get(key) ?? []).map(({ client, unit }) => ({ client, unit }))
      if (units.length > 0)
        enqueue.sendTo('recordStore', { type: 'recordStore.delete', units } satisfies RecordStoreCommand)
    }),
    clear: enqueueActions(({ enqueue }) => {
      enqueue.assign({ records: new Map() })
      enqueue.sendTo('recordStore', { type: 'recordStore.clear' } satisfies RecordStoreCommand)
    }),
  },
}).createMachine({
  id: 'records',
  description: 'What this browser saw of work units while they were worked on.',
  context: { records: new Map() },
  invoke: { src: 'recordStore', id: 'recordStore' },
  initial: 'loading',
  states: {
    loading: {
      description: 'Nothing is observed before what is stored is known, as it would be overwritten.',
      tags: 'loading',
      entry: 'load',
      on: {
        'records.loaded': {
          target: 'observing',
          actions: assign(({ event }) => ({
            records: new Map(event.records.map(record => [recordKey(record), record])),
          })),
        },
      },
    },
    observing: {
      invoke: { src: 'recordWatch' },
      on: {
        'records.observed': {
          actions: [
            { type: 'deleteOthers', params: ({ event }) => event.account },
            { type: 'addSeen', params: ({ event }) => event },
          ],
        },
        'records.accountChanged': { actions: { type: 'deleteOthers', params: ({ event }) => event.account } },
        'records.clear': { actions: 'clear' },
      },
    },
  },
})

export type RecordsSnapshot = SnapshotFrom<typeof recordsMachine>
