import {
  selectAccount,
  selectPassphraseDialog,
  selectSettings,
} from '../../../src/machines/account/account/account.selectors.ts'
import { selectAccountDraft, selectTeams } from '../../../src/machines/account/settings/settings.selectors.ts'
import { selectTeamDraft } from '../../../src/machines/account/teams/teams.selectors.ts'
import { selectConflicts } from '../../../src/machines/shared/draft/draft.selectors.ts'
import type { Person, PersonScene } from '../story/scene.ts'
import type { OpenPage } from '../world.ts'
import { anyName } from './names.ts'
import { NEW_PASSPHRASE, WRONG_PASSPHRASE } from './passphrases.ts'
import { onPage, sendSome, type Action } from './tools.ts'

function accountDraft({ system }: OpenPage) {
  const settings = selectSettings(system.account.getSnapshot())
  return settings && selectAccountDraft(settings.getSnapshot())
}

const typeAccount: Action = onPage((page, { chance }) => {
  const draft = accountDraft(page)
  const user = anyName(chance, ['Ada', 'Grace Hopper', 'Lise', '<b>'])
  const team = chance.oneOf(['', '42', 'x']) ?? ''
  draft?.send({ type: 'draft.edit', change: { user, team, config: { dark: chance.isTrue(0.5) } } })
  return draft === undefined ? undefined : 'types into the settings of the account'
})

const decideOnAccount: Action = onPage((page, { chance }) => {
  const draft = accountDraft(page)
  if (draft === undefined) return undefined
  const [path = []] = selectConflicts(draft.getSnapshot())
  return `settings of the account: ${sendSome(draft, chance, [
    { type: 'draft.save' },
    { type: 'draft.save' },
    { type: 'draft.discard' },
    { type: 'draft.leave' },
    { type: 'draft.saveAndLeave' },
    { type: 'draft.stay' },
    { type: 'draft.discardAndLeave' },
    { type: 'draft.resolveConflict', path, side: chance.isTrue(0.5) ? 'mine' : 'theirs' },
  ])}`
})

const haveTeams: Action = onPage(({ system }, { chance }) => {
  const { account } = system
  const settings = selectSettings(account.getSnapshot())
  const teams = settings && selectTeams(settings.getSnapshot())
  if (teams === undefined) return undefined
  const draft = selectTeamDraft(teams.getSnapshot())
  if (draft !== undefined && chance.isTrue(0.7)) {
    draft.send({ type: 'draft.edit', change: { name: `Team ${chance.whole(1, 99)}`, url: 'https://team.example/' } })
    return `a team: ${sendSome(draft, chance, [{ type: 'draft.save' }, { type: 'draft.leave' }])}`
  }
  const ownTeam = chance.oneOf(selectAccount(account.getSnapshot())?.teams ?? [])
  return `teams: ${sendSome(teams, chance, [
    { type: 'teams.create' },
    { type: 'teams.cancel' },
    ...(ownTeam?.team === undefined
      ? []
      : ([
          { type: 'teams.edit', team: ownTeam },
          { type: 'teams.delete', team: ownTeam.team },
        ] as const)),
  ])}`
})

const useAccount: Action = onPage(({ system }, { chance }) =>
  sendSome(system.account, chance, [
    { type: 'account.refresh' },
    { type: 'account.retry' },
    { type: 'account.renewToken' },
    { type: 'account.signOut' },
  ]),
)

const useSignIn: Action = onPage(({ system }, { chance }) =>
  sendSome(system.signIn, chance, [
    { type: 'signIn.open' },
    { type: 'signIn.setMode', mode: 'register' },
    { type: 'signIn.setMode', mode: 'reset' },
    { type: 'signIn.setMode', mode: 'login' },
    { type: 'signIn.generate' },
    { type: 'signIn.cancel' },
    {
      type: 'signIn.submit',
      email: 'nobody',
      user: '',
      team: '',
      secrets: { passphrase: '', passphraseAgain: '', passkey: '' },
    },
  ]),
)

/** An account that somebody made. */
type Own = { readonly email: string; passphrase: string }

const ownAccounts = new WeakMap<Person, Own>()

function newPassphrase({ chance }: PersonScene): string {
  return `${NEW_PASSPHRASE}${chance.whole(1, 1_000_000)}`
}

