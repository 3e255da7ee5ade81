import { describe, expect, it } from 'vitest'
import { clientKey, traitsOf } from '../../../folding/client/client-key.ts'
import { LoadError, loadFaultTexts } from '../../../folding/shared/load-fault.ts'
import { fromCallback, fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { SIMULATION, type ArchivedClient } from '../../../folding/unit/archived-client.ts'
import { emptyHistory, newInReport, withExcerpt, type Excerpt } from '../../../folding/unit/history.ts'
import type { FileReading } from '../../../folding/unit/unit-file.ts'
import { leftOutReason } from '../../../folding/unit/unit-progress.ts'
import type { Unit } from '../../../protocol/client/client-data.ts'
import type {
  CutOffs,
  Exported,
  ExportTask,
  ImportTask,
  HistoryStoreCommand,
  HistoryStoreFact,
} from './history.events.ts'
import { historyMachine } from './history.machine.ts'
import {
  isHistoryAwaited,
  isHistoryComing,
  isHistoryLoading,
  isImportUndoable,
  selectDurability,
  selectStoredClient,
  selectStoredUnit,
  selectOutcome,
  selectRows,
  selectStoreFault,
} from './history.selectors.ts'

function ended(id: string, second: number): Unit {
  return {
    id,
    number: second,
    state: 'UPLOAD',
    result: 'credited',
    end_time: `2026-11-20T13:46:${second}Z`,
  }
}
const attic: ArchivedClient = { id: 'attic', name: 'Attic', owner: undefined, info: {} }
const cellar: ArchivedClient = { ...attic, id: 'cellar', name: 'Cellar', owner: 'ada' }
function excerptOf(client: ArchivedClient, ...units: readonly Unit[]): Excerpt {
  return newInReport(emptyHistory, client, units)
}
const nothing: Excerpt = { machines: [], units: [] }

function startHistory(reading: FileReading | Error = { ok: false, reason: 'No.' }, canWrite = true) {
  const sent: HistoryStoreCommand[] = []
  const exported: ExportTask[] = []
  const machine = historyMachine.provide({
    actors: {
      historyStore: fromCallback<HistoryStoreCommand, undefined>(({ receive }) =>
        receive(command => sent.push(command)),
      ),
      exportUnits: fromPromise<Exported, ExportTask>(({ input }) => {
        exported.push(input)
        return canWrite
          ? Promise.resolve({ count: input.excerpt.units.length, holdsMachineIds: input.withMachineIds })
          : Promise.reject(new Error('full'))
      }),
      importUnits: fromPromise<FileReading, ImportTask>(() =>
        reading instanceof Error ? Promise.reject(reading) : Promise.resolve(reading),
      ),
    },
  })
  const { actor, received, clock } = startChild(machine)
  const loaded = (excerpt: Excerpt, cutOffs: CutOffs = {}): void =>
    actor.send({ type: 'store.loaded', excerpt, cutOffs } satisfies HistoryStoreFact)
  return {
    actor,
    clock,
    sent,
    received,
    exported,
    loaded,
    /** Opened, with nothing kept. */
    open: () => {
      actor.send({ type: 'history.open' })
      loaded(nothing)
    },
    report: (from: ArchivedClient, ...units: readonly Unit[]) =>
      actor.send({ type: 'history.reported', connection: from.id, machine: from, units }),
    ids: () => selectRows(actor.getSnapshot()).map(({ unit }) => unit.id),
    snapshot: () => actor.getSnapshot(),
  }
}

describe('the history of units', () => {
  it('is read when it is first looked at, and clients are asked afterwards, once', () => {
    const { actor, sent, received, loaded, ids, snapshot } = startHistory()
    expect({ sent, isHistoryLoading: isHistoryLoading(snapshot()) }).toEqual({ sent: [], isHistoryLoading: true })
    actor.send({ type: 'history.open' })
    expect({ sent, received }).toEqual({ sent: [{ type: 'store.load' }], received: [] })
    loaded(excerptOf(attic, ended('a', 10)))
    actor.send({ type: 'history.open' })
    expect(sent.length).toBe(1)
    expect(received).toEqual([{ type: 'history.requested' }])
    expect(ids()).toEqual(['a'])
    expect(isHistoryLoading(snapshot())).toBe(false)
    expect(selectStoredUnit('a')(snapshot())?.machine).toBe('attic')
    expect(selectStoredUnit('b')(snapshot())).toBeUndefined()
    expect(selectStoredClient('attic')(snapshot())).toEqual(attic)
  })

  it('tells of ids that several computers have, before clients are asked', () => {
    const { actor, received, loaded } = startHistory()
    actor.send({ type: 'history.open' })
    loaded(
      excerptOf(
        { ...attic, id: clientKey('m', '', traitsOf({ hostname: 'attic' }), 'computer') ?? '' },
        ended('a', 10),
      ),
    )
    expect(received).toEqual([
      { type: 'history.clonesFound', clones: { m: 'computer' } },
      { type: 'history.requested' },
    ])
  })

  it('keeps what clients report, and writes only what is new', () => {
    const { sent, open, report, ids } = startHistory()
    open()
    report(attic, ended('a', 10), ended('b', 20))
    report(attic, ended('a', 10), ended('b', 20), ended('c', 30))
    report(attic, ended('c', 30))
    expect(ids()).toEqual(['c', 'b', 'a'])
    expect(sent.slice(1)).toEqual([
      { type: 'store.save', excerpt: excerptOf(attic, ended('a', 10), ended('b', 20)) },
      { type: 'store.save', excerpt: { machines: [], units: excerptOf(attic, ended('c', 30)).units } },
    ])
  })

  it('leaves a unit out of benchmarks with a reason until it is included again, and keeps both', () => {
    const { actor, sent, open, report, snapshot } = startHistory()
    open()
    report(attic, ended('a', 10))
    const key = excerptOf(attic, ended('a', 10)).units[0]?.key ?? ''
    const reasonOf = (): string | undefined => {
      const stored = selectStoredUnit('a')(snapshot())
      return stored === undefined ? undefined : leftOutReason(stored.unit)
    }
    actor.send({ type: 'history.leaveOut', key, reason: 'the computer slept' })
    expect(reasonOf()).toBe('the computer slept')
    actor.send({ type: 'history.leaveOut', key, reason: undefined })
    expect(reasonOf()).toBeUndefined()
    actor.send({ type: 'history.leaveOut', key: 'unknown', reason: 'nothing' })
    expect(sent.slice(2).map(({ type }) => type)).toEqual(['store.save', 'store.save'])
  })

  it('works without storage, and reports it', () => {
    const { actor, open, report, ids, snapshot } = startHistory()
    open()
    actor.send({ type: 'store.failed', trouble: 'full' })
    report(attic, ended('a', 10))
    expect({ ids: ids(), storeFault: selectStoreFault(snapshot()) }).toEqual({ ids: ['a'], storeFault: 'full' })
  })

  it('is kept by the browser on request, and says what the browser answers', () => {
    const { actor, sent, open, snapshot } = startHistory()
    open()
    expect(selectDurability(snapshot())).toBeUndefined()
    actor.send({ type: 'store.durabilityFound', durability: 'undecided' })
    expect(selectDurability(snapshot())).toBe('undecided')
    actor.send({ type: 'history.keep' })
    expect(sent.at(-1)).toEqual({ type: 'store.keep' })
  })

  it('when cleared is empty, and what clients still report of that time stays away', () => {
    const { actor, sent, open, report, ids } = startHistory()
    open()
    report(attic, ended('a', 10), ended('b', 20))
    report(cellar, ended('x', 40))
    actor.send({ type: 'history.clear' })
    expect(sent.at(-1)).toEqual({
      type: 'store.clear',
      cutOffs: { direct: Date.UTC(2026, 10, 20, 13, 46, 20), account: Date.UTC(2026, 10, 20, 13, 46, 40) },
    })
    report(attic, ended('a', 10), ended('b', 20), ended('c', 30))
    report(cellar, ended('y', 40))
    expect(ids()).toEqual(['c'])
    actor.send({ type: 'history.clear' })
    expect(sent.at(-1)).toEqual({
      type: 'store.clear',
      cutOffs: { direct: Date.UTC(2026, 10, 20, 13, 46, 30), account: Date.UTC(2026, 10, 20, 13, 46, 40) },
    })
  })

  it('stays cleared when it is read again', () => {
    const { actor, loaded, report, ids } = startHistory()
    actor.send({ type: 'history.open' })
    loaded(nothing, { direct: Date.UTC(2026, 10, 20, 13, 46, 20) })
    report(attic, ended('a', 10), ended('c', 30))
    expect(ids()).toEqual(['c'])
  })
})

describe('the answers of clients', () => {
  it('are awaited until each of them has come, also one without units, and before the stored units are loaded', () => {
    const { actor, open, report, snapshot } = startHistory()
    actor.send({ type: 'history.asked', connection: 'attic' })
    actor.send({ type: 'history.asked', connection: 'cellar' })
    expect(isHistoryAwaited(snapshot())).toBe(true)
    expect(isHistoryComing(snapshot())).toBe(true)
    report(attic, ended('a', 10))
    open()
    expect(isHistoryLoading(snapshot())).toBe(false)
    expect(isHistoryComing(snapshot())).toBe(true)
    report(cellar)
    expect(isHistoryAwaited(snapshot())).toBe(false)
    expect(isHistoryComing(snapshot())).toBe(false)
  })

  it('are awaited for ten seconds from the last question, since a client may know no history', () => {
    const { actor, clock, open, snapshot } = startHistory()
    open()
    actor.send({ type: 'history.asked', connection: 'attic' })
    clock.increment(9000)
    actor.send({ type: 'history.asked', connection: 'cellar' })
    clock.increment(9000)
    expect(isHistoryAwaited(snapshot())).toBe(true)
    clock.increment(1000)
    expect(isHistoryAwaited(snapshot())).toBe(false)
  })
})

describe('whose history it is', () => {
  it('leaves nothing of an account behind when it is left, and keeps what was seen directly', () => {
    const { actor, sent, open, report, ids } = startHistory()
    open()
    actor.send({ type: 'history.accountSignedIn', account: 'ada' })
    report(attic, ended('a', 10))
    report(cellar, ended('b', 20))
    actor.send({ type: 'history.accountSignedOut' })
    expect(ids()).toEqual(['a'])
    expect(sent.at(-1)).toEqual({ type: 'store.deleteOthers', account: undefined })
    report(cellar, ended('c', 30))
    expect(ids()).toEqual(['a'])
  })

  it('keeps what simulated clients did apart until one of them is there, and through accounts', () => {
    const { actor, loaded } = startHistory()
    const robot: ArchivedClient = { ...attic, id: 'robot', owner: SIMULATION }
    const rows = (): readonly string[] =>
      [...actor.getSnapshot().context.history.units.values()].map(({ unit }) => unit.id ?? '')
    actor.send({ type: 'history.open' })
    const real = excerptOf(attic, ended('a', 10))
    const apart = excerptOf(robot, ended('r', 11))
    loaded({ machines: [...real.machines, ...apart.machines], units: [...real.units, ...apart.units] })
    actor.send({ type: 'history.accountSignedIn', account: 'ada' })
    expect(rows()).toEqual(['a'])
    actor.send({ type: 'history.reported', connection: '__direct__', machine: robot, units: [ended('s', 12)] })
    actor.send({ type: 'history.accountSignedOut' })
    expect(rows().toSorted()).toEqual(['a', 'r', 's'])
  })

  it('shows no rows of another account, regardless of the order of events', () => {
    const early = startHistory()
    early.actor.send({ type: 'history.accountSignedIn', account: 'bob' })
    early.actor.send({ type: 'history.open' })
    early.loaded({
      machines: [attic, cellar],
      units: [...excerptOf(attic, ended('a', 10)).units, ...excerptOf(cellar, ended('b', 20)).units],
    })
    expect(early.ids()).toEqual(['a'])
    expect(early.sent[0]).toEqual({ type: 'store.deleteOthers', account: 'bob' })

    const late = startHistory()
    late.open()
    late.report(cellar, ended('b', 20))
    expect(late.ids()).toEqual(['b'])
    late.actor.send({ type: 'history.accountSignedIn', account: 'bob' })
    expect(late.ids()).toEqual([])
  })

  it('deletes the cut-off of an account together with the account', () => {
    const { actor, open, report, ids } = startHistory()
    open()
    actor.send({ type: 'history.accountSignedIn', account: 'ada' })
    report(attic, ended('a', 10))
    report(cellar, ended('b', 20))
    actor.send({ type: 'history.clear' })
    actor.send({ type: 'history.accountSignedOut' })
    actor.send({ type: 'history.accountSignedIn', account: 'ada' })
    report(attic, ended('a', 10))
    report(cellar, ended('b', 20))
    expect(ids()).toEqual(['b'])
  })

  it('notifies the store once, however often the account is refreshed', () => {
    const { actor, sent } = startHistory()
    actor.send({ type: 'history.accountSignedIn', account: 'ada' })
    actor.send({ type: 'history.accountSignedIn', account: 'ada' })
    expect(sent).toHaveLength(1)
  })
})

describe('files', () => {
  it('hold what is shown, in the order in which it is shown', async () => {
    const { actor, exported, open, report, snapshot } = startHistory()
    open()
    report(attic, ended('a', 10), ended('b', 20))
    report(cellar, ended('c', 30))
    actor.send({
      type: 'history.export',
      format: 'csv',
      view: { filter: { machine: 'Attic' }, sort: undefined },
      at: 0,
    })
    expect(snapshot().hasTag('busy')).toBe(true)
    await settled()
    expect(exported).toEqual([
      {
        format: 'csv',
        withMachineIds: false,
        excerpt: { machines: [attic], units: excerptOf(attic, ended('b', 20), ended('a', 10)).units },
      },
    ])
    expect(selectOutcome(snapshot())).toEqual({ kind: 'exported', count: 2, holdsMachineIds: false })
    actor.send({ type: 'history.dismiss' })
    expect(selectOutcome(snapshot())).toBeUndefined()
  })

  it('name clients by their ids where they are to be imported again, or where that was asked for', async () => {
    const { actor, exported, open, snapshot } = startHistory()
    open()
    const view = { filter: {}, sort: undefined }
    for (const wanted of [{ format: 'json' as const }, { format: 'csv' as const, withMachineIds: true }]) {
      actor.send({ type: 'history.export', view, at: 0, ...wanted })
      await settled()
      expect(selectOutcome(snapshot())).toMatchObject({ holdsMachineIds: true })
    }
    expect(exported.map(({ withMachineIds: withClientIds }) => withClientIds)).toEqual([true, true])
  })

  it('that cannot be written are said to be so', async () => {
    const { actor, open, snapshot } = startHistory(undefined, false)
    open()
    actor.send({ type: 'history.export', format: 'csv', view: { filter: {}, sort: undefined }, at: 0 })
    await settled()
    expect(snapshot().hasTag('busy')).toBe(false)
    expect(selectOutcome(snapshot())).toEqual({ kind: 'refused', reason: 'The file could not be written.' })
  })

  it('are taken back, but for what was known before', async () => {
    const file: FileReading = { ok: true, unusable: 0, excerpt: excerptOf(cellar, ended('a', 10)) }
    const { actor, sent, open, report, ids, snapshot } = startHistory(file)
    open()
    report(attic, ended('b', 20))
    actor.send({ type: 'history.undoImport' })
    actor.send({ type: 'history.import', file: new Blob() })
    await settled()
    expect(ids()).toEqual(['b', 'a'])
    expect(isImportUndoable(snapshot())).toBe(true)
    actor.send({ type: 'history.undoImport' })
    expect(ids()).toEqual(['b'])
    expect(isImportUndoable(snapshot())).toBe(false)
    expect(selectOutcome(snapshot())).toBeUndefined()
    expect(selectStoredClient('cellar')(snapshot())).toBeUndefined()
    expect(sent.at(-1)).toEqual({ type: 'store.remove', excerpt: file.excerpt })
  })

  it('add what is new in them, also of a time that was cleared, and say what they brought', async () => {
    const file: FileReading = {
      ok: true,
      unusable: 3,
      excerpt: excerptOf({ ...attic, name: 'Somebody’s' }, ended('a', 10), ended('b', 20)),
    }
    const { actor, sent, open, report, ids, snapshot } = startHistory(file)
    open()
    report(attic, ended('b', 20))
    actor.send({ type: 'history.clear' })
    report(attic, ended('c', 30))
    actor.send({ type: 'history.import', file: new Blob() })
    await settled()
    expect(ids()).toEqual(['c', 'b', 'a'])
    expect(selectOutcome(snapshot())).toEqual({ kind: 'imported', added: 2, known: 0, unusable: 3 })
    expect(selectRows(snapshot())[0]?.machine).toBe('Attic')
    expect(sent.at(-1)).toMatchObject({
      type: 'store.save',
      excerpt: { machines: [], units: [{ key: 'attic a' }, { key: 'attic b' }] },
    })
    actor.send({ type: 'history.import', file: new Blob() })
    await settled()
    expect(selectOutcome(snapshot())).toEqual({ kind: 'imported', added: 0, known: 2, unusable: 3 })
    expect(isImportUndoable(snapshot())).toBe(false)
  })

  it.each([
    [{ ok: false, reason: 'The file is not JSON.' } as const, 'The file is not JSON.'],
    [new Error('gone'), 'The file could not be read.'],
    [new LoadError('newVersion'), loadFaultTexts.newVersion],
  ])('that cannot be read are refused in words', async (reading, reason) => {
    const { actor, open, snapshot } = startHistory(reading)
    open()
    actor.send({ type: 'history.import', file: new Blob() })
    await settled()
    expect(selectOutcome(snapshot())).toEqual({ kind: 'refused', reason })
    expect(selectRows(snapshot())).toEqual([])
  })
})

describe('the paths of the history', () => {
  it('keeps what clients report while it reads what is stored, and writes only what is new', () => {
    const { actor, sent, loaded, report, ids } = startHistory()
    actor.send({ type: 'history.open' })
    report(attic, ended('a', 10), ended('b', 20))
    report(attic, ended('c', 30))
    expect({ ids: ids(), sent }).toEqual({ ids: [], sent: [{ type: 'store.load' }] })
    loaded(excerptOf(attic, ended('a', 10)))
    expect(ids()).toEqual(['c', 'b', 'a'])
    expect(sent.slice(1)).toEqual([
      { type: 'store.save', excerpt: { machines: [], units: excerptOf(attic, ended('b', 20)).units } },
      { type: 'store.save', excerpt: { machines: [], units: excerptOf(attic, ended('c', 30)).units } },
    ])
  })

  it('lead through all its states, and nothing of another account is ever in it', () => {
    const both = withExcerpt(
      withExcerpt(emptyHistory, excerptOf(attic, ended('a', 10))),
      excerptOf(cellar, ended('b', 20)),
    )
    const excerpt = { machines: [...both.machines.values()], units: [...both.units.values()] }
    const exporting = '0.history.files.exporting'
    const importing = '0.history.files.importing'
    const { ends, unreached } = walkShortestPaths(historyMachine, {
      events: [
        { type: 'history.open' },
        { type: 'store.loaded', excerpt, cutOffs: {} },
        { type: 'store.failed', trouble: 'unavailable' },
        { type: 'store.durabilityFound', durability: 'volatile' },
        { type: 'history.keep' },
        { type: 'history.asked', connection: 'cellar' },
        { type: 'history.reported', connection: 'cellar', machine: cellar, units: [ended('c', 30)] },
        { type: 'history.want', reader: 'units', machines: 'all' },
        { type: 'history.accountSignedIn', account: 'ada' },
        { type: 'history.accountSignedIn', account: 'bob' },
        { type: 'history.accountSignedOut' },
        { type: 'history.clear' },
        { type: 'history.export', format: 'json', view: { filter: {}, sort: undefined }, at: 0 },
        { type: 'history.import', file: new Blob() },
        { type: `xstate.done.actor.${exporting}`, actorId: exporting, output: { count: 2, holdsMachineIds: true } },
        {
          type: `xstate.done.actor.${importing}`,
          actorId: importing,
          output: { ok: true, excerpt: excerptOf(attic, ended('d', 40)), unusable: 0 },
        },
      ],
      silence: ['notifyRequested'],
      context: ({ history, account, storeFault, wanted }) => [[...history.units.keys()], account, storeFault, wanted],
    })
    // It needs a fleet: history.requests.test.ts.
    expect(unreached).toEqual(['history.stored.loaded.asking'])
    for (const {
      snapshot: { context },
      path,
    } of ends)
      for (const { owner } of context.history.machines.values())
        if (context.account !== undefined && owner !== undefined) expect(owner, path).toBe(context.account)
  })
})
