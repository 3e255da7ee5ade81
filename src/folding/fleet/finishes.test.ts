import { describe, expect, it } from 'vitest'
import type { Unit } from '../../protocol/client/client-data.ts'
import type { ClientView } from '../client/client.ts'
import { formatIso } from '../text/times.ts'
import {
  finishDetails,
  finishesInHour,
  finishesOf,
  finishHours,
  inOrderOfFinish,
  unitsAtRisk,
  type Finish,
} from './finishes.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.parse('2026-11-20T12:20:00Z')

const running: Unit = {
  id: 'a',
  state: 'RUN',
  eta: '2h 10m',
  wu_progress: 0.4,
  cpus: 4,
  gpus: [],
  assignment: { project: 18_420, time: formatIso(NOW - HOUR), timeout: 86_400, deadline: 172_800 },
}

function clientWith(...units: readonly Unit[]): ClientView {
  return {
    id: 'attic',
    isDirect: false,
    name: 'Attic',
    isConnected: true,
    data: { info: { id: 'attic' }, config: {}, groups: {}, units },
  }
}

function finish(at: number, rest: Partial<Finish> = {}): Finish {
  return {
    key: `${at}`,
    client: 'attic',
    machine: 'Attic',
    unit: running,
    info: undefined,
    at,
    risk: 'none',
    ...rest,
  }
}

describe('the finishes of a client', () => {
  it('are those of its running units, to the minute', () => {
    const [finish] = finishesOf(clientWith(running), NOW + 1)
    expect(finish).toEqual({
      key: 'attic a',
      client: 'attic',
      machine: 'Attic',
      unit: running,
      info: { id: 'attic' },
      at: NOW + 2 * HOUR + 11 * MINUTE,
      risk: 'none',
    })
    if (finish === undefined) throw new Error('There is no finish.')
    expect(finishDetails(finish)).toEqual({ id: 'a', project: 18_420, resources: '4 CPUs', progress: 0.4 })
  })

  it.each<[string, Partial<Unit>]>([
    ['is paused', { pause_reason: 'Paused' }],
    ['waits', { wait: formatIso(NOW + HOUR) }],
    ['is uploaded', { state: 'UPLOAD' }],
    ['reports no time left', { eta: 'soon' }],
  ])('lack a unit that %s', (_, change) => {
    expect(finishesOf(clientWith({ ...running, ...change }), NOW)).toEqual([])
  })

  it('are unknown while it is disconnected', () => {
    expect(finishesOf({ ...clientWith(running), isConnected: false }, NOW)).toEqual([])
  })

  it('name the units that will be late, and tell units without an id apart', () => {
    const late: Unit = { ...running, id: 'b', eta: '30h' }
    const lost: Unit = { ...running, id: '', eta: '60h' }
    const finishes = finishesOf(clientWith(running, late, lost), NOW)
    expect(finishes.map(({ key, risk }) => [key, risk])).toEqual([
      ['attic a', 'none'],
      ['attic b', 'timeout'],
      ['attic 2', 'deadline'],
    ])
    expect(unitsAtRisk(finishes)).toHaveLength(2)
  })
})

describe('the order', () => {
  it('is by time, and fixed at the same time', () => {
    const finishes = [finish(NOW + 2, { key: 'a' }), finish(NOW + 1, { key: 'z' }), finish(NOW + 1, { key: 'y' })]
    expect(inOrderOfFinish(finishes).map(({ key }) => key)).toEqual(['y', 'z', 'a'])
  })
})

describe('the time line', () => {
  it('has 24 hours from the present one on, with the units that finish in each', () => {
    const start = NOW - 20 * MINUTE
    const finishes = [
      finish(NOW + MINUTE),
      finish(NOW + 30 * MINUTE, { risk: 'timeout' }),
      finish(start + HOUR),
      finish(start + 24 * HOUR),
    ]
    const hours = finishHours(finishes, start)
    expect(hours).toHaveLength(24)
    expect(hours.slice(0, 3)).toEqual([
      { at: start, count: 2, atRisk: 1 },
      { at: start + HOUR, count: 1, atRisk: 0 },
      { at: start + 2 * HOUR, count: 0, atRisk: 0 },
    ])
    expect(hours.reduce((sum, { count }) => sum + count, 0)).toBe(3)
    expect(finishes.map(one => finishesInHour(one, start + HOUR))).toEqual([false, false, true, false])
  })
})
