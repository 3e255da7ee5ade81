import { describe, expect, it } from 'vitest'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { dataOf, effectOf, viewOf, WORLD } from '../../../test/folding/bulk.ts'
import { effectText } from './bulk-text.ts'
import { idleStep, idleText, lastFetch, parseIdleTimes, usualLengths, type IdleTime } from './idle-time.ts'
import type { ArchivedUnit } from '../unit/history.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-20T12:00:00Z')
const LEAD = 180_000

function unit(number: number, eta: string, gpus: readonly string[] = []): Unit {
  return {
    id: `u${number}`,
    number,
    group: '',
    state: 'RUN',
    pid: 1,
    cpus: 1,
    gpus,
    wu_progress: 0.5,
    start_time: '2026-11-20T11:00:00Z',
    eta,
    assignment: { project: 18_400, min_cpus: 1, max_cpus: 4 },
  }
}

function machine(state: { paused?: boolean; finish?: boolean }, ...units: readonly Unit[]): ClientData {
  const config = { paused: false, finish: false, cpus: 4, gpus: { a: { enabled: true } }, ...state }
  return dataOf({ '': config }, {}, units)
}

/** Units without a GPU usually take two hours at most, those of the GPU one. */
function time(hours: number, more: Partial<IdleTime> = {}): IdleTime {
  return { until: NOW + hours * HOUR, pauses: false, lengths: { cpus: 7200, 'RTX 4090': 3600 }, asked: {}, ...more }
}

function ended(number: number, hours: number): ArchivedUnit {
  return {
    key: `m ${number}`,
    machine: 'm',
    unit: {
      id: `e${number}`,
      result: 'credited',
      run_time: hours * 3600,
      end_time: new Date(NOW - number).toISOString(),
    },
  }
}

describe('units of a machine', () => {
  it('usually take as long as the last fifty did, nine of ten at most', () => {
    const units = Array.from({ length: 60 }, (_, number) => ended(number, number < 50 ? 1 + number / 100 : 99))
    const history = { units: new Map(units.map(one => [one.key, one])) }
    expect(usualLengths(history.units.values(), 'm', undefined)).toEqual([
      { hardware: 'cpus', middle: 4500, long: 5220 + 300, count: 50 },
    ])
    expect(usualLengths(history.units.values(), 'other', undefined)).toEqual([])
  })

  it('are told apart by the models of its GPUs, also where a server keeps only what units used', () => {
    const { info } = machine({})
    const units = [
      ended(1, 1),
      { ...ended(2, 2), unit: { ...ended(2, 2).unit, gpus: ['a'] } },
      { ...ended(3, 2), unit: { ...ended(3, 2).unit, resources: '1 CPU, RTX 4090' } },
    ]
    expect(usualLengths(units, 'm', info).map(({ hardware, count }) => [hardware, count])).toEqual([
      ['cpus', 1],
      ['RTX 4090', 2],
    ])
  })
})

