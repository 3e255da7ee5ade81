import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCallingProcess } from '../../../test/calling-process.ts'
import { THREAD, watchPauses } from '../../../test/pauses.ts'
import { signIn, useService } from '../../../test/server-service.ts'
import { newIncident } from '../../../src/machines/incidents/incident/incident.machine.ts'
import { openServerStore } from '../store/sqlite.ts'

/** Milliseconds. */
const LONGEST_PAUSE = 200
const MACHINES = 1000
const HOUR = 3_600_000
const DAY = 24 * HOUR

const { start, stopLater, people } = useService()

/** The largest page of each route that reads a table that grows, and its CSV. */
const PATHS = [
  '/api/server/units?limit=10000',
  '/api/server/units?limit=10000&project=18000',
  '/api/server/units?limit=10000&format=csv',
  '/api/server/history?limit=5000',
  '/api/server/standings?limit=50000',
  '/api/server/standings?limit=50000&format=csv',
  '/api/server/actions?limit=1000',
  '/api/server/incidents?state=all&limit=10000',
  '/api/server/energy?limit=20000',
  '/api/server/energy?limit=20000&format=csv',
  '/api/server/power?days=400',
  '/api/server/points?by=machine&step=minute',
  '/api/server/points?by=machine&step=hour',
  '/api/server/points?by=machine&step=day',
  '/api/server/points?by=total&step=day&format=csv',
  '/api/server/alerts?limit=1000',
  '/api/server/machines',
  '/metrics',
]

test('no route that reads full tables stops the server for longer than 200 ms', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-tables-'))
  stopLater({ stop: () => rmSync(folder, { recursive: true }) })
  const store = await openServerStore(folder)
  const now = Date.now() - (Date.now() % HOUR)
  const each = (most: number) => Array.from({ length: most }, (_, index) => index)
  const machineOf = (index: number): string => `machine ${index % MACHINES}`
  await store.saw(
    each(MACHINES).map(index => ({ id: machineOf(index), name: machineOf(index), address: '', os: '', version: '' })),
    now,
  )
  for (let part = 0; part < 10; part++)
    await store.addUnits(
      each(10_000).map(index => ({
        ...{ key: `unit ${part} ${index}`, unit: `${index}`, machine: machineOf(index), group_name: 'gpu', number: 1 },
        ...{ project: 18_000 + (index % 300), run: 1, clone: 1, gen: index, core: '0x27', resource: 'gpu:01:00:00' },
        ...{ result: 'credited', credit: 100, ppd: 1, tpf: 60, progress: 1, run_time: 3600 },
        ...{ assigned: now - DAY, ended: now - (10_000 * part + index) * 60_000 },
      })),
    )
  for (let hour = 0; hour < 48; hour++) {
    const at = now - hour * HOUR
    await store.addSamples(
      each(2 * MACHINES).map(index => ({
        ...{ at, span: 3600, machine: machineOf(index), group_name: index < MACHINES ? '' : 'gpu' },
        ...{ project: 18_000 + (index % 300), resource: 'gpu:01:00:00', ppd: index },
      })),
    )
    await store.power.addEnergy(
      each(MACHINES).map(index => ({
        ...{ machine: machineOf(index), from: at, until: at + HOUR, seconds: 3600, wattHours: 100, points: 1, cost: 1 },
        ...{ pricedWattHours: 100, grams: 1, gradedWattHours: 100, origin: 'measured' as const },
      })),
    )
  }
  await store.sumUp(now)
  for (let at = now - 4 * 365 * DAY; at < now; at += HOUR)
    await store.standings.add(
      ['ana', 'bo'].map(name => ({ kind: 'donor' as const, name, at, score: at / 1000, wus: 7 })),
    )
  for (let part = 0; part < 10; part++)
    await store.incidents.save({
      put: each(1000).map(index => ({
        ...newIncident({
          ...{ machine: machineOf(index), name: machineOf(index), owner: undefined },
          condition: { kind: 'nonsense', gravity: 'notice', subject: `${part}`, since: now, evidence: {} },
        }),
        resolvedAt: now,
      })),
      ...{ removed: [], rules: [], at: now, newId: () => '' },
    })
  for (let index = 0; index < 1000; index++)
    await store.addAction(
      { at: now, who: 'ana', machine: machineOf(index), command: 'x'.repeat(1000), reason: 'x'.repeat(500) },
      'confirmed',
    )
  const service = await start(people(), { store })
  const cookie = await signIn(service, 'administrator')
  const caller = stopLater(startCallingProcess(THREAD))
  const watch = stopLater(watchPauses())
  const pauses: [string, number][] = []
  for (const path of PATHS) {
    const url = `${service.origin}${path}`
    for (let round = 0; round < 2; round++) {
      await new Promise(resolve => setTimeout(resolve, 50))
      watch.reset()
      const called = await caller.call({ url, method: 'GET', headers: { Origin: service.origin, Cookie: cookie } })
      await new Promise(resolve => setTimeout(resolve, 50))
      expect(called.status, path).toBe(200)
      pauses.push([path, watch.longest()])
    }
  }
  expect(pauses.filter(([, pause]) => pause > LONGEST_PAUSE)).toEqual([])
})
