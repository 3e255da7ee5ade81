import { serverActions } from './server-actions.ts'
import { WRONG_PASSPHRASE } from './passphrases.ts'
import type { GroupForm } from '../../../src/folding/client/client-form.ts'
import {
  selectClientDraft,
  selectGroupNames,
} from '../../../src/machines/connection/client-settings/client-settings.selectors.ts'
import { selectClientSettings } from '../../../src/machines/connection/client/client.selectors.ts'
import { DIRECT_ID } from '../../../src/folding/client/client.ts'
import type { ClientRef } from '../../../src/machines/connection/client/client.machine.ts'
import type { PersonScene } from '../story/scene.ts'
import type { OpenPage } from '../world.ts'
import { accountActions } from './account-actions.ts'
import { fleetActions } from './fleet-actions.ts'
import { householdActions } from './household-actions.ts'
import { screenActions } from './screen-actions.ts'
import { settingsActions } from './settings-actions.ts'
import { undoActions } from './undo-actions.ts'
import { HOUR, MINUTE } from '../time/durations.ts'
import { connectedOf, hasPart, machinesOf, onPage, tellMachineTo, type Action } from './tools.ts'

/** In a new tab. `addresses`: of clients besides the one on this computer. */
function openTab({ world, person }: PersonScene, addresses: readonly string[] = []): void {
  person.pages[0]?.tab.setHidden(true)
  person.pages = [world.openPage(person.device, addresses), ...person.pages]
}

const openPage: Action = scene => {
  openTab(scene)
  return 'opens the page'
}

function visit(names: (scene: PersonScene) => readonly string[], what: string): Action {
  return scene => {
    const started = names(scene).flatMap(name => scene.world.inhabitants.start(name) ?? [])
    if (started.length === 0) return undefined
    openTab(
      scene,
      started.map(({ address }) => address),
    )
    return `looks at ${what}`
  }
}

/** Opens a page that reaches the computers at home directly. */
const openAtHome: Action = scene => {
  const { homes } = scene.world
  homes.wake()
  openTab(
    scene,
    homes.all().map(({ address }) => address),
  )
  return 'opens the page at home'
}

/** Asks why a computer at home is not connected, or is. */
const checkHome: Action = onPage(({ system }, { world, chance }) => {
  const away = world.homes.all().filter(home => !home.isAwake() || home.isRefusing())
  const home = chance.oneOf(away.length === 0 || chance.isTrue(0.3) ? world.homes.all() : away)
  if (home === undefined || !hasPart(system, 'connections')) return undefined
  system.connectionCheck.send({ type: 'check.open', address: home.address, subject: 'client' })
  return 'has a connection checked'
})

const closeCheck: Action = onPage(({ system }) => {
  if (!hasPart(system, 'connections')) return undefined
  system.connectionCheck.send({ type: 'check.close' })
  return 'closes the check'
})

const visitReports = visit(({ world }) => world.inhabitants.reports, 'the clients of reports from the field')
const visitRecordings = visit(({ world }) => world.inhabitants.recordings, 'recorded clients')

/** Opens the dialog of a sign-in or of a forgotten passphrase, and submits it. */
function submitSignIn(
  { system: { signIn: dialog } }: OpenPage,
  mode: 'login' | 'reset',
  email: string,
  passphrase: string,
): void {
  dialog.send({ type: 'signIn.open', mode })
  const secrets = { passphrase, passphraseAgain: passphrase, passkey: '' }
  dialog.send({ type: 'signIn.submit', email, user: '', team: '', secrets })
}

function signInWith(passphraseOf: (scene: PersonScene) => string, what: string): Action {
  return onPage((page, scene) => {
    const { signIn: dialog, account } = page.system
    if (!account.getSnapshot().matches('signedOut') || dialog.getSnapshot().hasTag('busy')) return undefined
    submitSignIn(page, 'login', scene.world.network.account.email, passphraseOf(scene))
    return what
  })
}

const signIn = signInWith(({ world }) => world.network.account.passphrase, 'signs in')

const forgetPassphrase = signInWith(
  ({ chance }) => `${WRONG_PASSPHRASE}${chance.whole(1, 9)}`,
  'signs in with a wrong passphrase',
)

const tellMachine: Action = onPage((page, scene) => tellMachineTo(scene.chance.oneOf(connectedOf(page)), page, scene))

/** The machine that is shown first. */
const tellFirst: Action = onPage((page, scene) => tellMachineTo(connectedOf(page)[0], page, scene))

/** For good: nothing else is wrong. */
const setClock: Action = ({ person, chance }) => {
  const { device } = person
  if (device.usualAhead !== 0) return undefined
  device.usualAhead = chance.whole(5 * MINUTE, 3 * HOUR) * (chance.isTrue(0.5) ? 1 : -1)
  device.ahead = device.usualAhead
  return `has a clock that is wrong by ${Math.round(device.ahead / MINUTE)} min`
}

