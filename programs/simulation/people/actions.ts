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
import { accountActions } from './account-actions.ts'
import { fleetActions } from './fleet-actions.ts'
import { householdActions } from './household-actions.ts'
import { screenActions } from './screen-actions.ts'
import { settingsActions } from './settings-actions.ts'
import { undoActions } from './undo-actions.ts'
import { HOUR, MINUTE } from '../time/durations.ts'
import { connectedOf, hasPart, machinesOf, type Action } from './tools.ts'

const openPage: Action = ({ world, person }) => {
  person.pages[0]?.tab.setHidden(true)
  person.pages = [world.openPage(person.device), ...person.pages]
  return 'opens the page'
}

function visit(names: (scene: PersonScene) => readonly string[], what: string): Action {
  return scene => {
    const { world, person } = scene
    const started = names(scene).flatMap(name => world.inhabitants.start(name) ?? [])
    if (started.length === 0) return undefined
    person.pages[0]?.tab.setHidden(true)
    const page = world.openPage(
      person.device,
      started.map(({ address }) => address),
    )
    person.pages = [page, ...person.pages]
    return `looks at ${what}`
  }
}

/** Opens a page that reaches the computers at home directly. */
const openAtHome: Action = ({ world, person }) => {
  world.homes.wake()
  person.pages[0]?.tab.setHidden(true)
  const page = world.openPage(
    person.device,
    world.homes.all().map(({ address }) => address),
  )
  person.pages = [page, ...person.pages]
  return 'opens the page at home'
}

/** Asks why a computer at home is not connected, or is. */
const checkHome: Action = ({ world, person, chance }) => {
  const [page] = person.pages
  const away = world.homes.all().filter(home => !home.isAwake() || home.isRefusing())
  const home = chance.oneOf(away.length === 0 || chance.isTrue(0.3) ? world.homes.all() : away)
  if (page === undefined || home === undefined || !hasPart(page.system, 'connections')) return undefined
  page.system.connectionCheck.send({ type: 'check.open', address: home.address, subject: 'client' })
  return 'has a connection checked'
}

const closeCheck: Action = ({ person }) => {
  const [page] = person.pages
  if (page === undefined || !hasPart(page.system, 'connections')) return undefined
  page.system.connectionCheck.send({ type: 'check.close' })
  return 'closes the check'
}

const visitReports = visit(({ world }) => world.inhabitants.reports, 'the clients of reports from the field')
const visitRecordings = visit(({ world }) => world.inhabitants.recordings, 'recorded clients')

function signInWith({ world, person }: PersonScene, passphrase: string): boolean {
  const [page] = person.pages
  if (page === undefined) return false
  const { signIn: dialog, account } = page.system
  if (!account.getSnapshot().matches('signedOut') || dialog.getSnapshot().hasTag('busy')) return false
  const { email } = world.network.account
  dialog.send({ type: 'signIn.open', mode: 'login' })
  dialog.send({
    type: 'signIn.submit',
    email,
    user: '',
    team: '',
    secrets: { passphrase, passphraseAgain: passphrase, passkey: '' },
  })
  return true
}

const signIn: Action = scene => (signInWith(scene, scene.world.network.account.passphrase) ? 'signs in' : undefined)

const forgetPassphrase: Action = scene =>
  signInWith(scene, `${WRONG_PASSPHRASE}${scene.chance.whole(1, 9)}`) ? 'signs in with a wrong passphrase' : undefined

const tellMachine: Action = ({ person, chance, books }) => {
  const [page] = person.pages
  if (page === undefined) return undefined
  const ref = chance.oneOf(machinesOf(page).filter(machine => machine.getSnapshot().hasTag('connected')))
  const state = chance.oneOf(['fold', 'pause', 'finish'] as const)
  if (ref === undefined || state === undefined || !ref.getSnapshot().can({ type: 'client.setState', state }))
    return undefined
  books.asked(page, ref, state)
  ref.send({ type: 'client.setState', state })
  return `tells ${ref.id.slice(0, 8)} to ${state}`
}

