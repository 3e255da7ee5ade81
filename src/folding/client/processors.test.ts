import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { after, dataOf, GPUS } from '../../../test/folding/bulk.ts'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { completeCommand } from '../../protocol/client/commands.ts'
import { processorsOf, processorState, unitsOfProcessor } from './processors.ts'
import { notesAfter, parseProcessorNotes, withNote, type ProcessorNote, type Processor } from './processor-notes.ts'
import { disturbedUnits, finishStep, foldChange, heldNotes, pauseChange } from './processor-changes.ts'
import { cpuShares } from './resource-changes.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

function unit(number: number, cpus: number, gpus: readonly string[] = [], more: Partial<Unit> = {}): Unit {
  return {
    id: `u${number}`,
    number,
    state: 'RUN',
    group: '',
    cpus,
    gpus,
    pid: 1,
    progress: 0.5,
    wu_progress: 0.5,
    start_time: '2026-11-20T10:00:00Z',
    eta: '1 hour 00 mins',
    assignment: { min_cpus: gpus.length > 0 ? 1 : cpus, max_cpus: cpus },
    ...more,
  }
}

/** Two GPUs with a CPU each, and a CPU unit on the other ten of twelve. */
function mixed(units: readonly Unit[] = [unit(1, 1, ['a']), unit(2, 1, ['b']), unit(3, 10)]): ClientData {
  return dataOf(
    { '': { paused: false, finish: false, cpus: 12, gpus: { a: { enabled: true }, b: { enabled: true } } } },
    {},
    units,
  )
}

const A: Processor = { group: '', gpu: 'a' }
const CPUS: Processor = { group: '' }

/** The client after the change of a group, as it is sent. */
function changed(data: ClientData, patch: object): ClientData {
  return after(data, [
    completeCommand({ cmd: 'config', config: { groups: { '': patch } }, keepsOtherGpus: true }, data),
  ])
}

function noteFor(processor: Processor, cpus: number, more: Partial<ProcessorNote> = {}): ProcessorNote {
  return { ...processor, state: 'pause', cpus, at: NOW, ...more }
}

describe('the processors of a group', () => {
  it('are the GPUs that it uses and its CPUs where units run on them', () => {
    expect(processorsOf(mixed(), '', [])).toEqual([A, { group: '', gpu: 'b' }, CPUS])
    expect(processorsOf(mixed([unit(1, 1, ['a'])]), '', [])).toEqual([A, { group: '', gpu: 'b' }])
  })

  it('include those that are noted and those whose units wait', () => {
    const data = dataOf({ '': { cpus: 1, gpus: {} } }, {}, [unit(1, 1, ['a'])])
    expect(processorsOf(data, '', [noteFor({ group: '', gpu: 'b' }, 1)])).toEqual([A, { group: '', gpu: 'b' }])
  })
})

describe('pausing one GPU', () => {
  it('takes its CPUs out of the group in the same change, so that no other unit restarts', () => {
    const data = mixed()
    const change = pauseChange(data, A, NOW)
    expect(change.patch).toEqual({ cpus: 11, gpus: { a: { enabled: false } } })
    expect(disturbedUnits(data, A, change)).toEqual({ held: [], restarted: [], freedCpus: 0 })
    expect(change.effect.held.map(({ number }) => number)).toEqual([1])
  })

  it('leaves the other GPUs of the group as they are', () => {
    const data = changed(mixed(), pauseChange(mixed(), A, NOW).patch)
    expect(data.groups['']?.config?.gpus).toEqual({ a: { enabled: false }, b: { enabled: true } })
  })

  it('is undone by folding it, also where the CPUs were changed meanwhile', () => {
    const paused = changed(mixed(), pauseChange(mixed(), A, NOW).patch)
    const note = noteFor(A, 1)
    expect(foldChange(paused, A, note, NOW).patch).toEqual({ cpus: 12, gpus: { a: { enabled: true } } })
    const fewer = changed(paused, { cpus: 6 })
    expect(foldChange(fewer, A, note, NOW).patch).toEqual({ cpus: 7, gpus: { a: { enabled: true } } })
  })

  it('finds the CPUs that the unit needs where nothing is noted', () => {
    const paused = changed(mixed(), pauseChange(mixed(), A, NOW).patch)
    const change = foldChange(paused, A, undefined, NOW)
    expect(change.patch).toEqual({ cpus: 12, gpus: { a: { enabled: true } } })
    expect(disturbedUnits(paused, A, change).restarted).toEqual([])
  })

  it('names a unit that uses two GPUs and is held with either', () => {
    const data = mixed([unit(1, 1, ['a']), unit(2, 1, ['b', 'a'])])
    const onBoth = unitsOfProcessor(data, A).map(({ number }) => number)
    expect(onBoth).toEqual([1, 2])
  })
})

