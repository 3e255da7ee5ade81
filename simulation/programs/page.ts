import '../../src/app/source-locale.ts'
import { openVault } from '../../src/actors/account/vault.ts'
import { openIncidentDatabase } from '../../src/actors/incidents/incident-store.ts'
import { workerThread } from '../../src/actors/log-search/log-search.ts'
import { openMoleculeStore } from '../../src/actors/molecules/molecule-store.ts'
import { openRecordDatabase } from '../../src/actors/records/record-store.ts'
import { openCacheStore } from '../../src/actors/resources/cache.ts'
import { openUnitDatabase } from '../../src/actors/unit-store.ts'
import { openSocketWith } from '../../src/actors/wire/socket.ts'
import { createWire } from '../../src/actors/wire/wire.ts'
import { channelOf, startSystem } from '../../src/app/system.ts'
import { readSettings } from '../../src/app/settings.ts'
import type { System } from '../../src/machines/app/system.ts'

/** The product without its screens. */
export type Page = {
  readonly system: System
  /** Stops what runs, as a page does not in life: nothing may be left afterwards. */
  readonly stop: () => void
}

/** As `src/app/main.tsx` does it, in a simulated browser. */
export const openPage = (): Page => {
  const settings = readSettings(document, {}, location)
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
    now: () => Date.now(),
    random: () => Math.random(),
    keyBits: 1024,
  })
  system.incidents.send({ type: 'incidents.open' })
  system.app.send({ type: 'app.want', part: 'bulk' })
  system.app.send({ type: 'app.want', part: 'records' })
  return {
    system,
    stop: () => {
      system.app.stop()
      wire.stop()
    },
  }
}

export type PageProgram = { readonly openPage: typeof openPage }
