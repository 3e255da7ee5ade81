import { describe, expect, it } from 'vitest'
import { areRecordingsHere, readRecording } from '../../../test/recording.ts'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { applyChanges } from '../../protocol/client/changes.ts'
import { decodeClientMessage } from '../../protocol/client/client-message.ts'
import { clientBadges } from './badges.ts'
import type { ClientView } from './client.ts'
import { clientName, clientResources, clientState, osText } from './client.ts'
import { columnsOf, HISTORY_COLUMNS } from '../unit/column-sets.ts'
import { archivedClient } from '../unit/archived-client.ts'
import { emptyHistory, newInReport, withExcerpt } from '../unit/history.ts'
import { clientSummary } from './summary.ts'
import { parseTime } from '../text/times.ts'
import { rowsOf } from '../unit/unit-rows.ts'
import { unitNotice } from '../unit/unit-cells.ts'
import { UNIT_COLUMNS } from '../unit/unit-columns.ts'
import { statusAppearance, unitStatus } from '../unit/unit-status.ts'
import { isWorking } from '../unit/unit-meaning.ts'
import { etaSeconds, runTime, tpfSeconds } from '../unit/unit-progress.ts'

type Moment = { readonly data: ClientData; readonly history: readonly Unit[] }

/** Every state that a recorded client went through until then, as the dashboard would hold it. */
function replay(file: string, until = Infinity): readonly Moment[] {
  const moments: Moment[] = []
  let data: ClientData | undefined
  let history = emptyHistory
  for (const { raw, dir, type, ms } of readRecording(file)) {
    if (dir !== 'in' || type !== 'text' || ms > until) continue
    for (const fact of decodeClientMessage(raw)) {
      if (fact.type === 'snapshot.received') data = fact.data
      if (fact.type === 'changes.received' && data !== undefined) data = applyChanges(data, fact.changes)
      if (fact.type === 'history.received')
        history = withExcerpt(
          history,
          newInReport(history, { ...archivedClient('x', 'Attic', data), owner: undefined }, fact.units),
        )
    }
    if (data !== undefined) moments.push({ data, history: rowsOf(history).map(({ unit }) => unit) })
  }
  return moments
}

/** Columns that are the same for each unit of the client. */
const OF_CLIENT: readonly string[] = ['OS', 'OS Text', 'Machine', 'Version', 'Group Name']
const NO_RESOURCES = 'CPUs that it needs: 1. CPUs of its group: 1, of which other work units use 1.'
// The recorded computer has no GPU.
const NO_GPU =
  'The computer has no GPU gpu:01:00:00 any more. If it was moved to another slot, or taken out, dump this work unit. Otherwise check its seat and its power.'

function viewOf(data: ClientData): ClientView {
  return {
    id: 'x',
    isDirect: true,
    address: '127.0.0.1:7396',
    isConnected: true,
    data,
  }
}

