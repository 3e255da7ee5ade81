import type { ClientRef } from '../../../src/machines/connection/client/client.machine.ts'
import { selectClientSettings } from '../../../src/machines/connection/client/client.selectors.ts'
import type { OpenPage } from '../world.ts'
import type { PersonScene } from '../story/scene.ts'
import { machinesOf, onPage, tellMachineTo, type Action } from './tools.ts'

const startComputers: Action = ({ world }) => {
  if (world.household.all().length > 0) return undefined
  world.household.wake()
  return 'switches on computers of the account'
}

/** The machine of an id, unless its page says that it must not be unlinked now. */
function unlink(ref: ClientRef | undefined): boolean {
  ref?.send({ type: 'client.openSettings' })
  const settings = ref && selectClientSettings(ref.getSnapshot())
  if (settings?.getSnapshot().can({ type: 'settings.unlink' }) !== true) return false
  settings.send({ type: 'settings.unlink' })
  return true
}

function ofHousehold(page: OpenPage, { world }: PersonScene): readonly ClientRef[] {
  return machinesOf(page).filter(({ id }) => world.household.ids().has(id))
}

const removeComputer: Action = onPage((page, scene) =>
  unlink(scene.chance.oneOf(ofHousehold(page, scene))) ? 'removes a computer from the account' : undefined,
)

/** What an installation left behind: it never connects again. */
const removeLeftOver: Action = onPage((page, scene) => {
  const current = new Set(scene.world.household.all().map(home => home.disk().id))
  const ref = ofHousehold(page, scene).find(one => !current.has(one.id) && !one.getSnapshot().hasTag('connected'))
  return unlink(ref) ? 'removes a machine that is no more' : undefined
})

/** At the computer itself, whether or not it belongs to the account. */
const addComputer: Action = ({ world, chance }) => {
  const home = chance.oneOf(world.household.all().filter(one => one.isAwake()))
  if (home === undefined) return undefined
  void world.network.stored().then(account => {
    if (home.isAwake()) home.link(account?.token ?? '')
  })
  return 'adds a computer to the account'
}

const tellComputer: Action = onPage((page, scene) => {
  const connected = ofHousehold(page, scene).filter(one => one.getSnapshot().hasTag('connected'))
  return tellMachineTo(scene.chance.oneOf(connected), page, scene)
})

/** What people do with the computers of the account, by name. */
export const householdActions = {
  startComputers,
  removeComputer,
  removeLeftOver,
  addComputer,
  tellComputer,
} satisfies Record<string, Action>
