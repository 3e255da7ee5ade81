import { describe, expect, it } from 'vitest'
import type { ClientData } from '../../protocol/client/client-data.ts'
import type { ProcessorNote } from '../client/processor-notes.ts'
import { processorEffect } from '../fleet/processor-plan.ts'
import { planAtOnce } from './at-once.ts'
import { cpuCountPart, cpuCounts, partChoice, partSeen, partsOf, scopeTitle } from './parts.ts'
import type { Schedule } from './schedule.ts'
import { inputsText, targetText } from './schedule-text.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const [LEFT, RIGHT, OTHER] = ['gpu:01:00:00', 'gpu:02:00:00', 'gpu:03:00:00']

/** Two cards of one model and another one; `off`: which the group does not use. */
function dataOf(off: readonly string[] = [], paused = false): ClientData {
  const models = { [LEFT]: 'RTX 3060', [RIGHT]: 'RTX 3060', [OTHER]: 'RTX 4090' }
  const ids = Object.keys(models)
  const units = ids.map((id, index) => ({
    ...{ id: `u${index}`, number: index, group: '', state: 'RUN', cpus: 1, gpus: [id], pid: 1, wu_progress: 0.5 },
    ...{ start_time: '2026-11-20T10:00:00Z', eta: `${index + 1}h 0m`, assignment: { min_cpus: 1, max_cpus: 1 } },
  }))
  const gpus = Object.fromEntries(ids.map(id => [id, { enabled: !off.includes(id) }]))
  return {
    info: {
      ...{ version: '8.5.7', cpus: 8, id: 'm' },
      gpus: Object.fromEntries(
        Object.entries(models).map(([id, description]) => [id, { description, supported: true }]),
      ),
    },
    config: {},
    groups: { '': { config: { paused, finish: false, cpus: 8, gpus } } },
    units: [...units, { ...units[0], id: 'c', number: 9, cpus: 5, gpus: [], assignment: { min_cpus: 1, max_cpus: 5 } }],
  }
}
const note: ProcessorNote = { group: '', gpu: LEFT, state: 'pause', cpus: 0, at: 1 }

