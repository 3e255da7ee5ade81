import { describe, expect, it } from 'vitest'
import { after, commandsOf, dataOf, effectOf, stateAction, viewOf, WORLD } from '../../../test/folding/bulk.ts'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { completeCommand, type FoldingState } from '../../protocol/client/commands.ts'
import type { ProcessorNote } from '../client/processor-notes.ts'
import type { BulkAction, BulkEffect, ProcessorChoice } from './bulk-action.ts'
import { effectText } from './bulk-text.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const A = { group: '', gpu: 'a' } as const
const PAUSED: ProcessorNote = { ...A, state: 'pause', cpus: 1, at: NOW }

function unit(number: number, cpus: number, gpus: readonly string[] = [], maxCpus = cpus): Unit {
  return {
    id: `u${number}`,
    number,
    state: 'RUN',
    pid: 1,
    cpus,
    gpus,
    eta: '1 hour 00 mins',
    assignment: { min_cpus: 1, max_cpus: maxCpus },
  }
}

const folding = dataOf({ '': { paused: false, finish: false, cpus: 11, gpus: { a: { enabled: true } } } }, {}, [
  unit(1, 1, ['a']),
  unit(2, 10, [], 10),
])

function action(
  state: FoldingState,
  which: ProcessorChoice = { kind: 'one', processor: A, name: 'RTX 4090' },
): BulkAction {
  return { kind: 'processor', state, which }
}

function effect(done: BulkAction, data: ClientData, notes: readonly ProcessorNote[] = []): BulkEffect {
  return effectOf(done, viewOf(data), { ...WORLD, processors: { m: notes }, now: NOW })
}

function noted(found: BulkEffect): readonly ProcessorNote[] | undefined {
  return found.kind === 'change' ? found.noted?.notes : undefined
}

function obeyed(data: ClientData, found: BulkEffect): ClientData {
  return after(
    data,
    commandsOf(found).map(command => completeCommand(command, data)),
  )
}

describe('one GPU', () => {
  const pause = effect(action('pause'), folding)
  const paused = obeyed(folding, pause)

  it('is paused with one command, which is noted with the CPUs that leave the group', () => {
    expect(commandsOf(pause)).toEqual([
      {
        cmd: 'config',
        config: { groups: { '': { cpus: 10, gpus: { a: { enabled: false } } } } },
        keepsOtherGpus: true,
      },
    ])
    expect(noted(pause)).toEqual([PAUSED])
    expect(effectText(pause)).toBe('RTX 4090: folding → paused')
  })

  it('is folded again, and nothing stays noted', () => {
    const fold = effect(action('fold'), paused, [PAUSED])
    expect(obeyed(paused, fold)).toEqual(folding)
    expect(noted(fold)).toEqual([])
  })

  it('is given back by an undo together with what was noted', () => {
    const fold = effect(action('fold'), paused, [PAUSED])
    const before = fold.kind === 'change' ? fold.before : undefined
    if (before === undefined) throw new Error('It cannot be undone.')
    const undo = effect({ kind: 'undo', of: 'processor', before: { m: before } }, folding)
    expect(obeyed(folding, undo)).toEqual(paused)
    expect(noted(undo)).toEqual([PAUSED])
  })

  it('finishes by a note alone, which says that the page has to stay open', () => {
    const finish = effect(action('finish'), folding)
    expect(finish).toMatchObject({ kind: 'change', work: { kind: 'note' } })
    expect(noted(finish)).toEqual([{ ...A, state: 'finish', cpus: 0, at: NOW }])
    expect(effectText(finish)).toMatch(/keep this page open/)
  })

  it('needs no open page where it is reached through a server that watches', () => {
    const world = { ...WORLD, now: NOW, isServed: true }
    const limit = { commands: ['config'], because: 'settings' } as const
    expect(effectOf(action('finish'), viewOf(folding, { limit }), world)).toMatchObject({ costs: [] })
    expect(effectText(effectOf(action('finish'), viewOf(folding), world))).toMatch(/keep this page open/)
  })

  it('that finishes goes on when it is folded, and its group fetches again', () => {
    const holding: ProcessorNote = { ...A, state: 'finish', cpus: 0, at: NOW, isHolding: true }
    const held = after(folding, [{ cmd: 'state', state: 'finish' }])
    const fold = effect(action('fold'), held, [holding])
    expect(obeyed(held, fold).groups['']?.config?.finish).toBe(false)
    expect(noted(fold)).toEqual([])
  })

  it('finishes with its group where that has nothing else', () => {
    const alone = dataOf({ '': { paused: false, cpus: 1, gpus: { a: { enabled: true } } } }, {}, [unit(1, 1, ['a'])])
    expect(commandsOf(effect(action('finish'), alone))).toEqual([{ cmd: 'state', state: 'finish' }])
  })

  it('names a unit that starts again, and CPUs for which new work is fetched', () => {
    const crowded = dataOf({ '': { paused: false, cpus: 4, gpus: { a: { enabled: true } } } }, { cpus: 4 }, [
      unit(1, 1, ['a']),
      unit(2, 2, [], 2),
    ])
    expect(effectText(effect(action('pause'), crowded))).toBe('RTX 4090: folding → paused')
    const several = dataOf(
      { '': { paused: false, cpus: 2, gpus: { a: { enabled: true }, b: { enabled: true } } } },
      { cpus: 2 },
      [unit(1, 1, ['a']), unit(2, 1, ['b', 'a'])],
    )
    expect(effect(action('pause'), several)).toMatchObject({ kind: 'change' })
  })

  it.each([
    ['is paused already', paused, [PAUSED], 'pause', 'Already so'],
    ['folds already', folding, [], 'fold', 'Already so'],
    [
      'has a group that is paused',
      after(folding, [{ cmd: 'state', state: 'pause' }]),
      [],
      'fold',
      /whole group is paused/,
    ],
    [
      'has a group that finishes',
      after(folding, [{ cmd: 'state', state: 'finish' }]),
      [],
      'fold',
      /whole group is finishing/,
    ],
    ['is gone', dataOf({ '': { cpus: 4 } }), [], 'pause', 'It is no longer there.'],
    ['is of a client without groups', dataOf({}), [], 'pause', 'It reports no resource groups.'],
  ] as const)('is left alone where it %s', (_, data, notes, state, text) => {
    const found = effect(action(state), data, notes)
    expect(found.kind).not.toBe('change')
    expect(effectText(found)).toMatch(text)
  })
})

