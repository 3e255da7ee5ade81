import { isSignInBusy } from '../../src/machines/account/sign-in/sign-in.selectors.ts'
import { isConnected } from '../../src/machines/connection/client/client.selectors.ts'
import type { ClientRef } from '../../src/machines/connection/client/client.machine.ts'
import type { OpenPage } from '../world.ts'
import type { PersonScene } from '../story/scene.ts'

/** What somebody does. Returns it in words; undefined when there was nothing to do. */
export type Action = (scene: PersonScene) => string | undefined

const machinesOf = ({ system }: OpenPage): readonly ClientRef[] =>
  Object.values(system.fleet.getSnapshot().context.members).map(({ ref }) => ref)

const openPage: Action = ({ world, person }) => {
  person.pages = [world.openPage(person.device), ...person.pages]
  return 'opens the page'
}

const signIn: Action = ({ world, person }) => {
  const [page] = person.pages
  if (page === undefined) return undefined
  const { signIn: dialog, account } = page.system
  if (!account.getSnapshot().matches('signedOut') || isSignInBusy(dialog.getSnapshot())) return undefined
  const { email, passphrase } = world.network.account
  dialog.send({ type: 'signIn.open', mode: 'login' })
  dialog.send({
    type: 'signIn.submit',
    email,
    user: '',
    team: '',
    secrets: { passphrase, passphraseAgain: passphrase, passkey: '' },
  })
  return 'signs in'
}

const tellMachine: Action = ({ person, chance, books }) => {
  const [page] = person.pages
  if (page === undefined) return undefined
  const ref = chance.oneOf(machinesOf(page).filter(machine => isConnected(machine.getSnapshot())))
  const state = chance.oneOf(['fold', 'pause', 'finish'] as const)
  if (ref === undefined || state === undefined || !ref.getSnapshot().can({ type: 'client.setState', state }))
    return undefined
  books.asked(page, ref, state)
  ref.send({ type: 'client.setState', state })
  return `tells ${ref.id.slice(0, 8)} to ${state}`
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
  if (chance.isTrue(0.5)) world.leavePage(page)
  else world.closePage(page)
  return 'closes the page'
}

/** Everything that people do, by name. */
export const actions = { openPage, signIn, tellMachine, hide, show, closePage } satisfies Record<string, Action>

export type ActionName = keyof typeof actions