describe('GPUs and CPUs that schedules keep by themselves', () => {
  it('are those of a machine that has several, twins by their slots', () => {
    const parts = ['*cpus', '*gpus', '*RTX 3060', '*RTX 4090', `*${LEFT}`, `*${RIGHT}`]
    expect(partsOf(dataOf())).toEqual(parts)
    expect(parts.map(scopeTitle)).toEqual(['CPUs', 'GPUs', 'RTX 3060', 'RTX 4090', 'GPU 01:00:00', 'GPU 02:00:00'])
    expect(partsOf(undefined)).toEqual([])
    expect(scopeTitle('night')).toBe('night')
    expect(targetText({ kind: 'all', name: '', group: '*RTX 3060' })).toBe('All machines, RTX 3060')
  })

  it.each<readonly [string, string, ReturnType<typeof dataOf>, object | undefined]>([
    ['that fold', '*RTX 4090', dataOf(), { state: 'fold', endsAt: NOON + 3 * 3_600_000 }],
    ['that differ', '*RTX 3060', dataOf([LEFT]), { state: 'fold', isMixed: true }],
    ['one by its id', `*${LEFT}`, dataOf([LEFT]), { state: 'pause' }],
    ['all GPUs', '*gpus', dataOf([LEFT, RIGHT, OTHER]), { state: 'pause' }],
    ['the CPUs', '*cpus', dataOf(), { state: 'fold' }],
    ['whose group is paused', '*cpus', dataOf([], true), { state: 'pause', isBlocked: true }],
    ['that are not there', '*RTX 5090', dataOf(), undefined],
  ])('are seen: %s', (_, part, data, seen) => {
    const found = partSeen(data, data === dataOf() ? [] : [note], part, NOON)
    if (seen === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject(seen)
  })

  it('are as many CPUs as a schedule says, whoever set another number, and say which unit starts again', () => {
    const withCpus = (cpus: number): ClientData => {
      const data = dataOf()
      return { ...data, groups: { '': { config: { ...data.groups['']?.config, cpus } } } }
    }
    const seen = (cpus: number) => partSeen(withCpus(cpus), [], '*cpus:4-8', NOON)
    expect(seen(8)?.state).toBe('fold')
    expect(seen(4)?.state).toBe('pause')
    expect(seen(6)).toMatchObject({ state: 'pause', isMixed: true, isFailed: true })
    expect(scopeTitle('*cpus:4-8')).toBe('4 or 8 CPUs')
    expect(cpuCountPart(0, 12)).toBe('*cpus:1-12')
    expect(cpuCounts('*cpus:0-3')).toBeUndefined()
    expect(cpuCounts('*cpus')).toBeUndefined()
    const owner = { data: withCpus(8), machine: 'm', notes: [], now: NOON, isWatched: true }
    expect(processorEffect('pause', partChoice('*cpus:4-8'), owner)).toMatchObject({
      work: { kind: 'commands', commands: [{ cmd: 'config' }] },
      costs: [expect.stringContaining('WU9')],
    })
    expect(processorEffect('fold', partChoice('*cpus:4-8'), owner)).toEqual({ kind: 'same', kept: [] })
  })

  it('show the values of the inputs that they depend on', () => {
    const heat: Schedule = {
      ...{ id: 'heat', name: 'Heat', isEnabled: true, timeZone: 'UTC', otherwise: 'fold', finishMinutes: 0 },
      targets: [{ kind: 'machine', name: 'a', group: '*RTX 4090' }],
      rules: ['card', 'room'].map(input => ({
        ...{ kind: 'input' as const, input, compare: 'above' as const, threshold: 85, hysteresis: 5, holdMinutes: 10 },
        ...{ validMinutes: 10, state: 'pause' as const },
      })),
    }
    const machine = { number: 1, name: 'm', address: 'a', tags: [], mayAct: true, groups: [] }
    const answer = { schedules: [heat], machines: [machine], inputs: [{ name: 'card', value: 71.25, at: '' }] }
    const text = (group: string | null) => inputsText(answer, { machine: 1, group })
    expect(text('*RTX 4090')).toBe('card: 71.25, room: ???')
    expect(text(null)).toBeUndefined()
    expect(inputsText({ ...answer, machines: [] }, { machine: 1, group: null })).toBeUndefined()
  })

  it('are in the preview, with what it means for other units', () => {
    const draft: Schedule = {
      ...{ id: 'heat', name: 'Heat', isEnabled: true, timeZone: 'UTC', rules: [], finishMinutes: 0 },
      targets: [{ kind: 'all', name: '', group: '*RTX 4090' }],
      otherwise: 'pause',
    }
    const plan = (schedule: Schedule, data: ClientData, paused: readonly string[] = []) => {
      const machine = { number: 1, name: 'm', address: 'a', tags: [], mayAct: true, groups: ['', ...partsOf(data)] }
      const saved = { machines: [{ ...machine, paused: [...paused] }], conditions: {}, inputs: [], subjects: [] }
      const view = { id: 'm', isDirect: false, isConnected: true, data }
      return planAtOnce(schedule, [schedule], saved, () => view, { units: new Map() }, NOON).entries.map(
        ({ name, effect }) => [name, effect.kind],
      )
    }
    expect(plan(draft, dataOf())).toEqual([['FAH ID m, RTX 4090', 'change']])
    const folds = { ...draft, otherwise: 'fold' as const }
    expect(plan(folds, dataOf([OTHER]))).toEqual([['FAH ID m, RTX 4090', 'excluded']])
    expect(plan(folds, dataOf([OTHER]), ['*RTX 4090'])).toEqual([['FAH ID m, RTX 4090', 'change']])
  })
})
