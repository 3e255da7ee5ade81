import { describe, expect, it } from 'vitest'
import type { Fault } from './fault.ts'
import type { Json } from './json.ts'
import { decodeEndedUnits } from './ended-units.ts'

const decoded = (...rows: Json[]) => {
  const faults: Fault[] = []
  return { units: decodeEndedUnits(rows, fault => faults.push(fault)), faults }
}

const used = {
  id: 'u',
  number: 7,
  group: '',
  state: 'UPLOAD',
  result: 'credited',
  end_time: '2026-11-20T13:46:10Z',
  cpus: 4,
  wu_progress: 1,
  ppd: 1000,
  run_time: 60,
  os_title: 'linux 6.18',
  resources: '4 CPUs',
  tpf_secs: 12,
}
const assignment = { project: 18_400, credit: 10, time: '2026-11-20T12:00:00Z', ws: 'ws.example.org' }

describe('The rows of a history', () => {
  it('are reduced to the fields that are used', () => {
    const row = {
      ...used,
      gpus: ['gpu:01:00:00'],
      pid: 5,
      unknown: { deep: [1] },
      assignment: { ...assignment, port: 80, core: { type: '0x24', url: 'https://example.org' } },
      wu: { run: 1, clone: 2, gen: 3, cs: ['a'] },
    }
    expect(decoded(row)).toEqual({
      units: [
        {
          ...used,
          gpus: ['gpu:01:00:00'],
          assignment: { ...assignment, core: { type: '0x24' } },
          wu: { run: 1, clone: 2, gen: 3 },
        },
      ],
      faults: [],
    })
  })

  it('may be incomplete', () => {
    const rows: Json[] = [{}, { assignment: {} }, { assignment: { core: {} }, wu: {} }]
    expect(decoded(...rows)).toEqual({ units: [{}, { assignment: {} }, { assignment: {}, wu: {} }], faults: [] })
  })

  it('of older clients have hyphens in their keys', () => {
    expect(decoded({ 'wu-progress': 1, 'end-time': 'x', pid: 3 })).toEqual({
      units: [{ wu_progress: 1, end_time: 'x' }],
      faults: [],
    })
  })

  it.each<[Json, string | number]>([
    [{ ...used, number: 'x' }, 'number'],
    [{ ...used, number: 7, state: 5 }, 'state'],
    [{ ...used, gpus: 'none' }, 'gpus'],
    [{ ...used, gpus: [1] }, 'gpus'],
    [{ ...used, assignment: { ...assignment, project: 'x' } }, 'assignment'],
    [{ ...used, assignment: 5 }, 'assignment'],
    [{ ...used, assignment: { core: 5 } }, 'assignment'],
    [{ ...used, assignment: { core: { type: 5 } } }, 'assignment'],
    [{ ...used, wu: { run: 'x' } }, 'wu'],
  ])('%j: the part of a wrong type is reported and left out', (row, part) => {
    const { units, faults } = decoded(row)
    expect([units.length, units[0]?.id]).toEqual([1, 'u'])
    expect(faults.map(fault => ('path' in fault ? fault.path.slice(0, 3) : []))).toEqual([['wus', 0, part]])
  })

  it('that are no objects are reported and left out', () => {
    expect(decoded(7, null, ['a'], used)).toMatchObject({ units: [used], faults: [{}, {}, {}] })
  })
})
