import type { BulkAction } from '../../../src/folding/fleet/bulk-action.ts'
import { selectShownIds } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import type { ClientRef } from '../../../src/machines/connection/client/client.machine.ts'
import { isTooOldForActions, selectUnits } from '../../../src/machines/connection/client/client.selectors.ts'
import type { PersonScene } from '../story/scene.ts'
import type { OpenPage } from '../world.ts'
import { connectedOf, FOLDING_STATES, hasPart, machinesOf, onPage, sendSome, type Action } from './tools.ts'

/** Of the simulated clients. */
const GPU_MODELS = ['GeForce RTX 3060', 'GeForce RTX 4090', 'GeForce RTX 2070']

export function idsOf({ system }: OpenPage): readonly string[] {
  return selectShownIds('usual')(system.fleet.getSnapshot())
}

/** What an action on many may bring to any machine: the page decides which of them is concerned. */
export function allowAll(page: OpenPage, { books }: PersonScene): void {
  for (const ref of machinesOf(page)) {
    for (const state of FOLDING_STATES) books.asked(page, ref, state, { isSure: false })
    books.mayChange(ref)
  }
}

function bulkActionOf({ chance }: PersonScene): BulkAction {
  return (
    chance.oneOf<BulkAction>([
      { kind: 'state', state: chance.oneOf(FOLDING_STATES) ?? 'fold', keepsPaused: chance.isTrue(0.5) },
      { kind: 'state', state: chance.oneOf(FOLDING_STATES) ?? 'fold', keepsPaused: chance.isTrue(0.5) },
      { kind: 'settings', patch: { scope: { kind: 'default' }, onIdle: chance.isTrue(0.5) } },
      { kind: 'settings', patch: { scope: { kind: 'all' }, beta: chance.isTrue(0.5), leastCpus: chance.whole(1, 16) } },
      { kind: 'settings', patch: { scope: { kind: 'named', name: 'night' }, cpus: { kind: 'allBut', spare: 1 } } },
      { kind: 'processor', state: chance.oneOf(FOLDING_STATES) ?? 'pause', which: { kind: 'cpus' } },
      {
        kind: 'processor',
        state: chance.oneOf(FOLDING_STATES) ?? 'pause',
        which: { kind: 'model', model: chance.oneOf(GPU_MODELS) ?? '' },
      },
      { kind: 'tags', mode: chance.isTrue(0.5) ? 'add' : 'remove', tag: 'attic' },
      { kind: 'rename', pattern: chance.isTrue(0.5) ? 'box-{nn}' : '{host}' },
      { kind: 'restart' },
    ]) ?? { kind: 'restart' }
  )
}

const tellGroup: Action = onPage((page, { chance, books }) => {
  const ref = chance.oneOf(connectedOf(page))
  const group = chance.oneOf(Object.keys(ref?.getSnapshot().context.record.data?.groups ?? {}))
  const state = chance.oneOf(FOLDING_STATES)
  if (ref === undefined || group === undefined || state === undefined) return undefined
  const event = { type: 'client.setState', state, group } as const
  if (!ref.getSnapshot().can(event)) return undefined
  books.asked(page, ref, state, { group })
  ref.send(event)
  return 'tells a group of a machine what to do'
})

const tellAll: Action = onPage((page, { chance, books }) => {
  const state = chance.oneOf(FOLDING_STATES) ?? 'fold'
  const shown = new Set(idsOf(page))
  const isConcerned = (ref: ClientRef): boolean =>
    shown.has(ref.id) && ref.getSnapshot().hasTag('connected') && !isTooOldForActions(ref.getSnapshot())
  for (const ref of machinesOf(page)) books.asked(page, ref, state, { isSure: state !== 'finish' && isConcerned(ref) })
  page.system.fleet.send({ type: 'fleet.setState', state })
  return 'tells all machines what to do'
})

const actOnMany: Action = onPage((page, scene) => {
  const { system } = page
  if (!hasPart(system, 'bulk')) return undefined
  const ids = idsOf(page).filter(() => scene.chance.isTrue(0.8))
  const action = bulkActionOf(scene)
  system.bulk.send({ type: scene.chance.isTrue(0.5) ? 'bulk.quick' : 'bulk.open', action, ids })
  system.bulk.send({ type: 'bulk.showPreview' })
  allowAll(page, scene)
  system.bulk.send({ type: 'bulk.confirm' })
  return `does something with many machines: ${action.kind}`
})

