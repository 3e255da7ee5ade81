import type { DBSchema } from 'idb'
import * as v from 'valibot'
import { storageId } from '../../folding/incidents/incident.ts'
import { createTurns } from '../../folding/shared/turns.ts'
import type {
  AttentionPreferences,
  IncidentStoreCommand,
  IncidentStoreFact,
} from '../../machines/incidents/incidents/incidents.events.ts'
import { isFull, openDatabase, type Database } from '../storage/database.ts'
import { factActor } from '../fact-actor.ts'
import {
  type StoredIncident,
  instant,
  kind,
  parseIncident,
  parseMemory,
  type StoredMemory,
} from '../../folding/incidents/incident-schema.ts'

type IncidentSchema = DBSchema & {
  /** By key; those that are over by key and end. */
  incidents: { key: string; value: StoredIncident }
  /** By client. */
  memories: { key: string; value: StoredMemory }
  notes: { key: string; value: unknown }
}

export type IncidentDatabase = Database<IncidentSchema>
export type OpenIncidents = () => Promise<IncidentDatabase | undefined>

const PREFERENCES = 'preferences'
/** Incidents and clients that are read at most; more were not written by this page. */
const MAX_READ = 25_000

/** Undefined where IndexedDB does not work. */
export function openIncidentDatabase(name: string): Promise<IncidentDatabase | undefined> {
  return openDatabase<IncidentSchema>(name, ['incidents', 'memories', 'notes'])
}

/** A function that opens the database once, for the store and the watch. */
export function openOnce(open: OpenIncidents): OpenIncidents {
  let opening: Promise<IncidentDatabase | undefined> | undefined
  return () => (opening ??= open())
}

type StorageCommand = Exclude<IncidentStoreCommand, { type: 'incidentStore.share' }>
type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener' | 'close'>

/**
 * Stores incidents and what a person chose in IndexedDB, and exchanges what was done and chosen with the other tabs.
 * `open` is called by the first command. `openChannel`: undefined where tabs cannot exchange messages.
 */
export function incidentStoreActor(open: OpenIncidents, openChannel?: () => Channel) {
  return factActor<IncidentStoreCommand, undefined, IncidentStoreFact>(({ report, receive }) => {
    const channel = openChannel?.()
    const receiveMessage = ({ data }: MessageEvent): void => {
      const { success, output } = v.safeParse(messageSchema, data)
      if (success) report(output)
    }
    channel?.addEventListener('message', receiveMessage)
    const inTurn = createTurns()
    const execute = async (command: StorageCommand): Promise<void> => {
      const database = await open()
      if (database === undefined) {
        report({ type: 'incidentStore.failed', trouble: 'unavailable' })
        if (command.type === 'incidentStore.load') report(nothingStored)
      } else if (command.type === 'incidentStore.load') report(await load(database))
      else await change(database, command)
    }
    // One after another, so that an earlier write cannot undo a later one.
    receive(command => {
      if (command.type === 'incidentStore.share') {
        const { handling, keys } = command
        channel?.postMessage({
          type: 'incidentStore.handledElsewhere',
          handling,
          keys: [...keys],
        } satisfies IncidentStoreFact)
        return
      }
      if (command.type === 'incidentStore.savePreferences')
        channel?.postMessage({
          type: 'incidentStore.preferencesChanged',
          preferences: command.preferences,
        } satisfies IncidentStoreFact)
      inTurn(() => execute(command)).catch((error: unknown) => {
        report({ type: 'incidentStore.failed', trouble: isFull(error) ? 'full' : 'unavailable' })
        if (command.type === 'incidentStore.load') report(nothingStored)
      })
    })
    return () => {
      channel?.removeEventListener('message', receiveMessage)
      channel?.close()
    }
  })
}

const nothingStored: IncidentStoreFact = { type: 'incidentStore.loaded', incidents: [], preferences: undefined }

async function load(database: IncidentDatabase): Promise<IncidentStoreFact> {
  const [incidents, preferences] = await Promise.all([
    database.getAll('incidents', undefined, MAX_READ),
    database.get('notes', PREFERENCES),
  ])
  return {
    type: 'incidentStore.loaded',
    incidents: incidents.flatMap(incident => parseIncident(incident) ?? []),
    preferences: parseAttention(preferences),
  }
}

