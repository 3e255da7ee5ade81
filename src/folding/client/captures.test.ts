import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ClientData, Unit } from '../../protocol/client-data.ts'
import { applyChanges } from '../../protocol/changes.ts'
import { decodeClientMessage } from '../../protocol/client-message.ts'
import { clientBadges } from './badges.ts'
import type { ClientView } from './client.ts'
import { clientName, clientResources, clientState, osText } from './client.ts'
import { columnsOf, HISTORY_COLUMNS } from '../unit/column-sets.ts'
import { archivedClient } from '../unit/archived-client.ts'
import { emptyHistory, newInReport, withExcerpt } from '../unit/history.ts'
import { clientSummary } from './summary.ts'
import { parseTime } from '../shared/times.ts'
import { rowsOf } from '../unit/unit-rows.ts'
import { UNIT_COLUMNS } from '../unit/unit-columns.ts'
import { statusAppearance, unitStatus } from '../unit/unit-status.ts'
import { isWorking } from '../unit/unit-meaning.ts'
import { etaSeconds, tpfSeconds } from '../unit/unit-progress.ts'

const CAPTURES = '../shared/captures'
const hasCaptures = existsSync(CAPTURES)

type Moment = { readonly data: ClientData; readonly history: readonly Unit[] }

/** Every state that a recorded client went through, as the dashboard would hold it. */
const replay = (file: string): readonly Moment[] => {
  const moments: Moment[] = []
  let data: ClientData | undefined
  let history = emptyHistory
  for (const raw of incoming(file)) {
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

const incoming = (file: string): string[] =>
  readFileSync(`${CAPTURES}/${file}.jsonl`, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map((line): unknown => JSON.parse(line))
    .flatMap(entry => (isText(entry) ? [entry.raw] : []))

const isText = (entry: unknown): entry is { raw: string } =>
  typeof entry === 'object' &&
  entry !== null &&
  'dir' in entry &&
  entry.dir === 'in' &&
  'type' in entry &&
  entry.type === 'text' &&
  'raw' in entry &&
  typeof entry.raw === 'string'

const viewOf = (data: ClientData): ClientView => ({
  id: 'x',
  isDirect: true,
  address: '127.0.0.1:7396',
  isConnected: true,
  data,
})

describe.skipIf(!hasCaptures)('recorded clients (skipped when ../shared/captures is absent)', () => {
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

  it('give name, system, resources, state, badges and totals of the client', () => {
    const { data } = replay('direct-busy')[0] ?? {}
    if (data === undefined) throw new Error('the capture holds no client')
    expect([clientName(viewOf(data)), osText(data.info), clientResources(data), clientState(data)]).toEqual([
      'Busy',
      'Linux 6.18',
      '2 CPUs',
      'pause',
    ])
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
