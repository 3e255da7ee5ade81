import '../../../src/loading/source-locale.ts'
import { openVault } from '../../../src/actors/account/vault.ts'
import { openIncidentDatabase } from '../../../src/actors/incidents/incident-store.ts'
import { workerThread } from '../../../src/actors/log-search/worker-thread.ts'
import { openMoleculeStore } from '../../../src/actors/molecules/molecule-store.ts'
import { openRecordDatabase } from '../../../src/actors/records/record-store.ts'
import { openCacheStore } from '../../../src/actors/resources/cache.ts'
import { openUnitDatabase } from '../../../src/actors/storage/unit-store.ts'
import { openSocketWith } from '../../../src/actors/wire/socket.ts'
import { createWire } from '../../../src/actors/wire/wire.ts'
import { createJournal, pageRecorder } from '../../../src/app/journal.ts'
import { kinds } from '../../../src/app/replay/kinds.ts'
import { saveFile } from '../../../src/app/replay/open-recording.ts'
import { channelOf, startSystem } from '../../../src/app/system.ts'
import { readSettings } from '../../../src/app/settings.ts'
import { encode } from '../../../src/journal/codec.ts'
import type { Recorder } from '../../../src/journal/recorder.ts'
import type { System } from '../../../src/machines/app/system.ts'

/** The product without its screens. */
export type Page = {
  readonly system: System
  /** Stops what runs, as a page does not in life: nothing may be left afterwards. */
  readonly stop: () => void
  /** What the page has recorded, as the file that it saves, with this moment marked. Undefined when its settings turn that off. */
  readonly record: (mark: string | undefined) => Promise<Blob> | undefined
  /** The same as texts, with the names and addresses that the file replaces. */
  readonly recorded: () => Iterable<string>
}

/** Checkpoints repeat what is large: all in one are longer than a text can be. */
const textsOf = function* ({ recording, mask }: Recorder): Generator<string> {
  const { checkpoints, entries } = recording()
  for (const checkpoint of checkpoints) yield mask.clean(JSON.stringify(encode(checkpoint, kinds)))
  yield mask.clean(JSON.stringify(encode(entries, kinds)))
}

/** As `src/app/main.tsx` does it, in a simulated browser. */
export function openPage(): Page {
  const settings = readSettings(document, {}, location)
  const now = (): number => Date.now()
  const recorder = pageRecorder(settings, window, now)
  const wire = createWire({ openWorker: () => new Worker('wire'), locks: navigator.locks, document, window })
  const system = startSystem({
    settings,
    wire,
    document,
    window,
    storage: localStorage,
    vault: openVault('foldboard'),
    cacheStore: openCacheStore('foldboard.cache'),
    openSocket: openSocketWith(url => new WebSocket(url)),
    openUnits: () => openUnitDatabase('foldboard-units'),
    openIncidents: () => openIncidentDatabase('foldboard-incidents'),
    openMolecules: () => openMoleculeStore('foldboard-molecules'),
    openRecords: async () => openRecordDatabase('foldboard-records'),
    notifications: {
      navigator: { locks: navigator.locks },
      notification: undefined,
      openAudio: undefined,
      show: () => undefined,
    },
    openChannel: channelOf(globalThis),
    openSearchThread: workerThread(() => new Worker('log-search')),
    credentials: undefined,
    fetch,
    now,
    random: () => Math.random(),
    keyBits: 1024,
    ...(recorder === undefined ? {} : { recorder }),
  })
  // It also makes the recorder forget secrets.
  if (recorder !== undefined) createJournal({ live: system, recorder, document, now })
  for (const part of ['account', 'bulk', 'clientSettings', 'connections', 'history', 'records', 'series'] as const)
    system.app.send({ type: 'app.want', part })
  system.incidents.send({ type: 'incidents.open' })
  return {
    system,
    stop: () => {
      system.app.stop()
      wire.stop()
    },
    record: mark => {
      if (recorder === undefined) return undefined
      const recording = recorder.recording()
      const marked = mark === undefined ? recording : { ...recording, mark: { at: now(), text: mark } }
      return saveFile(marked, recorder.mask, false)
    },
    recorded: () => (recorder === undefined ? [] : textsOf(recorder)),
  }
}

export type PageProgram = { readonly openPage: typeof openPage }