/** The machine with the most groups, and one of few settings, so that tabs meet. */
const changeSettings: Action = onPage((page, { chance, books }) => {
  const groupsOf = (machine: ClientRef): number =>
    Object.keys(machine.getSnapshot().context.record.data?.groups ?? {}).length
  const [ref] = connectedOf(page).toSorted((one, other) => groupsOf(other) - groupsOf(one))
  if (ref === undefined) return undefined
  ref.send({ type: 'client.openSettings' })
  const settings = selectClientSettings(ref.getSnapshot())
  const draft = settings && selectClientDraft(settings.getSnapshot())
  const group = draft && chance.oneOf(selectGroupNames(draft.getSnapshot()))
  if (draft === undefined || group === undefined) return undefined
  const change: Partial<GroupForm> = chance.isTrue(0.5) ? { cpus: chance.whole(0, 2) } : { on_idle: chance.isTrue(0.5) }
  books.changed(ref, group, change)
  draft.send({ type: 'draft.edit', change: { groups: { [group]: change } } })
  draft.send({ type: 'draft.save' })
  return `changes settings of ${ref.id.slice(0, 8)}`
})

/** Links the machine on this computer to the account, or unlinks it. */
const linkOwnMachine: Action = onPage(page => {
  const ref = machinesOf(page).find(({ id }) => id === DIRECT_ID)
  if (ref === undefined || !ref.getSnapshot().hasTag('connected')) return undefined
  ref.send({ type: 'client.openSettings' })
  const settings = selectClientSettings(ref.getSnapshot())
  for (const type of ['settings.link', 'settings.unlink'] as const)
    if (settings?.getSnapshot().can({ type }) === true) {
      settings.send({ type })
      return type === 'settings.link' ? 'links a machine' : 'unlinks a machine'
    }
  return undefined
})

/** The token of the newest email that was sent for a new passphrase. */
function tokenOf(text: string): string | undefined {
  return /reset[?/=a-z]*?([\w-]{16,})/i.exec(text)?.[1]
}

/** Gives the same passphrase again, as one that is new: the account has another key afterwards. */
const resetPassphrase: Action = onPage((page, { world, person }) => {
  const { email, passphrase } = world.network.account
  submitSignIn(page, 'reset', email, '')
  const submit = async (): Promise<void> => {
    const token = tokenOf((await world.network.outbox()).map(({ text }) => text).join('\n'))
    if (token === undefined) return
    const { reset } = page.system
    reset.send({ type: 'reset.open' })
    reset.send({ type: 'reset.submit', email, secrets: { token, passphrase, passphraseAgain: passphrase } })
  }
  world.scheduler.after(20_000, person.name, 'reads an email', () => {
    if (world.pages().includes(page)) void submit()
  })
  return 'asks for a new passphrase by email'
})

const switchTab: Action = ({ person }) => {
  const [page, other, ...others] = person.pages
  if (page === undefined || other === undefined) return undefined
  page.tab.setHidden(true)
  other.tab.setHidden(false)
  person.pages = [other, page, ...others]
  return 'looks at another tab'
}

const readHistory: Action = onPage(({ system }) => {
  system.history.send({ type: 'history.open' })
  system.history.send({ type: 'history.want', reader: 'units', machines: 'all' })
  return 'looks at the history of work units'
})

const hide: Action = onPage(({ tab }) => {
  tab.setHidden(true)
  return 'looks at something else'
})

const show: Action = onPage(({ tab }) => {
  tab.setHidden(false)
  return 'looks again'
})

const closePage: Action = ({ world, person, chance }) => {
  const [page, ...others] = person.pages
  if (page === undefined) return undefined
  page.tab.setHidden(true)
  person.pages = others
  others[0]?.tab.setHidden(false)
  if (chance.isTrue(0.5)) world.leavePage(page)
  else world.closePage(page)
  return 'closes the page'
}

/** Everything that people do, by name. */
export const actions = {
  openPage,
  openAtHome,
  checkHome,
  closeCheck,
  visitReports,
  visitRecordings,
  signIn,
  forgetPassphrase,
  tellMachine,
  tellFirst,
  setClock,
  changeSettings,
  linkOwnMachine,
  resetPassphrase,
  switchTab,
  readHistory,
  hide,
  show,
  closePage,
  ...accountActions,
  ...fleetActions,
  ...householdActions,
  ...screenActions,
  ...settingsActions,
  ...undoActions,
  ...serverActions,
} satisfies Record<string, Action>

export type ActionName = keyof typeof actions
