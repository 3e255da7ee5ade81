/*
 * What a person may change of an account, as a form has it.
 */
import type { Account, Appearance } from '../../protocol/api.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { isSameValue } from '../shared/equal.ts'
import { type Complaints, onlyComplaints } from './registration.ts'
import { checkNode, checkPasskey, checkTeam, checkUser, teamNumber, userToSend } from '../shared/validation.ts'

/** Fields as they are typed. What sits under `secrets` never enters a recording. */
export type AccountForm = {
  readonly user: string
  readonly team: string
  readonly cause: string
  readonly node: string
  /** An image as a data URL, or '' for none. */
  readonly avatar: string
  /** The whole config, with what newer dashboards keep in it. */
  readonly config: Appearance
  readonly secrets: { readonly passkey: string }
}

/** The account as the form begins with it. */
export const accountForm = (account: Account, passkey: string): AccountForm => ({
  user: account.user ?? '',
  team: account.team === undefined || account.team === 0 ? '' : String(account.team),
  cause: (account.cause ?? '') === '' ? 'any' : (account.cause ?? 'any').toLowerCase(),
  node: account.node ?? '',
  avatar: account.avatar ?? '',
  config: account.config ?? {},
  secrets: { passkey },
})

export type AccountComplaints = Complaints<'user' | 'team' | 'passkey' | 'node'>

/**
 * What is wrong with the form. What the account came with is right as it is: a server may allow names, nodes and
 * passkeys that the rules for typing do not.
 */
export const checkAccountForm = (form: AccountForm, saved: AccountForm): AccountComplaints =>
  onlyComplaints({
    user: form.user === saved.user ? undefined : checkUser(form.user),
    team: checkTeam(form.team),
    passkey: form.secrets.passkey === saved.secrets.passkey ? undefined : checkPasskey(form.secrets.passkey),
    node: form.node === saved.node ? undefined : checkNode(form.node),
  })

/** The body of `PUT /account` (docs/product.md §7). */
export const accountBody = ({
  user,
  team,
  cause,
  node,
  avatar,
  config,
  secrets: { passkey },
}: AccountForm): JsonObject => ({
  user: userToSend(user),
  team: teamNumber(team),
  passkey,
  cause: cause.toLowerCase(),
  node,
  avatar,
  config: config as JsonObject,
})

/** What the machines must be told of a change: the part of their own config that it touches (docs/protocol.md §5). */
export const configForMachines = (before: AccountForm, after: AccountForm): JsonObject => {
  const told = accountBody(after)
  const known = accountBody(before)
  const touched = ['user', 'team', 'passkey', 'cause'].filter(key => !isSameValue(told[key], known[key]))
  return Object.fromEntries(touched.map(key => [key, told[key] ?? '']))
}
