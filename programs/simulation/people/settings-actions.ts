import {
  selectClientDraft,
  selectGroupNames,
} from '../../../src/machines/connection/client-settings/client-settings.selectors.ts'
import type { ClientRef } from '../../../src/machines/connection/client/client.machine.ts'
import { isDirect, selectClientSettings } from '../../../src/machines/connection/client/client.selectors.ts'
import { selectConflicts } from '../../../src/machines/shared/draft/draft.selectors.ts'
import type { PersonScene } from '../story/scene.ts'
import type { OpenPage } from '../world.ts'
import { anyName } from './names.ts'
import { connectedOf, machinesOf, onPage, sendSome, type Action } from './tools.ts'

const GROUPS = ['night', 'day', 'my-gpu']

/** The settings that are open on a page, of one machine. */
function opened(page: OpenPage, { chance }: PersonScene) {
  const ref = chance.oneOf(machinesOf(page).filter(one => selectClientSettings(one.getSnapshot()) !== undefined))
  const settings = ref && selectClientSettings(ref.getSnapshot())
  if (ref === undefined || settings === undefined) return undefined
  return { ref, settings, draft: selectClientDraft(settings.getSnapshot()) }
}

function onSettings(
  act: (open: NonNullable<ReturnType<typeof opened>>, scene: PersonScene, page: OpenPage) => string | undefined,
): Action {
  return onPage((page, scene) => {
    const open = opened(page, scene)
    return open === undefined ? undefined : act(open, scene, page)
  })
}

const openSettings: Action = onPage((page, { chance }) => {
  const ref = chance.oneOf<ClientRef>(connectedOf(page))
  ref?.send({ type: 'client.openSettings' })
  return ref === undefined ? undefined : 'opens settings of a machine'
})

const closeSettings: Action = onSettings(({ ref }) => {
  ref.send({ type: 'client.closeSettings' })
  return 'leaves settings of a machine'
})

/** Edits a group without saving it. */
const typeSettings: Action = onSettings(({ ref, draft }, { chance, books }) => {
  const group = chance.oneOf(selectGroupNames(draft.getSnapshot()))
  if (group === undefined) return undefined
  const change = chance.isTrue(0.5) ? { cpus: chance.whole(0, 2) } : { on_idle: chance.isTrue(0.5) }
  books.changed(ref, group, change)
  draft.send({ type: 'draft.edit', change: { groups: { [group]: change } } })
  return 'types into settings of a machine'
})

const decideOnSettings: Action = onSettings(({ draft }, { chance }) => {
  const [path = []] = selectConflicts(draft.getSnapshot())
  return `settings of a machine: ${sendSome(draft, chance, [
    { type: 'draft.save' },
    { type: 'draft.save' },
    { type: 'draft.discard' },
    { type: 'draft.leave' },
    { type: 'draft.stay' },
    { type: 'draft.saveAndLeave' },
    { type: 'draft.discardAndLeave' },
    { type: 'draft.resolveConflict', path, side: chance.isTrue(0.5) ? 'mine' : 'theirs' },
  ])}`
})

const changeGroups: Action = onSettings(({ ref, settings, draft }, { chance, books }) => {
  const name = anyName(chance, GROUPS)
  books.mayChange(ref, name)
  const did = sendSome(settings, chance, [
    { type: 'settings.addGroup', typed: name },
    { type: 'settings.addGroup', typed: ` ${name} ` },
    { type: 'settings.deleteGroup', name },
    { type: 'settings.showGroup', name },
    { type: 'settings.dismiss' },
  ])
  if (chance.isTrue(0.6)) draft.send({ type: 'draft.save' })
  return `groups of a machine: ${did}`
})

const renameMachine: Action = onSettings(({ draft }, { chance }) => {
  if (draft.getSnapshot().context.draft?.linked === undefined) return undefined
  draft.send({ type: 'draft.edit', change: { linked: { name: anyName(chance, [`box-${chance.whole(1, 99)}`]) } } })
  draft.send({ type: 'draft.save' })
  return 'renames a machine'
})

/** Only of the client on this computer: another one that is unlinked cannot be linked from here again. */
const linkMachine: Action = onPage((page, { chance }) => {
  const ref = machinesOf(page).find(one => isDirect(one.getSnapshot()))
  ref?.send({ type: 'client.openSettings' })
  const settings = ref && selectClientSettings(ref.getSnapshot())
  if (settings === undefined) return undefined
  return sendSome(settings, chance, [
    { type: 'settings.nameLink', name: `desk-${chance.whole(1, 9)}` },
    { type: 'settings.link' },
    { type: 'settings.link' },
    { type: 'settings.unlink' },
  ])
})

/** What people do with the settings of machines, by name. */
export const settingsActions = {
  openSettings,
  closeSettings,
  typeSettings,
  decideOnSettings,
  changeGroups,
  renameMachine,
  linkMachine,
} satisfies Record<string, Action>