/** The machine that is shown first. */
const tellFirst: Action = ({ person, chance, books }) => {
  const [page] = person.pages
  const ref = page && connectedOf(page)[0]
  const state = chance.oneOf(['fold', 'pause', 'finish'] as const)
  if (page === undefined || ref === undefined || state === undefined) return undefined
  if (!ref.getSnapshot().can({ type: 'client.setState', state })) return undefined
  books.asked(page, ref, state)
  ref.send({ type: 'client.setState', state })
  return `tells ${ref.id.slice(0, 8)} to ${state}`
}

/** For good: nothing else is wrong. */
const setClock: Action = ({ person, chance }) => {
  const { device } = person
  if (device.usualAhead !== 0) return undefined
  device.usualAhead = chance.whole(5 * MINUTE, 3 * HOUR) * (chance.isTrue(0.5) ? 1 : -1)
  device.ahead = device.usualAhead
  return `has a clock that is wrong by ${Math.round(device.ahead / MINUTE)} min`
}

/** The machine with the most groups, and one of few settings, so that tabs meet. */
const changeSettings: Action = ({ person, chance, books }) => {
  const [page] = person.pages
  const groupsOf = (machine: ClientRef): number =>
    Object.keys(machine.getSnapshot().context.record.data?.groups ?? {}).length
  const [ref] = (page === undefined ? [] : machinesOf(page))
    .filter(machine => machine.getSnapshot().hasTag('connected'))
    .sort((one, other) => groupsOf(other) - groupsOf(one))
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
}

/** Links the machine on this computer to the account, or unlinks it. */
const linkOwnMachine: Action = ({ person }) => {
  const [page] = person.pages
  const ref = page && machinesOf(page).find(({ id }) => id === DIRECT_ID)
  if (ref === undefined || !ref.getSnapshot().hasTag('connected')) return undefined
  ref.send({ type: 'client.openSettings' })
  const settings = selectClientSettings(ref.getSnapshot())
  for (const type of ['settings.link', 'settings.unlink'] as const)
    if (settings?.getSnapshot().can({ type }) === true) {
      settings.send({ type })
      return type === 'settings.link' ? 'links a machine' : 'unlinks a machine'
    }
  return undefined
}

/** The token of the newest email that was sent for a new passphrase. */
function tokenOf(text: string): string | undefined {
  return /reset[?/=a-z]*?([\w-]{16,})/i.exec(text)?.[1]
}

/** Gives the same passphrase again, as one that is new: the account has another key afterwards. */
const resetPassphrase: Action = ({ world, person }) => {
  const [page] = person.pages
  if (page === undefined) return undefined
  const { email, passphrase } = world.network.account
  const { signIn: dialog } = page.system
  dialog.send({ type: 'signIn.open', mode: 'reset' })
  const secrets = { passphrase: '', passphraseAgain: '', passkey: '' }
  dialog.send({ type: 'signIn.submit', email, user: '', team: '', secrets })
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
}

const switchTab: Action = ({ person }) => {
  const [page, other, ...others] = person.pages
  if (page === undefined || other === undefined) return undefined
  page.tab.setHidden(true)
  other.tab.setHidden(false)
  person.pages = [other, page, ...others]
  return 'looks at another tab'
}

const readHistory: Action = ({ person }) => {
  const [page] = person.pages
  page?.system.history.send({ type: 'history.open' })
  page?.system.history.send({ type: 'history.want', reader: 'units', machines: 'all' })
  return page === undefined ? undefined : 'looks at the history of work units'
}

const hide: Action = ({ person }) => {
  const [page] = person.pages
  page?.tab.setHidden(true)
  return page === undefined ? undefined : 'looks at something else'
}

const show: Action = ({ person }) => {
  const [page] = person.pages
  page?.tab.setHidden(false)
  return page === undefined ? undefined : 'looks again'
}

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
