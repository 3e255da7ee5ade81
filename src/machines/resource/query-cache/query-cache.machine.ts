import { enqueueActions, sendParent, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { policyOf, type ResourceKey, type ResourceSecrets } from '../../../folding/shared/resource-keys.ts'
import type { ResourceEvent, ResourceNews } from '../resource/resource.events.ts'
import { resourceMachine, type ResourceRef } from '../resource/resource.machine.ts'
import type { LibraryEvent } from './query-cache.events.ts'

type Volume = { readonly ref: ResourceRef; readonly readers: number; readonly passkey: string | undefined }

export type LibraryContext = {
  /** By key, those that nobody reads in the order in which they were put back. */
  readonly volumes: ReadonlyMap<ResourceKey, Volume>
  /** Goes up when a person leaves: whoever goes on reading wants it anew. */
  readonly person: number
}

type Wanted = { readonly key: ResourceKey; readonly secrets?: ResourceSecrets | undefined }

/** How many that nobody reads stay at hand, so that a screen that comes back shows them at once. */
const MOST_UNREAD = 100

export const libraryMachine = setup({
  types: { context: {} as LibraryContext, events: {} as LibraryEvent },
  actors: { resource: resourceMachine },
  actions: {
    /** Empties the drawer for personal values in the browser's store. */
    clearPersonal: (_): void => undefined,
    addReader: enqueueActions(({ context: { volumes }, enqueue }, { key, secrets }: Wanted) => {
      const known = volumes.get(key)
      if (known === undefined) {
        enqueue.assign(({ spawn }) => {
          const ref = spawn('resource', {
            id: idOf(key),
            systemId: idOf(key),
            input: { ...policyOf(key), key, secrets },
          })
          return { volumes: new Map(volumes).set(key, { ref, readers: 1, passkey: secrets?.passkey }) }
        })
        return
      }
      const { ref, readers, passkey } = known
      const isAnother = secrets !== undefined && secrets.passkey !== passkey
      enqueue.assign({
        volumes: new Map(volumes).set(key, { ref, readers: readers + 1, passkey: secrets?.passkey ?? passkey }),
      })
      enqueue.sendTo(ref, { type: 'resource.want' } satisfies ResourceEvent)
      if (isAnother) enqueue.sendTo(ref, { type: 'resource.refresh', secrets } satisfies ResourceEvent)
    }),
    /** It waits before it is fetched again: the answer may be the same. Nobody but its readers notices. */
    restartEntry: enqueueActions(({ context: { volumes }, enqueue }, id: string) => {
      for (const [key, volume] of volumes) {
        if (idOf(key) !== id) continue
        const { secrets } = volume.ref.getSnapshot().context
        enqueue.assign(({ spawn }) => {
          const ref = spawn('resource', {
            id,
            systemId: id,
            input: { ...policyOf(key), key, secrets, hasFailed: true },
          })
          return { volumes: new Map(volumes).set(key, { ...volume, ref }) }
        })
        if (volume.readers === 0) enqueue.sendTo(id, { type: 'resource.release' } satisfies ResourceEvent)
      }
    }),
    removeReader: enqueueActions(({ context, enqueue }, key: ResourceKey) => {
      const known = context.volumes.get(key)
      if (known === undefined || known.readers === 0) return
      const volumes = new Map(context.volumes)
      volumes.delete(key)
      volumes.set(key, { ...known, readers: known.readers - 1 })
      if (known.readers === 1) enqueue.sendTo(known.ref, { type: 'resource.release' } satisfies ResourceEvent)
      for (const [surplus, { ref }] of surplusOf(volumes)) {
        enqueue.stopChild(ref)
        volumes.delete(surplus)
      }
      enqueue.assign({ volumes })
    }),
    sendTo: enqueueActions(({ context, enqueue }, { key, event }: { key: ResourceKey; event: ResourceEvent }) => {
      const ref = context.volumes.get(key)?.ref
      if (ref !== undefined) enqueue.sendTo(ref, event)
    }),
    sendToAll: enqueueActions(({ context, enqueue }, event: ResourceEvent) => {
      for (const { ref } of context.volumes.values()) enqueue.sendTo(ref, event)
    }),
    forgetPerson: enqueueActions(({ context, enqueue }) => {
      const volumes = new Map(context.volumes)
      for (const [key, volume] of context.volumes) {
        if (!policyOf(key).isPersonal) continue
        volumes.set(key, { ...volume, passkey: undefined })
        if (volume.readers > 0) {
          enqueue.sendTo(volume.ref, { type: 'resource.forget' } satisfies ResourceEvent)
          continue
        }
        enqueue.stopChild(volume.ref)
        volumes.delete(key)
      }
      enqueue.assign({ volumes, person: context.person + 1 })
    }),
    notifyParent: sendParent((_, news: ResourceNews) => news),
  },
}).createMachine({
  id: 'library',
  description: 'Remote values, lent to whoever reads them. Each is fetched once, however many read it.',
  context: { volumes: new Map(), person: 0 },
  on: {
    'xstate.error.actor.*': { actions: { type: 'restartEntry', params: ({ event }) => event.actorId } },
    'library.want': { actions: { type: 'addReader', params: ({ event }) => event } },
    'library.release': { actions: { type: 'removeReader', params: ({ event }) => event.key } },
    'library.refresh': {
      actions: { type: 'sendTo', params: ({ event: { key } }) => ({ key, event: { type: 'resource.refresh' } }) },
    },
    'library.check': { actions: { type: 'sendToAll', params: { type: 'resource.check' } } },
    'library.forgetPerson': { actions: ['clearPersonal', 'forgetPerson'] },
    'resource.learned': { actions: { type: 'notifyParent', params: ({ event }) => event } },
  },
})

export type LibraryRef = ActorRefFrom<typeof libraryMachine>
export type LibrarySnapshot = SnapshotFrom<typeof libraryMachine>

type Volumes = LibraryContext['volumes']

const idOf = (key: ResourceKey): string => `resource:${key}`

/** The longest unread of those that are too many. */
const surplusOf = (volumes: Volumes): readonly (readonly [ResourceKey, Volume])[] => {
  const unread = [...volumes].filter(([, { readers }]) => readers === 0)
  return unread.slice(0, Math.max(0, unread.length - MOST_UNREAD))
}
