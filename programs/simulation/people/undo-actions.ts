import { selectRun } from '../../../src/machines/fleet/bulk/bulk.selectors.ts'
import { rememberStates, rememberUndo } from '../invariants/undo.ts'
import { allowAll, idsOf } from './fleet-actions.ts'
import { hasPart, onPage, type Action } from './tools.ts'

const pauseOrFoldMany: Action = onPage((page, scene) => {
  const { system } = page
  const { world, books, chance } = scene
  if (!hasPart(system, 'bulk') || !system.bulk.getSnapshot().hasTag('ready')) return undefined
  const state = chance.isTrue(0.5) ? 'pause' : 'fold'
  rememberStates(page, world.network.clients(), books, world.scheduler.now())
  allowAll(page, scene)
  system.bulk.send({ type: 'bulk.quick', action: { kind: 'state', state, keepsPaused: false }, ids: idsOf(page) })
  system.bulk.send({ type: 'bulk.confirm' })
  return `tells many machines to ${state}`
})

const undoMany: Action = onPage((page, scene) => {
  const { system } = page
  if (!hasPart(system, 'bulk') || !system.bulk.getSnapshot().hasTag('ready')) return undefined
  if (selectRun(system.bulk.getSnapshot())?.action.kind !== 'state') return undefined
  if (!rememberUndo(page, scene.world.scheduler.now())) return undefined
  allowAll(page, scene)
  system.bulk.send({ type: 'bulk.undo' })
  system.bulk.send({ type: 'bulk.confirm' })
  return 'undoes what many machines were told'
})

/** What people do with many machines, and undo. */
export const undoActions = { pauseOrFoldMany, undoMany } satisfies Record<string, Action>
