import { expect } from 'vitest'
import { actingOnManyModel } from '../../../models/acting-on-many.model.ts'
import { tagCounts } from '../../../src/folding/fleet/tags.ts'
import { isPartThere } from '../../../src/machines/app/app.selectors.ts'
import { clientState } from '../../../src/folding/client/client.ts'
import { selectClientRef } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import { selectPlan, selectRun } from '../../../src/machines/fleet/bulk/bulk.selectors.ts'
import { selectSelectedIds } from '../../../src/machines/fleet/selection/selection.selectors.ts'
import { selectTags } from '../../../src/machines/fleet/tags/tags.selectors.ts'
import { dialogOf } from './dialog-of.ts'
import { walkWithMachines } from './journeys.ts'

walkWithMachines('acting on many', actingOnManyModel, 2, async (app, network) => {
  await dialogOf(app).logIn(network.account)
  await network.online()
  await app.until(app.system().app, isPartThere('bulk'))
  const { bulk, fleet, selection, tags } = app.system()
  const ids = network.clients().map(({ id }) => id)
  const refs = await Promise.all(
    ids.map(async id => {
      await app.until(fleet, snapshot => selectClientRef(id)(snapshot) !== undefined)
      const ref = selectClientRef(id)(fleet.getSnapshot())
      if (ref === undefined) throw new Error('The account has lost a machine.')
      await app.until(ref, snapshot => snapshot.hasTag('connected'))
      return ref
    }),
  )
  const plans =
    (change: number, disconnected = 0) =>
    async (): Promise<void> => {
      await app.until(bulk, snapshot => {
        const counts = selectPlan(snapshot)?.counts
        return counts?.change === change && counts.disconnected === disconnected
      })
    }
  const done = async (count: number): Promise<void> => {
    await app.until(bulk, snapshot => snapshot.hasTag('ready') && selectRun(snapshot)?.counts.confirmed === count)
  }
  const state = (position: number): unknown => {
    const ref = refs[position]
    return ref === undefined ? undefined : clientState(ref.getSnapshot().context.record.data)
  }
  const tagged = (): unknown => tagCounts(selectTags(tags.getSnapshot()))
  const selected = (): readonly string[] => selectSelectedIds(selection.getSnapshot())
  const bothAre = (wanted: string) => async (): Promise<void> => {
    await done(2)
    expect([state(0), state(1)]).toEqual([wanted, wanted])
  }
  return {
    does: {
      'select both': () => selection.send({ type: 'selection.selectAll', ids }),
      'prepare to pause': () =>
        bulk.send({
          type: 'bulk.open',
          action: { kind: 'state', state: 'pause', keepsPaused: true },
          ids: selected(),
        }),
      'prepare a tag': () => {
        bulk.send({ type: 'bulk.open', action: { kind: 'tags', mode: 'add', tag: 'attic' }, ids: selected() })
        bulk.send({ type: 'bulk.showPreview' })
      },
      cancel: () => bulk.send({ type: 'bulk.cancel' }),
      confirm: () => bulk.send({ type: 'bulk.confirm' }),
      'one goes away': () => network.clients()[1]?.kill(),
      'prepare to undo': () => bulk.send({ type: 'bulk.undo' }),
    },
    sees: {
      folding: () => expect([state(0), state(1), selected()]).toEqual(['fold', 'fold', []]),
      selected: () => expect(selected()).toEqual(ids),
      prepared: async () => {
        await plans(2)()
        expect([state(0), state(1)]).toEqual(['fold', 'fold'])
      },
      cancelled: () =>
        expect([state(0), state(1), selected(), selectRun(bulk.getSnapshot())]).toEqual([
          'fold',
          'fold',
          ids,
          undefined,
        ]),
      incomplete: plans(1, 1),
      onePaused: async () => {
        await done(1)
        expect([state(0), selectRun(bulk.getSnapshot())?.skipped.map(({ id }) => id)]).toEqual(['pause', [ids[1]]])
      },
      paused: bothAre('pause'),
      undoing: plans(2),
      resumed: bothAre('fold'),
      taggable: plans(2),
      tagged: async () => {
        await done(2)
        expect(tagged()).toEqual([{ tag: 'attic', machines: 2 }])
      },
      untagging: plans(2),
      untagged: async () => {
        await done(2)
        expect(tagged()).toEqual([])
      },
    },
  }
})
