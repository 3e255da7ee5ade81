import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { BulkAction } from '../../../folding/fleet/bulk-action.ts'
import { bulkPartMachine } from '../bulk-part/bulk-part.machine.ts'
import { bulkMachine } from './bulk.machine.ts'
import { canUndo, isDraftComplete } from './bulk.draft.ts'
import {
  isBulkOpen,
  isBulkReady,
  isFormShown,
  isPreviewShown,
  isRunning,
  selectDraft,
  selectPlan,
  selectRun,
} from './bulk.selectors.ts'
import { pause, startMachines } from '../../../../test/machines/bulk.ts'

describe('a bulk action', () => {
  it('shows what it would do before it does it, and does nothing when it is cancelled', async () => {
    const { send, snapshot, commands } = await startMachines(['a', 'b'])
    send({ type: 'bulk.open', action: pause, ids: ['a', 'b', 'gone'] })
    expect([isPreviewShown(snapshot()), isBulkOpen(snapshot()), selectPlan(snapshot())?.counts]).toEqual([
      true,
      true,
      { change: 2, same: 0, excluded: 0, tooOld: 0, disconnected: 0, impossible: 0 },
    ])
    send({ type: 'bulk.cancel' })
    expect([isBulkReady(snapshot()), selectDraft(snapshot()), commands]).toEqual([true, undefined, []])
  })

  it('is confirmed by the data of each machine, and undone with what each had before', async () => {
    const machines = await startMachines(['a', 'b'])
    machines.send({ type: 'bulk.open', action: pause, ids: ['a', 'b'] }, { type: 'bulk.confirm' })
    expect(isRunning(machines.snapshot())).toBe(true)
    await machines.wait(1000)
    expect(machines.counts()).toMatchObject({ confirmed: 2, waiting: 0, asked: 0, ignored: 0 })
    expect([machines.isPaused('a'), canUndo(machines.snapshot())]).toEqual([true, true])
    expect([machines.broadcasts, machines.commands]).toEqual([['pause'], []])
    machines.send({ type: 'bulk.undo' })
    expect(selectPlan(machines.snapshot())?.counts.change).toBe(2)
    machines.send({ type: 'bulk.confirm' })
    await machines.wait(3000)
    expect([machines.isPaused('a'), machines.isPaused('b'), machines.counts()?.confirmed]).toEqual([false, false, 2])
    machines.send({ type: 'bulk.dismiss' })
    expect([selectRun(machines.snapshot()), canUndo(machines.snapshot())]).toEqual([undefined, false])
  })

  it('lists what was not confirmed, and asks these again', async () => {
    const machines = await startMachines(['a', 'deaf'], id => (id === 'deaf' ? 'deaf' : 'obeys'))
    machines.send({ type: 'bulk.quick', action: pause, ids: ['a', 'deaf'] })
    await machines.wait(12_000)
    expect(machines.counts()).toMatchObject({ confirmed: 1, ignored: 1 })
    machines.send({ type: 'bulk.retry' })
    expect([selectDraft(machines.snapshot())?.ids, selectDraft(machines.snapshot())?.isRetry]).toEqual([['deaf'], true])
    machines.send({ type: 'bulk.confirm' })
    await machines.wait(500)
    expect([machines.broadcasts, machines.commands.map(({ id }) => id)]).toEqual([['pause'], ['deaf']])
    machines.send({ type: 'bulk.stop' })
    expect(machines.counts()).toMatchObject({ confirmed: 1, ignored: 1, asked: 0 })
    expect(isBulkReady(machines.snapshot())).toBe(true)
  })

  it('asks each machine itself where others of the fleet are not concerned', async () => {
    const machines = await startMachines(['a', 'deaf', 'c'], id => (id === 'deaf' ? 'deaf' : 'obeys'))
    machines.send({ type: 'bulk.quick', action: pause, ids: ['a', 'deaf'] })
    await machines.wait(500)
    expect([machines.broadcasts, machines.commands.map(({ id }) => id)]).toEqual([[], ['a', 'deaf']])
    expect([machines.isPaused('c'), machines.counts()]).toMatchObject([false, { confirmed: 1, asked: 1 }])
    await machines.wait(10_000)
    expect(machines.counts()).toMatchObject({ confirmed: 1, ignored: 1 })
  })

  it('asks each machine itself when the relay does not take a command to all', async () => {
    const machines = await startMachines(['a', 'b'], undefined, { relay: 'refuses' })
    machines.send({ type: 'bulk.quick', action: pause, ids: ['a', 'b'] })
    await machines.wait(500)
    expect([machines.commands.map(({ id }) => id), machines.counts()?.confirmed]).toEqual([['a', 'b'], 2])
  })

  it('spares a machine that has changed since the preview, also when all are concerned', async () => {
    const machines = await startMachines(['a', 'b', 'c'])
    machines.setState('c', 'pause')
    await machines.wait(500)
    machines.send({ type: 'bulk.open', action: pause, ids: ['a', 'b', 'c'] })
    machines.setState('c', 'fold')
    await machines.wait(1500)
    machines.send({ type: 'bulk.confirm' })
    await machines.wait(1000)
    expect([machines.broadcasts, machines.counts()?.confirmed, machines.isPaused('c')]).toEqual([[], 2, false])
    expect(selectRun(machines.snapshot())?.skipped.map(({ id }) => id)).toEqual(['c'])
  })

  it('can be undone where it was stopped after a command to all, for those too whose turn had not come', async () => {
    const ids = Array.from({ length: 150 }, (_, index) => `m${index}`)
    const machines = await startMachines(ids)
    machines.send({ type: 'bulk.quick', action: pause, ids }, { type: 'bulk.stop' })
    expect(machines.counts()).toMatchObject({ ignored: 150, failed: 0 })
    await machines.wait(500)
    machines.send({ type: 'bulk.undo' })
    expect(selectPlan(machines.snapshot())?.counts.change).toBe(150)
  })

  it('stops before it is sent to machines whose turn has not come', async () => {
    const ids = Array.from({ length: 150 }, (_, index) => `m${index}`)
    const machines = await startMachines([...ids, 'other'])
    machines.send({ type: 'bulk.quick', action: pause, ids })
    await settled()
    machines.send({ type: 'bulk.stop' })
    await machines.wait(500)
    expect([machines.counts(), machines.commands.length]).toMatchObject([{ confirmed: 100, failed: 50 }, 100])
  })

  it('when it is stopped takes back what waits in the queue of a client', async () => {
    const machines = await startMachines(['a', 'b', 'other'], id => (id === 'b' ? 'deaf' : 'obeys'))
    machines.setState('a', 'finish')
    await settled()
    machines.send({ type: 'bulk.quick', action: pause, ids: ['a', 'b'] })
    await settled()
    expect(machines.counts()).toMatchObject({ waiting: 1, asked: 1 })
    machines.send({ type: 'bulk.stop' })
    expect(machines.counts()).toMatchObject({ failed: 1, ignored: 1 })
    await machines.wait(3000)
    expect(machines.commands.filter(({ id }) => id === 'a').map(({ command }) => command)).toEqual([
      { cmd: 'state', state: 'finish' },
    ])
  })

  it('gives machines a tag at once, those that are not connected too, and takes it back', async () => {
    const machines = await startMachines(['a', 'b', 'c'])
    machines.fleet.send({ type: 'relay.clientDisconnected', id: 'b', at: 2 })
    machines.send({ type: 'bulk.open', action: { kind: 'tags', mode: 'add', tag: '' }, ids: ['a', 'b'] })
    expect([isFormShown(machines.snapshot()), isDraftComplete(machines.snapshot())]).toEqual([true, false])
    machines.send(
      { type: 'bulk.edit', action: { kind: 'tags', mode: 'add', tag: ' attic ' } },
      { type: 'bulk.showPreview' },
      { type: 'bulk.confirm' },
    )
    expect([machines.tags(), machines.timesStored(), machines.counts()]).toMatchObject([
      { a: ['attic'], b: ['attic'] },
      1,
      { confirmed: 2 },
    ])
    machines.send(
      { type: 'bulk.open', action: { kind: 'tags', mode: 'remove', tag: 'ATTIC' }, ids: ['a', 'c'] },
      { type: 'bulk.showPreview' },
    )
    expect(selectPlan(machines.snapshot())?.counts).toMatchObject({ change: 1, same: 1 })
    machines.send({ type: 'bulk.confirm' })
    expect(machines.tags()).toEqual({ b: ['attic'] })
    machines.send({ type: 'bulk.undo' }, { type: 'bulk.confirm' })
    expect(machines.tags()).toEqual({ a: ['attic'], b: ['attic'] })
  })

  it('fails for a machine whose part of the page fails, and can be asked again', async () => {
    let isBroken = true
    const part = bulkPartMachine.provide({
      actions: {
        notifySent: () => {
          if (isBroken) throw new Error('a mistake')
        },
      },
    })
    const machines = await startMachines(['a', 'b'], undefined, { part })
    machines.send({ type: 'bulk.quick', action: pause, ids: ['a'] })
    await machines.wait(500)
    expect([machines.counts(), isBulkReady(machines.snapshot())]).toMatchObject([{ failed: 1 }, true])
    isBroken = false
    machines.setState('a', 'fold')
    await machines.wait(1500)
    machines.send({ type: 'bulk.retry' }, { type: 'bulk.confirm' })
    await machines.wait(1500)
    expect(machines.counts()).toMatchObject({ confirmed: 1, failed: 0 })
  })

  it('that needs a decision is shown first, also when it was to be done at once', async () => {
    const machines = await startMachines(['a'])
    machines.send({ type: 'bulk.quick', action: { ...pause, state: 'fold' }, ids: ['a'] })
    expect(isPreviewShown(machines.snapshot())).toBe(true)
    machines.send({ type: 'bulk.confirm' })
    expect(isRunning(machines.snapshot())).toBe(false)
    machines.send({ type: 'bulk.edit', action: pause }, { type: 'bulk.confirm' })
    expect(isRunning(machines.snapshot())).toBe(true)
  })

  it('with a form is shown when it is filled in, and can be changed', async () => {
    const machines = await startMachines(['a'])
    const form = (onIdle?: boolean): BulkAction => ({
      kind: 'settings',
      patch: { scope: { kind: 'all' }, ...(onIdle === undefined ? {} : { onIdle }) },
    })
    machines.send({ type: 'bulk.open', action: form(), ids: ['a'] }, { type: 'bulk.showPreview' })
    expect([isFormShown(machines.snapshot()), isDraftComplete(machines.snapshot())]).toEqual([true, false])
    machines.send({ type: 'bulk.edit', action: form(true) }, { type: 'bulk.showPreview' }, { type: 'bulk.showForm' })
    expect(isFormShown(machines.snapshot())).toBe(true)
    machines.send({ type: 'bulk.showPreview' }, { type: 'bulk.confirm' })
    await machines.wait(1000)
    expect(machines.counts()).toMatchObject({ confirmed: 1 })
    machines.send({ type: 'bulk.open', action: form(), ids: ['a'] }, { type: 'bulk.cancel' })
    expect(selectRun(machines.snapshot())).toBeDefined()
  })

  it('renames through the account, which is fetched again', async () => {
    const machines = await startMachines(['a', 'b'])
    machines.send(
      { type: 'bulk.open', action: { kind: 'rename', pattern: 'rack-{n}' }, ids: ['a', 'b'] },
      { type: 'bulk.showPreview' },
      { type: 'bulk.confirm' },
    )
    await machines.wait(1000)
    expect(machines.calls.map(call => call.kind === 'rename' && call.name)).toEqual(['rack-1', 'rack-2'])
    expect([machines.counts()?.confirmed, machines.told]).toEqual([2, ['account.refresh']])
  })

  it('ends for a machine that leaves meanwhile, and forgets all when the account is left', async () => {
    const machines = await startMachines(['a', 'b'], () => 'deaf')
    machines.send({ type: 'bulk.quick', action: pause, ids: ['a', 'b'] })
    await machines.wait(500)
    machines.actor.send({ type: 'bulk.machinesGone', machines: [{ id: 'a', name: 'a' }] })
    expect(machines.counts()).toMatchObject({ ignored: 1, asked: 1 })
    machines.actor.send({ type: 'bulk.reset' })
    expect([selectRun(machines.snapshot()), isBulkReady(machines.snapshot())]).toEqual([undefined, true])
  })

  it('follows a machine that is shown over another connection while it is prepared', async () => {
    const machines = await startMachines(['a', 'b', 'c'])
    machines.send({ type: 'bulk.open', action: pause, ids: ['a', 'b'] })
    machines.actor.send({
      type: 'bulk.machinesGone',
      machines: [
        { id: 'a', name: 'a' },
        { id: 'b', name: 'b', shownAs: 'c' },
      ],
    })
    expect(selectPlan(machines.snapshot())?.entries.map(({ id }) => id)).toEqual(['c'])
    await machines.wait(2000, 1000)
    expect(selectPlan(machines.snapshot())?.entries.map(({ id }) => id)).toEqual(['c'])
  })

  it('pauses a thousand machines within five seconds, and lists those that did not confirm', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `m${index}`)
    const deaf = new Set(['m3', 'm500', 'm999'])
    const machines = await startMachines(ids, id => (deaf.has(id) ? 'deaf' : 'obeys'))
    machines.send({ type: 'bulk.quick', action: pause, ids })
    await machines.wait(5000, 250)
    expect(machines.counts()).toMatchObject({ confirmed: 997, asked: 3 })
    expect(ids.filter(id => !machines.isPaused(id))).toEqual([...deaf])
    await machines.wait(8000, 1000)
    expect(machines.counts()).toMatchObject({ confirmed: 997, ignored: 3 })
    machines.send({ type: 'bulk.retry' })
    expect(new Set(selectDraft(machines.snapshot())?.ids)).toEqual(deaf)
  }, 60_000)

  it('reaches all its states', () => {
    const { unreached } = walkShortestPaths(bulkMachine, {
      events: [
        { type: 'bulk.open', action: pause, ids: [] },
        { type: 'bulk.open', action: { kind: 'rename', pattern: 'a' }, ids: [] },
        { type: 'bulk.quick', action: pause, ids: [] },
        { type: 'bulk.cancel' },
      ],
      context: ({ draft }) => draft?.action.kind,
    })
    // Without machines nothing can run: the other tests do that.
    expect(unreached).toEqual(['bulk.running'])
  })
})