async function change(
  database: IncidentDatabase,
  command: Exclude<StorageCommand, { type: 'incidentStore.load' }>,
): Promise<void> {
  switch (command.type) {
    case 'incidentStore.save': {
      const transaction = database.transaction('incidents', 'readwrite')
      // A failed request also fails the transaction, which is awaited.
      const ignore = (): void => undefined
      for (const id of command.removed) void transaction.store.delete(id).catch(ignore)
      for (const incident of command.put) void transaction.store.put(incident, storageId(incident)).catch(ignore)
      await transaction.done
      return
    }
    case 'incidentStore.savePreferences':
      await database.put('notes', command.preferences, PREFERENCES)
      return
    case 'incidentStore.clearHistory':
      await deleteIncidents(database, ({ resolvedAt }) => resolvedAt !== undefined)
      return
    case 'incidentStore.deleteOthers': {
      const isOther = ({ owner }: { readonly owner?: string | undefined }): boolean =>
        owner !== undefined && owner !== command.account
      await deleteIncidents(database, isOther)
      const memories = database.transaction('memories', 'readwrite')
      for (let at = await memories.store.openCursor(); at !== null; at = await at.continue())
        if (isOther(at.value)) await at.delete()
      await memories.done
    }
  }
}

async function deleteIncidents(
  database: IncidentDatabase,
  isGone: (incident: StoredIncident) => boolean,
): Promise<void> {
  const { store, done } = database.transaction('incidents', 'readwrite')
  for (let at = await store.openCursor(); at !== null; at = await at.continue()) if (isGone(at.value)) await at.delete()
  await done
}

/** What is remembered of clients, by id; nothing where nothing can be stored. */
export async function readMemories(open: OpenIncidents): Promise<ReadonlyMap<string, StoredMemory>> {
  try {
    const database = await open()
    if (database === undefined) return new Map()
    const [ids, memories] = await Promise.all([
      database.getAllKeys('memories', undefined, MAX_READ),
      database.getAll('memories', undefined, MAX_READ),
    ])
    return new Map(
      ids.flatMap((id, index) => {
        const stored = parseMemory(memories[index])
        return stored === undefined ? [] : [[id, stored] as const]
      }),
    )
  } catch {
    return new Map()
  }
}

/** Writes what is remembered. Without storage it lasts as long as the page. */
export async function writeMemories(open: OpenIncidents, memories: ReadonlyMap<string, StoredMemory>): Promise<void> {
  try {
    const database = await open()
    if (database === undefined || memories.size === 0) return
    const transaction = database.transaction('memories', 'readwrite')
    for (const [id, memory] of memories) void transaction.store.put(memory, id).catch(() => undefined)
    await transaction.done
  } catch {
    // The store of incidents reports that nothing can be stored.
  }
}

const minuteOfDay = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1439))
const kinds = v.fallback(
  v.pipe(
    v.array(v.fallback(v.nullable(kind), null)),
    v.transform(list => list.filter(entry => entry !== null)),
  ),
  [],
)

const attentionSchema = v.object({
  thresholds: v.fallback(v.record(v.pipe(v.string(), v.regex(/^[a-z-]{1,20}\.[a-z]{1,20}$/)), instant), {}),
  disabled: kinds,
  notifies: v.fallback(v.boolean(), false),
  notified: kinds,
  quietHours: v.fallback(v.undefinedable(v.object({ from: minuteOfDay, until: minuteOfDay })), () => undefined),
  hasSound: v.fallback(v.boolean(), false),
})

function parseAttention(value: unknown): AttentionPreferences | undefined {
  const { success, output } = v.safeParse(attentionSchema, value)
  return success ? output : undefined
}

/** What another tab sends, which may be of another version. */
const messageSchema = v.variant('type', [
  v.object({
    type: v.literal('incidentStore.handledElsewhere'),
    handling: v.variant('type', [
      v.object({ type: v.literal('incident.acknowledge') }),
      v.object({ type: v.literal('incident.snooze'), until: instant }),
      v.object({ type: v.literal('incident.reopen') }),
    ]),
    keys: v.pipe(v.array(v.pipe(v.string(), v.maxLength(3000))), v.maxLength(MAX_READ)),
  }),
  v.object({ type: v.literal('incidentStore.preferencesChanged'), preferences: attentionSchema }),
])