describe('a machine that shall be idle by a time', () => {
  it('fetches while the next unit would end in time', () => {
    expect(idleStep(machine({}, unit(1, '1 hour')), time(3.5), NOW)).toEqual({ kind: 'wait' })
  })

  it('is asked to finish shortly before the unit ends whose next one would be too late', () => {
    const data = machine({}, unit(1, '1 hour'))
    expect(lastFetch(data, time(2.5), NOW)).toBe(NOW + HOUR - LEAD)
    expect(idleStep(data, time(2.5), NOW)).toEqual({ kind: 'wait' })
    const soon = machine({}, unit(1, '3 mins'))
    expect(idleStep(soon, time(1.5), NOW)).toEqual({ kind: 'tell', state: 'finish', groups: [''] })
    expect(idleStep(machine({}, unit(1, '0 secs')), time(2.01), NOW)).toEqual({ kind: 'wait' })
    expect(idleStep(soon, time(1.5, { asked: { '': NOW } }), NOW)).toEqual({ kind: 'wait' })
  })

  it('follows the hardware that decides first', () => {
    const both = machine({}, unit(1, '30 mins'), unit(2, '30 mins', ['a']))
    expect(lastFetch(both, time(2), NOW)).toBe(NOW + HOUR / 2 - LEAD)
    expect(lastFetch(both, time(3), NOW)).toBe(NOW + HOUR)
  })

  it('is asked at once where it has no unit and one would be too late, or time left stays unknown', () => {
    const finish = { kind: 'tell', state: 'finish', groups: [''] }
    expect(idleStep(machine({}, unit(1, '')), time(9, { lengths: {} }), NOW)).toEqual(finish)
    expect(idleStep(machine({}), time(1), NOW)).toEqual(finish)
    expect(idleStep(machine({}), time(3), NOW)).toEqual({ kind: 'wait' })
    const assigned = { ...unit(1, ''), state: 'ASSIGN', wu_progress: 0 }
    expect(idleStep(machine({}, assigned), time(1), NOW)).toEqual(finish)
    expect(idleStep(machine({}, assigned), time(3), NOW)).toEqual({ kind: 'wait' })
  })

  it.each(['DOWNLOAD', 'CORE', 'RUN'])('has a unit that begins (%s) take its usual length, or waits for it', state => {
    const begun = machine({}, { ...unit(1, '9 hours'), state, wu_progress: 0.009 })
    expect(idleStep(begun, time(0.5, { lengths: {} }), NOW)).toEqual({ kind: 'wait' })
    expect(idleStep(begun, time(1), NOW)).toEqual({ kind: 'wait' })
    expect(lastFetch(begun, time(3), NOW)).toBe(NOW + 2 * HOUR - LEAD)
    expect(lastFetch(begun, time(4), NOW)).toBe(NOW + 2 * HOUR)
  })

  it('goes by the unit of now where its usual length is not known', () => {
    const data = machine({}, unit(1, '1 hour'))
    expect(lastFetch(data, time(3, { lengths: {} }), NOW)).toBe(NOW + HOUR - LEAD)
    expect(idleStep(data, time(4, { lengths: {} }), NOW)).toEqual({ kind: 'wait' })
  })

  it('is paused then only where that was wanted', () => {
    const data = machine({ finish: true }, unit(1, '1 hour'))
    expect(idleStep(data, time(0), NOW)).toEqual({ kind: 'wait' })
    expect(idleStep(data, time(0, { pauses: true }), NOW)).toEqual({ kind: 'tell', state: 'pause', groups: [''] })
  })

  it.each([
    ['it is paused', machine({ paused: true }), time(1), NOW],
    ['a person folds it again', machine({}, unit(1, '1 hour')), time(1, { asked: { '': NOW - 180_001 } }), NOW],
    ['it is long over', machine({}, unit(1, '1 hour')), time(0), NOW + 24 * HOUR + 1],
  ])('is done with it when %s', (_, data, idle, now) => {
    expect(idleStep(data, idle, now)).toEqual({ kind: 'done' })
  })

  it('names what will be too late before, and while it is waited for', () => {
    const data = machine({}, unit(7, '5 hours'), unit(8, '1 hour', ['a']))
    const history = { units: new Map([ended(1, 2), ended(2, 2)].map(one => [one.key, one])) }
    const world = { ...WORLD, now: NOW, history }
    const text = (pauses: boolean) =>
      effectText(effectOf({ kind: 'idle', until: NOW + 4 * HOUR, pauses }, viewOf(data), world))
    expect(text(false)).toMatch(
      /takes no new work from about .*WU7 will be done too late, about .*2h 0m on CPUs \(nine of ten less than 2h 5m; the last 2\)/,
    )
    expect(text(true)).toContain('and is paused')
    expect(idleText(data, time(4), NOW)).toMatch(
      /^Idle by .* \(in 4h 0m\): takes no new work from about .*Too late: WU7$/,
    )
    expect(idleText(machine({ finish: true }, unit(8, '1 hour')), time(4), NOW)).toMatch(/: takes no new work$/)
    expect(idleText(data, time(0), NOW)).toMatch(/^Should have been idle from/)
  })
})

describe('a time by which machines shall be idle', () => {
  it('is noted and taken back by an action, with an undo', () => {
    const view = viewOf(machine({}, unit(1, '1 hour')))
    const world = { ...WORLD, now: NOW }
    const effect = effectOf({ kind: 'idle', until: NOW + HOUR, pauses: true }, view, world)
    expect(effect).toMatchObject({
      work: { kind: 'note' },
      before: { kind: 'idle', time: undefined },
      idle: { machine: 'm', time: { until: NOW + HOUR, pauses: true } },
    })
    const idleTimes = { m: time(1) }
    expect(effectOf({ kind: 'idle', until: undefined, pauses: false }, view, { ...world, idleTimes })).toMatchObject({
      before: { kind: 'idle', time: time(1) },
      idle: { machine: 'm', time: undefined },
    })
    expect(effectOf({ kind: 'idle', until: undefined, pauses: false }, view, world).kind).toBe('same')
    expect(effectOf({ kind: 'idle', until: NOW, pauses: false }, view, world).kind).toBe('impossible')
    const undo = { kind: 'undo', of: 'idle', before: { m: { kind: 'idle', time: time(1) } } } as const
    expect(effectOf(undo, view, world)).toMatchObject({ work: { kind: 'note' }, idle: { machine: 'm', time: time(1) } })
  })

  it('is read from what a browser kept only when it is whole', () => {
    expect(parseIdleTimes({ m: time(1) })).toEqual({ m: time(1) })
    expect(parseIdleTimes({ m: { until: 'soon' } })).toBeUndefined()
  })
})
