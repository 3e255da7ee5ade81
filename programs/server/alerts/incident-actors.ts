import { setTimeout as delay } from 'node:timers/promises'
import { fromCallback, fromPromise } from 'xstate'
import { createTurns } from '../../../src/folding/shared/turns.ts'
import type { StoredMemory, StoredIncident } from '../../../src/folding/incidents/incident-schema.ts'
import { startWatching, type WatchDeps } from '../../../src/actors/incidents/watcher.ts'
import type {
  AttentionPreferences,
  IncidentStoreCommand,
  IncidentStoreFact,
  NotificationPermissionState,
  NotifierCommand,
  WatchCommand,
  WatchFact,
  WatchInput,
} from '../../../src/machines/incidents/incidents/incidents.events.ts'
import { defaultAttention, incidentsMachine } from '../../../src/machines/incidents/incidents/incidents.machine.ts'
import { MAX_ENDED } from '../../../src/machines/incidents/incidents/incidents.reducer.ts'
import { inOwnTurn } from '../event-loop.ts'
import type { AlertSettings } from '../config/alert-settings.ts'
import type { NewDelivery } from '../store/alert-store.ts'
import type { IncidentStore } from '../store/incident-store.ts'
import { createWaitingSaves } from './waiting-saves.ts'

export type IncidentDeps = Pick<WatchDeps, 'readClients' | 'readSurroundings' | 'earlierTpfs' | 'endsOf' | 'now'> & {
  readonly store: IncidentStore
  readonly settings: Pick<AlertSettings, 'incidents' | 'alerts'>
  readonly newId: () => string
  /** Changed incidents, once they and their alerts are stored. */
  readonly onSaved: (incidents: readonly StoredIncident[], deliveries: readonly NewDelivery[]) => void
  readonly onError: (error: unknown) => void
}

/** A write that failed is tried again after this, before later ones. Milliseconds. */
const RETRY_MS = 5000
/** Changes that wait for the database. */
const MOST_SAVES = 1000

/** The page's machine of incidents with effects of Node: the database, the same watch, and no notifications of a browser. */
export function incidentActors(deps: IncidentDeps) {
  const { store, settings, now, onError } = deps
  const preferences: AttentionPreferences = {
    ...defaultAttention,
    thresholds: settings.incidents.thresholds,
    disabled: settings.incidents.disabled,
  }
  return incidentsMachine.provide({
    actors: {
      incidentStore: fromCallback<IncidentStoreCommand, undefined>(({ sendBack, receive }) => {
        const report: (fact: IncidentStoreFact) => void = sendBack
        const stopped = new AbortController()
        const inTurn = createTurns()
        const untilDone = async (work: () => Promise<void>): Promise<void> => {
          while (!stopped.signal.aborted) {
            try {
              await work()
              return
            } catch (error) {
              onError(error)
              report({ type: 'incidentStore.failed', trouble: 'unavailable' })
              await delay(RETRY_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
            }
          }
        }
        const saves = createWaitingSaves(MOST_SAVES)
        const saveFirst = async (): Promise<void> => {
          const save = saves.first()
          if (save === undefined) return
          const deliveries = await store.save({ ...save, rules: settings.alerts, newId: deps.newId })
          saves.removeFirst()
          deps.onSaved(save.put, deliveries)
        }
        receive(command => {
          if (command.type === 'incidentStore.load')
            void inTurn(() =>
              untilDone(async () => {
                const incidents = await store.load(MAX_ENDED)
                report({ type: 'incidentStore.loaded', incidents, preferences })
              }),
            )
          else if (command.type === 'incidentStore.save') {
            const { put, removed } = command
            if (saves.add({ put, removed, at: now() })) void inTurn(() => untilDone(saveFirst))
          }
        })
        return () => stopped.abort()
      }),
      incidentWatch: fromCallback<WatchCommand, WatchInput>(({ input, sendBack, receive }) => {
        const report: (fact: WatchFact) => void = sendBack
        /** Those that could not be stored are stored with the next ones. */
        const unsaved = new Map<string, StoredMemory>()
        const writeMemories = async (memories: ReadonlyMap<string, StoredMemory>): Promise<void> => {
          for (const [client, memory] of memories) unsaved.set(client, memory)
          const written = [...unsaved]
          await store.writeMemories(unsaved)
          for (const [client, memory] of written) if (unsaved.get(client) === memory) unsaved.delete(client)
        }
        const watching = startWatching(
          {
            ...deps,
            elapsed: () => performance.now(),
            inOwnTurn,
            readMemories: () =>
              store.readMemories().catch((error: unknown) => {
                onError(error)
                return new Map()
              }),
            writeMemories: memories => writeMemories(memories).catch(onError),
          },
          input,
          report,
        )
        receive(watching.accept)
        return watching.stop
      }),
      notifier: fromCallback<NotifierCommand, undefined>(() => undefined),
      askPermission: fromPromise<NotificationPermissionState, undefined>(() => Promise.resolve('unsupported')),
    },
  })
}
