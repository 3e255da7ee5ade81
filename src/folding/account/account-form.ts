/*
 * The form for an account's settings.
 */
import type { Account, Appearance } from '../../protocol/api/api.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { isSameValue } from '../shared/equal.ts'
import { type ValidationErrors, definedErrors } from './registration.ts'
import { checkNode, checkPasskey, checkTeam, checkUser, teamNumber, userToSend } from '../shared/validation.ts'

/** Fields as typed. Anything under `secrets` is never recorded. */
export type AccountForm = {
  readonly user: string
  readonly team: string
  readonly cause: string
  readonly node: string
  /** An image as a data URL, or '' for none. */
  readonly avatar: string
  /** The whole config, including unknown fields of newer dashboards. */
  readonly config: Appearance
  readonly secrets: { readonly passkey: string }
}

/** The form's initial value. */
export function accountForm(account: Account, passkey: string): AccountForm {
  return {
    user: account.user ?? '',
    team: account.team === undefined || account.team === 0 ? '' : String(account.team),
    cause: (account.cause ?? '') === '' ? 'any' : (account.cause ?? 'any').toLowerCase(),
    node: account.node ?? '',
    avatar: account.avatar ?? '',
    config: account.config ?? {},
    secrets: { passkey },
  }
}

export type AccountFormErrors = ValidationErrors<'user' | 'team' | 'passkey' | 'node'>

/**
 * Validates the form. Unchanged values are valid: a server may allow names, nodes and passkeys that these rules do not.
 */
export function checkAccountForm(form: AccountForm, saved: AccountForm): AccountFormErrors {
  return definedErrors({
    user: form.user === saved.user ? undefined : checkUser(form.user),
    team: checkTeam(form.team),
    passkey: form.secrets.passkey === saved.secrets.passkey ? undefined : checkPasskey(form.secrets.passkey),
    node: form.node === saved.node ? undefined : checkNode(form.node),
  })
}

/** The body of `PUT /account` (docs/product.md §7). */
export function accountBody({
  user,
  team,
  cause,
  node,
  avatar,
  config,
  secrets: { passkey },
}: AccountForm): JsonObject {
  return {
    user: userToSend(user),
    team: teamNumber(team),
    passkey,
    cause: cause.toLowerCase(),
    node,
    avatar,
    config: config as JsonObject,
  }
}

/** The part of the clients' own config that an account change touches, to be broadcast (docs/protocol.md §5). */
export function configForClients(before: AccountForm, after: AccountForm): JsonObject {
  const next = accountBody(after)
  const previous = accountBody(before)
  const changed = ['user', 'team', 'passkey', 'cause'].filter(key => !isSameValue(next[key], previous[key]))
  return Object.fromEntries(changed.map(key => [key, next[key] ?? '']))
}