const decideOnMany: Action = onPage((page, scene) => {
  const { system } = page
  if (!hasPart(system, 'bulk')) return undefined
  allowAll(page, scene)
  const types = [
    ...(['bulk.stop', 'bulk.retry', 'bulk.undo', 'bulk.showForm', 'bulk.cancel', 'bulk.dismiss'] as const),
    ...(['bulk.undo', 'bulk.retry', 'bulk.confirm'] as const),
  ]
  const did = sendSome(system.bulk, scene.chance, [
    ...types.map(type => ({ type })),
    { type: 'bulk.edit', action: bulkActionOf(scene) },
  ])
  if (scene.chance.isTrue(0.7)) system.bulk.send({ type: 'bulk.confirm' })
  return `goes on with an action on many: ${did}`
})

const dumpUnit: Action = onPage((page, { chance }) => {
  const ref = chance.oneOf(connectedOf(page))
  const unit = ref && chance.oneOf(selectUnits(ref.getSnapshot()))
  if (ref === undefined || unit?.id === undefined) return undefined
  ref.send({ type: 'client.dump', unit: unit.id })
  return 'dumps a unit'
})

const lookAtMachine: Action = onPage((page, { chance }) => {
  const ref = chance.oneOf(machinesOf(page))
  if (ref === undefined) return undefined
  const key = ref.getSnapshot().context.queue.entries[0]?.key ?? ''
  const did = sendSome(ref, chance, [
    { type: 'client.watch' },
    { type: 'client.unwatch' },
    { type: 'client.reconnect' },
    { type: 'client.dismiss', key },
  ])
  return `looks at a machine: ${did}`
})

const connectByAddress: Action = onPage((page, { world, chance }) => {
  const { system } = page
  if (!hasPart(system, 'connections')) return undefined
  const address = chance.oneOf([world.network.directAddress, '127.0.0.1:9', 'not an address!']) ?? ''
  const did = chance.oneOf<() => string>([
    () =>
      sendSome(system.connect, chance, [
        { type: 'connect.ask' },
        { type: 'connect.ask', address, isForeign: true },
        { type: 'connect.edit', address },
        { type: 'connect.submit' },
        { type: 'connect.cancel' },
      ]),
    () =>
      sendSome(system.directClients, chance, [
        { type: 'directClients.open' },
        { type: 'directClients.edit', address, name: 'attic' },
        { type: 'directClients.add', addresses: [] },
        { type: 'directClients.showImport' },
        { type: 'directClients.showList' },
        { type: 'directClients.close' },
      ]),
    () =>
      sendSome(system.fleet, chance, [
        { type: 'fleet.connect', address },
        { type: 'fleet.addClients', clients: [{ address, name: 'cellar' }] },
        { type: 'fleet.nameClient', address, name: chance.isTrue(0.5) ? 'attic' : '' },
        { type: 'fleet.moveClient', address, by: 1 },
        { type: 'fleet.disconnect', id: `@${address}` },
        { type: 'fleet.check' },
      ]),
    () =>
      sendSome(system.connectionCheck, chance, [
        { type: 'check.open', address, subject: 'client' },
        { type: 'check.open', address, subject: 'page' },
        { type: 'check.again' },
        { type: 'check.close' },
      ]),
  ])
  return `deals with addresses: ${did?.()}`
})

const select: Action = onPage((page, { chance }) => {
  const order = idsOf(page)
  const id = chance.oneOf(order)
  if (id === undefined) return undefined
  return sendSome(page.system.selection, chance, [
    { type: 'selection.begin' },
    { type: 'selection.toggle', id },
    { type: 'selection.select', id },
    { type: 'selection.extend', id, order },
    { type: 'selection.selectAll', ids: order },
    { type: 'selection.clear' },
  ])
})

/** What people do with their machines, by name. */
export const fleetActions = {
  tellGroup,
  tellAll,
  actOnMany,
  decideOnMany,
  dumpUnit,
  lookAtMachine,
  connectByAddress,
  select,
} satisfies Record<string, Action>
