import { enqueueActions, sendParent, setup, type SnapshotFrom } from 'xstate'
import { cachePolicyOf, type ResourceKey, type ResourceSecrets } from '../../../folding/shared/resource-keys.ts'
import type { ResourceEvent, ResourceNotification } from '../resource/resource.events.ts'
import { resourceMachine, type ResourceRef } from '../resource/resource.machine.ts'
import type { QueryCacheEvent } from './query-cache.events.ts'

type CacheEntry = { readonly ref: ResourceRef; readonly readers: number; readonly passkey: string | undefined }

export type QueryCacheContext = {
  /** By key. Entries without readers are in the order in which they were released. */
  readonly entries: ReadonlyMap<ResourceKey, CacheEntry>
  /** Incremented when the user signs out: remaining readers then request their values again. */
  readonly person: number
}

type Wanted = { readonly key: ResourceKey; readonly secrets?: ResourceSecrets | undefined }

/** Limit of entries without readers; they are kept so that a screen that opens again shows them at once. */
const MOST_UNREAD = 100

export const queryCacheMachine = setup({
  types: { context: {} as QueryCacheContext, events: {} as QueryCacheEvent },
  actors: { resource: resourceMachine },
  actions: {
    /** Deletes personal values from the browser's store. */
    clearPersonal: (_): void => undefined,
    addReader: enqueueActions(({ context: { entries }, enqueue }, { key, secrets }: Wanted) => {
      const entry = entries.get(key)
      if (entry === undefined) {
        enqueue.assign(({ spawn }) => {
          const ref = spawn('resource', {
            id: idOf(key),
            systemId: idOf(key),
            input: { ...cachePolicyOf(key), key, secrets },
          })
          return { entries: new Map(entries).set(key, { ref, readers: 1, passkey: secrets?.passkey }) }
        })
        return
      }
      const { ref, readers, passkey } = entry
      const isAnother = secrets !== undefined && secrets.passkey !== passkey
      enqueue.assign({
        entries: new Map(entries).set(key, { ref, readers: readers + 1, passkey: secrets?.passkey ?? passkey }),
      })
      enqueue.sendTo(ref, { type: 'resource.want' } satisfies ResourceEvent)
      if (isAnother) enqueue.sendTo(ref, { type: 'resource.refresh', secrets } satisfies ResourceEvent)
    }),
    /** A failed entry waits before it fetches again: the response may be the same. Other entries are not affected. */
    restartEntry: enqueueActions(({ context: { entries }, enqueue }, id: string) => {
      for (const [key, entry] of entries) {
        if (idOf(key) !== id) continue
        const { secrets } = entry.ref.getSnapshot().context
        enqueue.assign(({ spawn }) => {
          const ref = spawn('resource', {
            id,
            systemId: id,
            input: { ...cachePolicyOf(key), key, secrets, hasFailed: true },
          })
          return { entries: new Map(entries).set(key, { ...entry, ref }) }
        })
        if (entry.readers === 0) enqueue.sendTo(id, { type: 'resource.release' } satisfies ResourceEvent)
      }
    }),
    removeReader: enqueueActions(({ context, enqueue }, key: ResourceKey) => {
      const entry = context.entries.get(key)
      if (entry === undefined || entry.readers === 0) return
      const entries = new Map(context.entries)
      entries.delete(key)
      entries.set(key, { ...entry, readers: entry.readers - 1 })
      if (entry.readers === 1) enqueue.sendTo(entry.ref, { type: 'resource.release' } satisfies ResourceEvent)
      for (const [surplus, { ref }] of surplusOf(entries)) {
        enqueue.stopChild(ref)
        entries.delete(surplus)
      }
      enqueue.assign({ entries })
    }),
    sendTo: enqueueActions(({ context, enqueue }, { key, event }: { key: ResourceKey; event: ResourceEvent }) => {
      const ref = context.entries.get(key)?.ref
      if (ref !== undefined) enqueue.sendTo(ref, event)
    }),
    sendToAll: enqueueActions(({ context, enqueue }, event: ResourceEvent) => {
      for (const { ref } of context.entries.values()) enqueue.sendTo(ref, event)
    }),
    forgetPerson: enqueueActions(({ context, enqueue }) => {
      const entries = new Map(context.entries)
      for (const [key, entry] of context.entries) {
        if (!cachePolicyOf(key).isPersonal) continue
        entries.set(key, { ...entry, passkey: undefined })
        if (entry.readers > 0) {
          enqueue.sendTo(entry.ref, { type: 'resource.clear' } satisfies ResourceEvent)
          continue
        }
        enqueue.stopChild(entry.ref)
        entries.delete(key)
      }
      enqueue.assign({ entries, person: context.person + 1 })
    }),
    notifyParent: sendParent((_, notification: ResourceNotification) => notification),
  },
}).createMachine({
  id: 'queryCache',
  description: 'Cache of remote values by key. Each is fetched once for all of its readers.',
  context: { entries: new Map(), person: 0 },
  on: {
    'xstate.error.actor.*': { actions: { type: 'restartEntry', params: ({ event }) => event.actorId } },
    'queryCache.want': { actions: { type: 'addReader', params: ({ event }) => event } },
    'queryCache.release': { actions: { type: 'removeReader', params: ({ event }) => event.key } },
    'queryCache.refresh': {
      actions: { type: 'sendTo', params: ({ event: { key } }) => ({ key, event: { type: 'resource.refresh' } }) },
    },
    'queryCache.check': { actions: { type: 'sendToAll', params: { type: 'resource.check' } } },
    'queryCache.clearPersonal': { actions: ['clearPersonal', 'forgetPerson'] },
    'resource.changed': { actions: { type: 'notifyParent', params: ({ event }) => event } },
  },
})

export type QueryCacheSnapshot = SnapshotFrom<typeof queryCacheMachine>

type CacheEntries = QueryCacheContext['entries']

function idOf(key: ResourceKey): string {
  return `resource:${key}`
}

/** Entries over the limit, those released longest ago first. */
function surplusOf(entries: CacheEntries): readonly (readonly [ResourceKey, CacheEntry])[] {
  const unread = [...entries].filter(([, { readers }]) => readers === 0)
  return unread.slice(0, Math.max(0, unread.length - MOST_UNREAD))
}
