import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createActor, fromCallback } from 'xstate'
import { handlingIncidentsModel } from '../../../models/handling-incidents.model.ts'
import {
  incidentStoreActor,
  openIncidentDatabase,
  openOnce,
  readMemories,
  writeMemories,
} from '../../../src/actors/incidents/incident-store.ts'
import { factActor } from '../../../src/actors/fact-actor.ts'
import { startWatching, type WatchDeps } from '../../../src/actors/incidents/watcher.ts'
import { incidentsMachine } from '../../../src/machines/incidents/incidents/incidents.machine.ts'
import type { WatchCommand, WatchFact, WatchInput } from '../../../src/machines/incidents/incidents/incidents.events.ts'
import {
  areIncidentsLoaded,
  selectAttentionCount,
  selectEndedIncidents,
  selectIncidents,
} from '../../../src/machines/incidents/incidents/incidents.selectors.ts'
import { dataOf } from '../../machines/fleet.ts'
import { simpleJourneysOf, walkJourney, type Driver } from '../../journey.ts'

const HOUR = 3_600_000

/** A page that watches one direct client; its clock is the test's, its database lasts while the page is loaded again. */
async function startDriver(name: string): Promise<Driver<typeof handlingIncidentsModel>> {
  const began = Date.now()
  const database = openOnce(() => openIncidentDatabase(name))
  let hasFailed = false
  const deps: WatchDeps = {
    readClients: () => {
      const data = dataOf('attic-id', 'attic')
      const group = { ...data.groups[''], ...(hasFailed ? { failed: 'Paused due too many failed Work Units.' } : {}) }
      return [
        {
          machine: 'attic-id',
          name: 'attic',
          owner: undefined,
          view: {
            id: '@attic',
            isDirect: true,
            address: 'attic',
            isConnected: true,
            data: { ...data, groups: { '': group } },
          },
          connectedAt: began,
          lostAt: undefined,
          isRestored: false,
          isNetworkUp: true,
        },
      ]
    },
    readSurroundings: () => ({ latestVersion: undefined, account: undefined }),
    earlierTpfs: () => [],
    readMemories: () => readMemories(database),
    writeMemories: memories => writeMemories(database, memories),
    now: Date.now,
    elapsed: () => 0,
  }
  const machine = incidentsMachine.provide({
    actors: {
      incidentStore: incidentStoreActor(database),
      incidentWatch: factActor<WatchCommand, WatchInput, WatchFact>(({ input, report, receive }) => {
        const watcher = startWatching(deps, input, report)
        receive(watcher.accept)
        return watcher.stop
      }),
      notifier: fromCallback(() => undefined),
    },
  })
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
  const settled = async (holds: () => boolean): Promise<void> => {
    // The database answers in its own time, which is not the test's clock.
    for (let turn = 0; turn < 200 && !holds(); turn++) await new Promise(resolve => setImmediate(resolve))
  }
  const load = async () => {
    const actor = createActor(machine).start()
    actor.send({ type: 'incidents.open' })
    await settled(() => areIncidentsLoaded(actor.getSnapshot()))
    expect(areIncidentsLoaded(actor.getSnapshot())).toBe(true)
    return actor
  }
  let page = await load()
  const keys = (): readonly string[] => selectIncidents(page.getSnapshot()).map(({ key }) => key)
  const becomes = (isFailing: boolean) => async (): Promise<void> => {
    hasFailed = isFailing
    await pass(40_000)
    await settled(() => false)
    await pass(40_000)
  }
  const sees =
    (count: number, lasting: readonly (readonly [state: string, times: number])[], ended = 0) =>
    async (): Promise<void> => {
      await pass(5000)
      expect({
        count: selectAttentionCount(page.getSnapshot()),
        lasting: selectIncidents(page.getSnapshot()).map(({ state, times }) => [state, times]),
        ended: selectEndedIncidents(page.getSnapshot()).length,
      }).toEqual({ count, lasting, ended })
    }
  return {
    does: {
      'it begins': becomes(true),
      'it begins again': becomes(true),
      'it ends': becomes(false),
      'acknowledge it': () => page.send({ type: 'incidents.acknowledge', keys: keys() }),
      'snooze it for an hour': () => page.send({ type: 'incidents.snooze', keys: keys(), until: Date.now() + HOUR }),
      'reopen it': () => page.send({ type: 'incidents.reopen', keys: keys() }),
      'load the page again': async () => {
        await settled(() => false)
        page.stop()
        page = await load()
      },
      'let an hour pass': () => pass(HOUR + 60_000),
    },
    sees: {
      well: sees(0, []),
      open: sees(1, [['open', 1]]),
      acknowledged: sees(0, [['acknowledged', 1]]),
      reopened: sees(1, [['open', 1]]),
      stillAcknowledged: sees(0, [['acknowledged', 1]]),
      handled: sees(0, [], 1),
      returnedAcknowledged: sees(0, [['acknowledged', 2]]),
      snoozed: sees(0, [['snoozed', 1]]),
      stillSnoozed: sees(0, [['snoozed', 1]]),
      due: sees(1, [['open', 1]]),
      over: sees(0, [], 1),
      returned: sees(1, [['open', 2]]),
    },
  }
}

describe('handling incidents, in process', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.parse('2026-11-22T12:00:00Z') })
  })
  afterEach(() => vi.useRealTimers())

  for (const journey of simpleJourneysOf(handlingIncidentsModel))
    it(journey.title, async () => {
      await walkJourney(await startDriver(`incidents: ${journey.title}`), journey)
    })
})