describe('pausing the CPUs', () => {
  it('leaves those that the GPU units use', () => {
    const change = pauseChange(mixed(), CPUS, NOW)
    expect(change.patch).toEqual({ cpus: 2 })
    expect(change.effect.held.map(({ number }) => number)).toEqual([3])
    expect(change.effect.restarted).toEqual([])
  })

  it('is undone by folding them', () => {
    const paused = changed(mixed(), { cpus: 2 })
    expect(foldChange(paused, CPUS, noteFor(CPUS, 10), NOW).patch).toEqual({ cpus: 12 })
  })

  it('gives the group the CPUs that its units had where nothing is noted, else all that no other group uses', () => {
    const paused = changed(mixed(), { cpus: 2 })
    expect(foldChange(paused, CPUS, undefined, NOW).patch).toEqual({ cpus: 12 })
    const withoutUnit = changed(mixed([unit(1, 1, ['a'])]), { cpus: 2 })
    expect(foldChange(withoutUnit, CPUS, undefined, NOW).patch).toEqual({ cpus: 16 })
  })
})

describe('the state of a processor', () => {
  const paused = changed(mixed(), pauseChange(mixed(), A, NOW).patch)

  it.each([
    ['folds', mixed(), [], 'fold'],
    ['is paused where that is noted', paused, [noteFor(A, 1)], 'pause'],
    ['is off where nothing is noted', paused, [], 'off'],
    ['finishes where that is noted', mixed(), [noteFor(A, 0, { state: 'finish' })], 'finish'],
    ['is paused with its group', changed(mixed(), { paused: true }), [], 'pause'],
    [
      'folds while its group waits for another one to finish',
      changed(mixed(), { finish: true }),
      [noteFor({ group: '', gpu: 'b' }, 0, { state: 'finish', isHolding: true })],
      'fold',
    ],
    ['finishes with its group', changed(mixed(), { finish: true }), [], 'finish'],
  ] as const)('%s', (_, data, notes, state) => {
    expect(processorState(data, A, notes)).toBe(state)
  })

  it('is unknown where its group is gone', () => {
    expect(processorState(mixed(), { group: 'gone' }, [])).toBeUndefined()
  })

  it('of CPUs follows what units get', () => {
    expect(processorState(changed(mixed(), { cpus: 2 }), CPUS, [noteFor(CPUS, 10)])).toBe('pause')
  })
})

describe('notes', () => {
  it('are dropped where the client shows that the processor folds, or has no such group', () => {
    const paused = changed(mixed(), pauseChange(mixed(), A, NOW).patch)
    expect(heldNotes(paused, [noteFor(A, 1)])).toHaveLength(1)
    expect(heldNotes(mixed(), [noteFor(A, 1), noteFor({ group: 'gone' }, 1)])).toEqual([])
  })

  it('are one for each processor', () => {
    expect(withNote([noteFor(A, 1)], noteFor(A, 2))).toEqual([noteFor(A, 2)])
  })

  it('of a client are replaced as a whole, and imported only where nothing is noted', () => {
    const note: ProcessorNote = { group: '', gpu: 'a', state: 'finish', cpus: 0, at: 1, by: 'anna' }
    const other: ProcessorNote = { group: '', state: 'pause', cpus: 4, at: 2 }
    const both = notesAfter({ m: [note] }, { type: 'processors.note', machine: 'm', notes: [other] })
    expect(both).toEqual({ m: [other] })
    expect(notesAfter(both, { type: 'processors.note', machine: 'm', notes: [] })).toEqual({})
    expect(notesAfter(both, { type: 'processors.import', processors: { m: [note], n: [note] } })).toEqual({
      m: [other],
      n: [note],
    })
    expect(notesAfter(both, { type: 'processors.import', processors: { m: [note] } })).toBe(both)
  })

  it('of other kinds, or too many, are not read', () => {
    const stored = { m: [noteFor(A, 1, { at: NOW + 0.5 })] }
    expect(parseProcessorNotes(stored)).toEqual(stored)
    for (const wrong of [null, { m: [{}] }, { m: [noteFor(A, -1)] }, { m: Array(101).fill(noteFor(A, 1)) }])
      expect(parseProcessorNotes(wrong)).toBeUndefined()
  })
})