describe('GPUs of a model, and CPUs', () => {
  it('are paused in all groups', () => {
    const found = effect(action('pause', { kind: 'model', model: 'RTX 4090' }), folding)
    expect(noted(found)).toEqual([PAUSED])
    const cpus = effect(action('pause', { kind: 'cpus' }), folding)
    expect(commandsOf(cpus)).toEqual([{ cmd: 'config', config: { groups: { '': { cpus: 1 } } } }])
  })

  it('are not there on every client', () => {
    expect(effectText(effect(action('pause', { kind: 'model', model: 'RTX 9' }), folding))).toBe('It has no RTX 9.')
    const gpuOnly = dataOf({ '': { cpus: 1, gpus: { a: { enabled: true } } } }, {}, [unit(1, 1, ['a'])])
    expect(effectText(effect(action('pause', { kind: 'cpus' }), gpuOnly))).toBe('It computes nothing on CPUs.')
  })
})

describe('folding a whole client', () => {
  const paused = obeyed(folding, effect(action('pause'), folding))

  it('folds what was paused by itself, which is named before', () => {
    const fold = effect(stateAction('fold'), paused, [PAUSED])
    expect(fold).toMatchObject({ kind: 'change', resumed: ['RTX 4090'] })
    expect(obeyed(paused, fold)).toEqual(folding)
    expect(noted(fold)).toEqual([])
  })

  it('leaves it paused if that is wanted', () => {
    expect(effect(stateAction('fold', true), paused, [PAUSED])).toEqual({ kind: 'same', kept: ['RTX 4090'] })
  })

  it('folds it together with its paused group', () => {
    const all = after(paused, [{ cmd: 'state', state: 'pause' }])
    const fold = effect(stateAction('fold'), all, [PAUSED])
    expect(obeyed(all, fold)).toEqual(folding)
  })

  it('does not enable what the settings disable', () => {
    const off = dataOf({ '': { paused: true, cpus: 4, gpus: { a: { enabled: false } } } })
    expect(commandsOf(effect(stateAction('fold'), off))).toEqual([{ cmd: 'state', state: 'fold' }])
  })
})