const register: Action = onPage(({ system }, scene) => {
  const { signIn } = system
  if (system.account.getSnapshot().hasTag('signedIn') || signIn.getSnapshot().hasTag('busy')) return undefined
  const passphrase = newPassphrase(scene)
  const email = `newcomer-${scene.chance.whole(1, 1_000_000)}@people.example`
  ownAccounts.set(scene.person, { email, passphrase })
  signIn.send({ type: 'signIn.open', mode: 'register' })
  signIn.send({ type: 'signIn.setMode', mode: 'register' })
  const secrets = { passphrase, passphraseAgain: passphrase, passkey: '' }
  signIn.send({ type: 'signIn.submit', email, user: 'Ada', team: '', secrets })
  return 'makes an account'
})

/** Follows the link of the last email, once it can be read. */
function withLink(
  { world, person }: PersonScene,
  page: OpenPage,
  follow: (ownAccount: Own, token: string, kind: string) => void,
): void {
  const ownAccount = ownAccounts.get(person)
  if (ownAccount === undefined) return
  void world.network.outbox().then(emails => {
    const link = emails.find(({ to }) => to === ownAccount.email)?.link
    const [, kind = '', token = ''] = link === undefined ? [] : new URL(link).pathname.split('/')
    if (world.pages().includes(page)) follow(ownAccount, decodeURIComponent(token), kind)
  })
}

const followLink: Action = onPage((page, scene) => {
  const { system } = page
  withLink(scene, page, (ownAccount, token, kind) => {
    if (kind === 'verify') return system.verify.send({ type: 'verify.begin', secrets: { token } })
    const passphrase = newPassphrase(scene)
    if (kind !== '') ownAccount.passphrase = passphrase
    system.reset.send({ type: 'reset.open' })
    const secrets = { token, passphrase, passphraseAgain: scene.chance.isTrue(0.9) ? passphrase : '' }
    return system.reset.send({ type: 'reset.submit', email: ownAccount.email, secrets })
  })
  return 'follows the link of an email'
})

const useResetPage: Action = onPage(({ system }, { chance }) =>
  sendSome(system.reset, chance, [{ type: 'reset.open' }, { type: 'reset.generate' }, { type: 'reset.cancel' }]),
)

const signInToOwn: Action = onPage(({ system }, { person, chance }) => {
  const ownAccount = ownAccounts.get(person)
  if (ownAccount === undefined || system.account.getSnapshot().hasTag('signedIn')) return undefined
  const mode = chance.isTrue(0.7) ? 'login' : 'reset'
  system.signIn.send({ type: 'signIn.open', mode })
  system.signIn.send({ type: 'signIn.setMode', mode })
  const secrets = { passphrase: ownAccount.passphrase, passphraseAgain: ownAccount.passphrase, passkey: '' }
  system.signIn.send({ type: 'signIn.submit', email: ownAccount.email, user: '', team: '', secrets })
  return mode === 'login' ? 'signs in to the own account' : 'has forgotten the passphrase'
})

/** Only of an account that somebody made: others live in the one of the machines. */
const usePassphrase: Action = onPage(({ system }, scene) => {
  const { person, chance } = scene
  const account = system.account.getSnapshot()
  const ownAccount = ownAccounts.get(person)
  const dialog = selectPassphraseDialog(account)
  if (ownAccount === undefined || dialog === undefined || selectAccount(account)?.email !== ownAccount.email)
    return undefined
  const passphrase = newPassphrase(scene)
  const current = chance.isTrue(0.8) ? ownAccount.passphrase : `${WRONG_PASSPHRASE}${chance.whole(1, 9)}`
  const secrets = { current, passphrase, passphraseAgain: passphrase }
  const did = sendSome(dialog, chance, [
    { type: 'passphrase.ask', purpose: 'change' },
    { type: 'passphrase.ask', purpose: chance.isTrue(0.3) ? 'delete' : 'change' },
    { type: 'passphrase.generate' },
    { type: 'passphrase.submit', email: ownAccount.email, secrets },
    { type: 'passphrase.submit', email: ownAccount.email, secrets },
    { type: 'passphrase.submit', email: '', secrets },
    { type: 'passphrase.cancel' },
  ])
  if (dialog.getSnapshot().hasTag('changed')) ownAccount.passphrase = passphrase
  return `the passphrase: ${did}`
})

/** What people do with accounts, by name. */
export const accountActions = {
  typeAccount,
  decideOnAccount,
  haveTeams,
  useAccount,
  useSignIn,
  register,
  followLink,
  useResetPage,
  signInToOwn,
  usePassphrase,
} satisfies Record<string, Action>