describe('finishing one GPU', () => {
  const note = noteFor(A, 0, { state: 'finish' })
  const holding = { ...note, isHolding: true } as const
  const soon = (more: Partial<Unit> = {}) =>
    mixed([unit(1, 1, ['a'], { eta: '2 mins', ...more }), unit(2, 1, ['b']), unit(3, 10)])

  it('waits while its unit has more than three minutes', () => {
    expect(finishStep(mixed(), note, NOW)).toEqual({ kind: 'wait' })
  })

  it('has the group fetch nothing in the last three minutes of its unit', () => {
    expect(finishStep(soon(), note, NOW)).toEqual({ kind: 'hold', patch: { finish: true } })
    expect(finishStep(changed(soon(), { finish: true }), holding, NOW)).toEqual({ kind: 'wait' })
    // Not again while the client has not shown it, or somebody folds the group.
    expect(finishStep(soon(), holding, NOW)).toEqual({ kind: 'wait' })
  })

  it('has the group fetch again where its unit takes longer after all', () => {
    expect(finishStep(changed(soon({ eta: '5 mins' }), { finish: true }), holding, NOW)).toEqual({ kind: 'wait' })
    expect(finishStep(changed(mixed(), { finish: true }), holding, NOW)).toEqual({
      kind: 'release',
      cpus: 0,
      patch: { paused: false, finish: false },
    })
  })

  it('pauses the GPU and has the group fetch again when its unit has left the core', () => {
    const data = changed(soon({ state: 'UPLOAD' }), { finish: true })
    expect(finishStep(data, holding, NOW)).toEqual({
      kind: 'end',
      cpus: 1,
      patch: { cpus: 11, gpus: { a: { enabled: false } }, paused: false, finish: false },
    })
  })

  it('leaves a group that a person finishes or pauses alone', () => {
    expect(finishStep(changed(soon({ state: 'UPLOAD' }), { finish: true }), note, NOW)).toMatchObject({
      kind: 'end',
      patch: { cpus: 11, gpus: { a: { enabled: false } } },
    })
    expect(finishStep(changed(mixed(), { paused: true }), note, NOW)).toEqual({ kind: 'lost' })
    expect(finishStep(mixed(), { ...note, group: 'gone' }, NOW)).toEqual({ kind: 'lost' })
  })

  it('of several CPU units takes the CPUs of each that ends', () => {
    const cpus = { ...noteFor(CPUS, 0, { state: 'finish' }), isHolding: true } as const
    const data = changed(mixed([unit(1, 1, ['a']), unit(3, 4)]), { finish: true })
    expect(finishStep(data, cpus, NOW)).toEqual({
      kind: 'release',
      cpus: 7,
      patch: { cpus: 5, paused: false, finish: false },
    })
  })
})

describe('any group', () => {
  const ids = Object.keys(GPUS).filter(id => id !== 'old')
  const groups = fc.record({
    gpuCpus: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: ids.length }),
    cpuUnits: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }),
  })

  it('pauses and folds each GPU without disturbing other units, and fetches nothing for its CPUs', () => {
    fc.assert(
      fc.property(groups, ({ gpuCpus, cpuUnits }) => {
        const units = [
          ...gpuCpus.map((cpus, index) => unit(index, cpus, [ids[index] ?? ''])),
          ...cpuUnits.map((cpus, index) => unit(10 + index, cpus)),
        ]
        const cpus = units.reduce((sum, { cpus: used = 0 }) => sum + used, 0)
        const gpus = Object.fromEntries(gpuCpus.map((_, index) => [ids[index] ?? '', { enabled: true }]))
        const data = dataOf({ '': { cpus, gpus } }, { cpus: 32 }, units)
        const undisturbed = { held: [], restarted: [], freedCpus: 0 }
        for (const gpu of Object.keys(gpus)) {
          const processor = { group: '', gpu }
          const pause = pauseChange(data, processor, NOW)
          expect(disturbedUnits(data, processor, pause)).toEqual(undisturbed)
          const paused = changed(data, pause.patch)
          const fold = foldChange(paused, processor, noteFor(processor, -pause.cpus), NOW)
          expect(disturbedUnits(paused, processor, fold)).toEqual(undisturbed)
          expect(cpuShares(changed(paused, fold.patch), '')).toEqual(cpuShares(data, ''))
        }
      }),
    )
  })
})
