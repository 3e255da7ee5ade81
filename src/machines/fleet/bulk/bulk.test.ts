import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { BulkAction } from '../../../folding/fleet/bulk-action.ts'
import type { FoldingState } from '../../../protocol/client/commands.ts'
import { bulkPartMachine } from '../bulk-part/bulk-part.machine.ts'
import { bulkMachine } from './bulk.machine.ts'
import { canUndo, isDraftComplete } from './bulk.draft.ts'
import { isBulkOpen, selectRun } from './bulk.selectors.ts'
import { pause, START, startClients } from '../../../../test/machines/bulk.ts'

describe('a bulk action', () => {
  it('shows what it would do before it does it, and does nothing when it is cancelled', async () => {
    const { send, snapshot, commands } = await startClients(['a', 'b'])
    send({ type: 'bulk.open', action: pause, ids: ['a', 'b', 'gone'] })
    expect(snapshot().hasTag('preview')).toBe(true)
    expect(isBulkOpen(snapshot())).toBe(true)
    expect(snapshot().context.plan?.counts).toEqual({
      change: 2,
      same: 0,
      excluded: 0,
      tooOld: 0,
      disconnected: 0,
      impossible: 0,
    })
    send({ type: 'bulk.cancel' })
    expect(snapshot().hasTag('ready')).toBe(true)
    expect(snapshot().context.draft).toBeUndefined()
    expect(commands).toEqual([])
  })

  it('is confirmed by the data of each client, and undone with what each had before', async () => {
    const clients = await startClients(['a', 'b'])
    clients.send({ type: 'bulk.open', action: pause, ids: ['a', 'b'] }, { type: 'bulk.confirm' })
    expect(clients.snapshot().hasTag('running')).toBe(true)
    await clients.wait(1000)
    expect(clients.counts()).toMatchObject({ confirmed: 2, waiting: 0, asked: 0, ignored: 0 })
    expect(clients.isPaused('a')).toBe(true)
    expect(canUndo(clients.snapshot())).toBe(true)
    expect(clients.broadcasts).toEqual(['pause'])
    expect(clients.commands).toEqual([])
    clients.send({ type: 'bulk.undo' })
    expect(clients.snapshot().hasTag('running')).toBe(true)
    await clients.wait(3000)
    expect(clients.isPaused('a')).toBe(false)
    expect(clients.isPaused('b')).toBe(false)
    expect(clients.counts()?.confirmed).toBe(2)
    clients.send({ type: 'bulk.dismiss' })
    expect(selectRun(clients.snapshot())).toBeUndefined()
    expect(canUndo(clients.snapshot())).toBe(false)
  })

  it('lists what was not confirmed, and asks these again', async () => {
    const clients = await startClients(['a', 'deaf'], id => (id === 'deaf' ? 'deaf' : 'obeys'))
    clients.send({ type: 'bulk.quick', action: pause, ids: ['a', 'deaf'] })
    await clients.wait(12_000)
    expect(clients.counts()).toMatchObject({ confirmed: 1, ignored: 1 })
    clients.send({ type: 'bulk.retry' })
    expect(clients.snapshot().context.draft?.ids).toEqual(['deaf'])
    expect(clients.snapshot().context.draft?.isRetry).toBe(true)
    clients.send({ type: 'bulk.confirm' })
    await clients.wait(500)
    expect(clients.broadcasts).toEqual(['pause'])
    expect(clients.commands.map(({ id }) => id)).toEqual(['deaf'])
    clients.send({ type: 'bulk.stop' })
    expect(clients.counts()).toMatchObject({ confirmed: 1, ignored: 1, asked: 0 })
    expect(clients.snapshot().hasTag('ready')).toBe(true)
  })

  it('asks at once for what is pressed while another action runs, so that the last press counts', async () => {
    const clients = await startClients(['a', 'b'])
    clients.setState('a', 'pause')
    await clients.wait(1500)
    clients.commands.splice(0)
    const quick = (state: FoldingState, group?: string) =>
      clients.send({
        type: 'bulk.quick',
        action: { kind: 'state', state, keepsPaused: false },
        ids: ['a'],
        ...(group === undefined ? {} : { group }),
      })
    quick('fold')
    quick('pause')
    await clients.wait(4000)
    expect(clients.isPaused('a')).toBe(true)
    quick('fold', '')
    await clients.wait(1500)
    expect(clients.isPaused('a')).toBe(false)
    expect(clients.commands.map(({ command }) => ('group' in command ? command.group : undefined)).at(-1)).toBe('')
  })

  it('shows what is to be decided of other presses after the action that runs, one after another', async () => {
    const clients = await startClients(['a', 'b', 'c'])
    const paused = { config: { paused: true } }
    for (const id of ['b', 'c'])
      clients.fleet.getSnapshot().context.members[id]?.ref.send({
        type: 'link.reported',
        at: START,
        facts: [{ type: 'changes.received', changes: [['groups', 'night', paused]] }],
      })
    clients.send({ type: 'bulk.quick', action: pause, ids: ['a'] })
    const fold: BulkAction = { kind: 'state', state: 'fold', keepsPaused: false }
    for (const id of ['c', 'b', 'c']) clients.send({ type: 'bulk.quick', action: fold, ids: [id] })
    expect(clients.snapshot().hasTag('running')).toBe(true)
    await clients.wait(1500)
    for (const id of ['b', 'c']) {
      expect(clients.snapshot().hasTag('preview')).toBe(true)
      expect(clients.snapshot().context.draft?.ids).toEqual([id])
      clients.send({ type: 'bulk.cancel' })
    }
    expect(clients.snapshot().hasTag('ready')).toBe(true)
  })

  it('asks each client itself where others of the fleet are not concerned', async () => {
    const clients = await startClients(['a', 'deaf', 'c'], id => (id === 'deaf' ? 'deaf' : 'obeys'))
    clients.send({ type: 'bulk.quick', action: pause, ids: ['a', 'deaf'] })
    await clients.wait(500)
    expect(clients.broadcasts).toEqual([])
    expect(clients.commands.map(({ id }) => id)).toEqual(['a', 'deaf'])
    expect(clients.isPaused('c')).toBe(false)
    expect(clients.counts()).toMatchObject({ confirmed: 1, asked: 1 })
    await clients.wait(10_000)
    expect(clients.counts()).toMatchObject({ confirmed: 1, ignored: 1 })
  })

  it('asks each client itself when the relay does not take a command to all', async () => {
    const clients = await startClients(['a', 'b'], undefined, { relay: 'refuses' })
    clients.send({ type: 'bulk.quick', action: pause, ids: ['a', 'b'] })
    await clients.wait(500)
    expect(clients.commands.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(clients.counts()?.confirmed).toBe(2)
  })

  it('spares a client that has changed since the preview, also when all are concerned', async () => {
    const clients = await startClients(['a', 'b', 'c'])
    clients.setState('c', 'pause')
    await clients.wait(500)
    clients.send({ type: 'bulk.open', action: pause, ids: ['a', 'b', 'c'] })
    clients.setState('c', 'fold')
    await clients.wait(1500)
    clients.send({ type: 'bulk.confirm' })
    await clients.wait(1000)
    expect(clients.broadcasts).toEqual([])
    expect(clients.counts()?.confirmed).toBe(2)
    expect(clients.isPaused('c')).toBe(false)
    expect(selectRun(clients.snapshot())?.skipped.map(({ id }) => id)).toEqual(['c'])
  })

  it('can be undone where it was stopped after a command to all, for those too whose turn had not come', async () => {
    const ids = Array.from({ length: 150 }, (_, index) => `m${index}`)
    const clients = await startClients(ids)
    clients.send({ type: 'bulk.quick', action: pause, ids }, { type: 'bulk.stop' })
    expect(clients.counts()).toMatchObject({ ignored: 150, failed: 0 })
    await clients.wait(500)
    clients.send({ type: 'bulk.undo' })
    expect(clients.counts()).toMatchObject({ waiting: 150 })
  })

  it('stops before it is sent to clients whose turn has not come', async () => {
    const ids = Array.from({ length: 150 }, (_, index) => `m${index}`)
    const clients = await startClients([...ids, 'other'])
    clients.send({ type: 'bulk.quick', action: pause, ids })
    await settled()
    clients.send({ type: 'bulk.stop' })
    await clients.wait(500)
    expect(clients.counts()).toMatchObject({ confirmed: 100, failed: 50 })
    expect(clients.commands.length).toBe(100)
  })

  it('when it is stopped takes back what waits in the queue of a client', async () => {
    const clients = await startClients(['a', 'b', 'other'], id => (id === 'b' ? 'deaf' : 'obeys'))
    clients.setState('a', 'finish')
    await settled()
    clients.send({ type: 'bulk.quick', action: pause, ids: ['a', 'b'] })
    await settled()
    expect(clients.counts()).toMatchObject({ waiting: 1, asked: 1 })
    clients.send({ type: 'bulk.stop' })
    expect(clients.counts()).toMatchObject({ failed: 1, ignored: 1 })
    await clients.wait(3000)
    expect(clients.commands.filter(({ id }) => id === 'a').map(({ command }) => command)).toEqual([
      { cmd: 'state', state: 'finish' },
    ])
  })

  it('gives clients a tag at once, those that are not connected too, and takes it back', async () => {
    const clients = await startClients(['a', 'b', 'c'])
    clients.fleet.send({ type: 'relay.clientDisconnected', id: 'b', at: 2 })
    clients.send({ type: 'bulk.open', action: { kind: 'tags', mode: 'add', tag: '' }, ids: ['a', 'b'] })
    expect(clients.snapshot().hasTag('form')).toBe(true)
    expect(isDraftComplete(clients.snapshot())).toBe(false)
    clients.send(
      { type: 'bulk.edit', action: { kind: 'tags', mode: 'add', tag: ' attic ' } },
      { type: 'bulk.showPreview' },
      { type: 'bulk.confirm' },
    )
    expect(clients.tags()).toMatchObject({ a: ['attic'], b: ['attic'] })
    expect(clients.timesStored()).toBe(1)
    expect(clients.counts()).toMatchObject({ confirmed: 2 })
    clients.send(
      { type: 'bulk.open', action: { kind: 'tags', mode: 'remove', tag: 'ATTIC' }, ids: ['a', 'c'] },
      { type: 'bulk.showPreview' },
    )
    expect(clients.snapshot().context.plan?.counts).toMatchObject({ change: 1, same: 1 })
    clients.send({ type: 'bulk.confirm' })
    expect(clients.tags()).toEqual({ b: ['attic'] })
    clients.send({ type: 'bulk.undo' })
    expect(clients.tags()).toEqual({ a: ['attic'], b: ['attic'] })
  })

  it('fails for a client whose part of the page fails, and can be asked again', async () => {
    let isBroken = true
    const part = bulkPartMachine.provide({
      actions: {
        notifySent: () => {
          if (isBroken) throw new Error('a mistake')
        },
      },
    })
    const clients = await startClients(['a', 'b'], undefined, { part })
    clients.send({ type: 'bulk.quick', action: pause, ids: ['a'] })
    await clients.wait(500)
    expect(clients.counts()).toMatchObject({ failed: 1 })
    expect(clients.snapshot().hasTag('ready')).toBe(true)
    isBroken = false
    clients.setState('a', 'fold')
    await clients.wait(1500)
    clients.send({ type: 'bulk.retry' }, { type: 'bulk.confirm' })
    await clients.wait(1500)
    expect(clients.counts()).toMatchObject({ confirmed: 1, failed: 0 })
  })

  it('that needs a decision is shown first, also when it was to be done at once', async () => {
    const clients = await startClients(['a'])
    clients.send({ type: 'bulk.quick', action: { ...pause, state: 'fold' }, ids: ['a'] })
    expect(clients.snapshot().hasTag('preview')).toBe(true)
    clients.send({ type: 'bulk.confirm' })
    expect(clients.snapshot().hasTag('running')).toBe(false)
    clients.send({ type: 'bulk.edit', action: pause }, { type: 'bulk.confirm' })
    expect(clients.snapshot().hasTag('running')).toBe(true)
  })

  it('with a form is shown when it is filled in, and can be changed', async () => {
    const clients = await startClients(['a'])
    const form = (onIdle?: boolean): BulkAction => ({
      kind: 'settings',
      patch: { scope: { kind: 'all' }, ...(onIdle === undefined ? {} : { onIdle }) },
    })
    clients.send({ type: 'bulk.open', action: form(), ids: ['a'] }, { type: 'bulk.showPreview' })
    expect(clients.snapshot().hasTag('form')).toBe(true)
    expect(isDraftComplete(clients.snapshot())).toBe(false)
    clients.send({ type: 'bulk.edit', action: form(true) }, { type: 'bulk.showPreview' }, { type: 'bulk.showForm' })
    expect(clients.snapshot().hasTag('form')).toBe(true)
    clients.send({ type: 'bulk.showPreview' }, { type: 'bulk.confirm' })
    await clients.wait(1000)
    expect(clients.counts()).toMatchObject({ confirmed: 1 })
    clients.send({ type: 'bulk.open', action: form(), ids: ['a'] }, { type: 'bulk.cancel' })
    expect(selectRun(clients.snapshot())).toBeDefined()
  })

  it('renames through the account, which is fetched again', async () => {
    const clients = await startClients(['a', 'b'])
    clients.send(
      { type: 'bulk.open', action: { kind: 'rename', pattern: 'rack-{n}' }, ids: ['a', 'b'] },
      { type: 'bulk.showPreview' },
      { type: 'bulk.confirm' },
    )
    await clients.wait(1000)
    expect(clients.calls.map(call => call.kind === 'rename' && call.name)).toEqual(['rack-1', 'rack-2'])
    expect(clients.counts()?.confirmed).toBe(2)
    expect(clients.received).toEqual(['account.refresh'])
  })

  it('ends for a client that leaves meanwhile, and forgets all when the account is left', async () => {
    const clients = await startClients(['a', 'b'], () => 'deaf')
    clients.send({ type: 'bulk.quick', action: pause, ids: ['a', 'b'] })
    await clients.wait(500)
    clients.actor.send({ type: 'bulk.machinesGone', machines: [{ id: 'a', name: 'a' }] })
    expect(clients.counts()).toMatchObject({ ignored: 1, asked: 1 })
    clients.actor.send({ type: 'bulk.reset' })
    expect(selectRun(clients.snapshot())).toBeUndefined()
    expect(clients.snapshot().hasTag('ready')).toBe(true)
  })

  it('follows a client that is shown over another connection while it is prepared', async () => {
    const clients = await startClients(['a', 'b', 'c'])
    clients.send({ type: 'bulk.open', action: pause, ids: ['a', 'b'] })
    clients.actor.send({
      type: 'bulk.machinesGone',
      machines: [
        { id: 'a', name: 'a' },
        { id: 'b', name: 'b', shownAs: 'c' },
      ],
    })
    expect(clients.snapshot().context.plan?.entries.map(({ id }) => id)).toEqual(['c'])
    await clients.wait(2000, 1000)
    expect(clients.snapshot().context.plan?.entries.map(({ id }) => id)).toEqual(['c'])
  })

  it('pauses hundreds of clients within a second and a half, and lists those that did not confirm', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `m${index}`)
    const deaf = new Set(['m3', 'm150', 'm299'])
    const clients = await startClients(ids, id => (deaf.has(id) ? 'deaf' : 'obeys'))
    clients.send({ type: 'bulk.quick', action: pause, ids })
    await clients.wait(1500, 250)
    expect(clients.counts()).toMatchObject({ confirmed: 297, asked: 3 })
    expect(ids.filter(id => !clients.isPaused(id))).toEqual([...deaf])
    await clients.wait(11_500, 500)
    expect(clients.counts()).toMatchObject({ confirmed: 297, ignored: 3 })
    clients.send({ type: 'bulk.retry' })
    expect(new Set(clients.snapshot().context.draft?.ids)).toEqual(deaf)
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
    // Without clients nothing can run: the other tests do that.
    expect(unreached).toEqual(['bulk.running'])
  })
})