describe.skipIf(!areRecordingsHere)('recorded clients (skipped when ../shared/captures is absent)', () => {
  it('show every column of every unit at every moment without anything unreadable', () => {
    for (const file of [
      'direct-busy',
      'direct-state',
      'direct-finish',
      'direct-gpus-groups',
      'direct-units-history-viz',
    ]) {
      const moments = replay(file)
      expect(moments.length).toBeGreaterThan(10)
      for (const { data } of moments) {
        const context = { machine: 'x', data, now: Date.UTC(2026, 10, 20, 14, 30, 0) }
        const shown = data.units.flatMap(unit => UNIT_COLUMNS.map(column => column.text(unit, context)))
        expect(shown.filter(text => /NaN|undefined|\[object|^$/.test(text))).toEqual([])
      }
    }
  })

  it('know every state and every length of time', () => {
    const words = new Set<string>()
    for (const { data } of replay('direct-units-history-viz')) {
      for (const unit of data.units) {
        words.add(
          statusAppearance(unitStatus(unit, undefined, 0)).tone === 'unknown' ? `unknown ${unit.state ?? ''}` : 'known',
        )
        if (unit.eta !== undefined) expect(etaSeconds(unit)).toBeTypeOf('number')
        if (unit.wait !== undefined) expect(parseTime(unit.wait)).toBeTypeOf('number')
      }
    }
    expect([...words]).toEqual(['known'])
  })

  it('show Run Time as the client counts it, also where the work server expected another time', () => {
    let ends = 0
    for (const file of ['direct-busy', 'direct-finish', 'direct-gpus-groups', 'direct-units-history-viz']) {
      const lines = readRecording(file)
      const began = Math.min(
        ...lines.flatMap(({ dir, raw, ms }) => {
          const time = dir === 'out' ? /"time":"([^"]+)"/.exec(raw)?.[1] : undefined
          return time === undefined ? [] : [Date.parse(time) - ms]
        }),
      )
      for (const { ms, dir, type, raw } of lines) {
        const found = dir === 'in' && type === 'text' ? /^\["units",(\d+),"run_time",(\d+)\]$/.exec(raw) : null
        if (found === null) continue
        // Just before the client tells how long the core has run, that is what was shown.
        const { data } = replay(file, ms - 1).at(-1) ?? {}
        const unit = data?.units[Number(found[1])]
        if (data === undefined || unit === undefined) throw new Error('A run that ended belongs to no unit.')
        const shown = runTime(unit, began + ms) ?? Number.NaN
        expect(Math.abs(shown - Number(found[2])) < 2, `${file} ${ms}`).toBe(true)
        ends++
      }
    }
    expect(ends).toBe(10)
    const { data } = replay('direct-gpus-groups', 16_700).at(-1) ?? {}
    const [unit = {}] = data?.units ?? []
    const now = Date.parse('2026-11-20T14:36:58Z')
    const column = UNIT_COLUMNS.find(({ name }) => name === 'Run Time')
    expect(column?.text(unit, { machine: 'x', data, now })).toBe('1m 56s')
  })

  it.each([
    [
      206,
      '2026-11-20T13:46:47Z',
      { state: 'pause', badges: ['warning'], paused: 6, ppd: 0 },
      [
        'CPU 1 0 None Paused Paused 0.0% 20 1 CPU',
        'CPU 1 0 None Paused Paused 35.0% 123,456 1h 10m 35s 20m 34s 21 1 CPU',
        '18422 CPU 1 0 None Not Sent Not Sent 100.0% 98,765 0s 40s 0xaa in 3 d in 36 h 1, 1, 1 1h 6m 14,500 Nov 20, 2026, 2:35 PM 22 localhost 1 CPU Finished, but results are not sent while their group is paused. Press Fold to send them. The timeout is in 1d 11h: later they earn no bonus.',
        'CPU 1 0 None Paused Paused 0.0% 23 1 CPU',
        'GPU 1 1 gpu:01:00:00 Paused Paused 0.0% 24 1 CPU, gpu:01:00:00',
        'CPU 1 0 None Paused Paused 0.0% 12m 57s 27 1 CPU',
      ],
    ],
    [
      46_501,
      '2026-11-20T13:47:33Z',
      { state: 'fold', badges: [], running: 1, waiting: 1, paused: 3, cpus: 1, ppd: 336_610_080 },
      [
        '18420 CPU 1 0 None Running Running 92.5% 336,610,080 4s 0s 0xaa in 3 d in 36 h 3, 5, 41 38s 14,500 Nov 20, 2026, 2:35 PM 20 localhost 1 CPU',
        `CPU 1 0 None Paused Paused 35.0% 123,456 1h 10m 35s 20m 34s 21 1 CPU ${NO_RESOURCES}`,
        'CPU 1 0 None Download Wait Download Wait 21.9% 23 1 CPU Download failed. No server could be reached. Check the machine’s network, DNS, firewall and proxy; its log says which server it tried. Retrying in 25s.',
        `GPU 1 1 gpu:01:00:00 Paused Paused 0.0% 24 1 CPU, gpu:01:00:00 ${NO_GPU}`,
        `CPU 1 0 None Paused Paused 0.0% 12m 57s 27 1 CPU ${NO_RESOURCES}`,
      ],
    ],
    [
      Infinity,
      '2026-11-20T13:48:40Z',
      { state: 'pause', badges: [], paused: 4, ppd: 0 },
      [
        '18421 CPU 1 0 None Paused Paused 15.0% 719,983 2h 1m 1m 26s 0xaa in 47 h in 11 h 0, 1, 2 21m 23s 14,500 Nov 19, 2026, 1:45 PM 21 localhost 1 CPU',
        'CPU 1 0 None Paused Paused 27.1% 23 1 CPU',
        'GPU 1 1 gpu:01:00:00 Paused Paused 0.0% 24 1 CPU, gpu:01:00:00',
        'CPU 1 0 None Paused Paused 0.0% 12m 57s 27 1 CPU',
      ],
    ],
  ])('say at %s ms what they said then, number by number', (ms, time, sums, units) => {
    const { data } = replay('direct-units-history-viz', ms).at(-1) ?? {}
    if (data === undefined) throw new Error('The capture holds no client.')
    const now = Date.parse(time)
    const context = { machine: 'vm', data, now, locale: 'en-US', timeZone: 'Europe/Berlin' }
    const shown = UNIT_COLUMNS.filter(({ name }) => !OF_CLIENT.includes(name))
    const texts = data.units.map(unit =>
      [...shown.map(column => column.text(unit, context)), unitNotice(unit, context) ?? '']
        .filter(text => text !== '???' && text !== '')
        .join(' '),
    )
    expect(texts).toEqual(units)
    const badges = clientBadges(viewOf(data), { account: undefined, latest: '8.5.7', now })
    expect({ state: clientState(data), badges, ...clientSummary(viewOf(data), now) }).toMatchObject(sums)
  })

  it('give name, system, resources, state, badges and totals of the client', () => {
    const { data } = replay('direct-busy')[0] ?? {}
    if (data === undefined) throw new Error('the capture holds no client')
    expect(clientName(viewOf(data))).toBe('Busy')
    expect(osText(data.info)).toBe('Linux 6.18')
    expect(clientResources(data)).toBe('2 CPUs')
    expect(clientState(data)).toBe('pause')
    expect(clientBadges(viewOf(data), { account: 'another', latest: '8.5.7', now: 0 })).toEqual(['unlinked'])
    expect(clientSummary(viewOf(data), 0)).toMatchObject({
      clients: 1,
      active: 0,
      units: 3,
      paused: 3,
      ppd: 0,
    })
  })

  it('fold two units, whose points add up and whose time per frame is plausible', () => {
    const now = Date.UTC(2026, 10, 20, 14, 30, 20)
    const busy = replay('direct-busy').map(({ data }) => data)
    const most = busy.reduce((a, b) => (clientSummary(viewOf(b), now).ppd > clientSummary(viewOf(a), now).ppd ? b : a))
    const summary = clientSummary(viewOf(most), now)
    const running = most.units.filter(unit => isWorking(unit, now))
    expect(summary.running).toBe(2)
    expect(summary.ppd).toBe(running.reduce((sum, unit) => sum + (unit.ppd ?? 0), 0))
    for (const unit of running) {
      const tpf = tpfSeconds(unit, now) ?? Number.NaN
      expect(tpf).toBeGreaterThan(0)
      expect(tpf).toBeLessThan(3600)
    }
  })

  it('keep their history, each unit once', () => {
    const { history, data } = replay('direct-units-history-viz').at(-1) ?? {}
    if (history === undefined || data === undefined) throw new Error('the capture holds no history')
    const ends = history.map(unit => parseTime(unit.end_time) ?? 0)
    expect(history.length).toBeGreaterThan(5)
    expect(new Set(history.map(unit => unit.id)).size).toBe(history.length)
    expect(ends.every(end => end > 0)).toBe(true)
    const context = { machine: 'Attic', data, now: 0, locale: 'en-GB', timeZone: 'UTC' }
    const newest = history.find(unit => unit.number === 22)
    if (newest === undefined) throw new Error('unit 22 is missing')
    expect(columnsOf(HISTORY_COLUMNS).map(column => column.text(newest, context))).toEqual([
      'Attic',
      '18422',
      '0xaa',
      'Linux',
      'Credited',
      '100.0%',
      '40s',
      '98,765',
      '20 Nov 2026, 13:35',
    ])
  })
})
