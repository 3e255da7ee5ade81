/*
 * Validation of the dialogs for registration and sign-in.
 */
import { t } from '@lingui/core/macro'
import {
  type ValidationError,
  checkEmail,
  checkPasskey,
  checkPassphrase,
  checkPassphrases,
  checkRequiredUser,
  checkTeam,
  checkUser,
} from '../shared/validation.ts'

export type RegistrationDraft = {
  readonly email: string
  readonly passphrase: string
  readonly passphraseAgain: string
  readonly user: string
  readonly team: string
  readonly passkey: string
}

/** Error texts by field; valid fields are missing. */
export type ValidationErrors<Field extends string> = { readonly [F in Field]?: string }

export function checkRegistration(draft: RegistrationDraft): ValidationErrors<keyof RegistrationDraft> {
  return definedErrors({
    email: checkEmail(draft.email),
    ...newPassphraseErrors(draft),
    user: checkUser(draft.user),
    team: checkTeam(draft.team),
    passkey: checkPasskey(draft.passkey),
  })
}

/** For all forms that set a passphrase. The repetition is compared once the passphrase itself is right. */
export function newPassphraseErrors(
  { passphrase, passphraseAgain }: Pick<RegistrationDraft, 'passphrase' | 'passphraseAgain'>,
  current?: string,
) {
  const unfit = checkPassphrase(passphrase) ?? (passphrase === current ? t`This is your current passphrase` : undefined)
  return {
    passphrase: unfit,
    passphraseAgain: unfit === undefined ? checkPassphrases(passphrase, passphraseAgain) : undefined,
  }
}

/** For the new account dialog, which requires a user name. */
export function checkNewAccount(
  draft: Pick<RegistrationDraft, 'user' | 'team' | 'passkey'>,
): ValidationErrors<'user' | 'team' | 'passkey'> {
  return definedErrors({
    user: checkRequiredUser(draft.user),
    team: checkTeam(draft.team),
    passkey: checkPasskey(draft.passkey),
  })
}

/** For the sign-in dialog. In reset mode only the email is checked. */
export function checkSignIn(
  draft: Pick<RegistrationDraft, 'email' | 'passphrase'>,
  mode: 'login' | 'reset' = 'login',
): ValidationErrors<'email' | 'passphrase'> {
  return definedErrors({
    email: checkEmail(draft.email),
    passphrase: mode === 'reset' ? undefined : checkPassphrase(draft.passphrase),
  })
}

export function hasNoErrors(errors: ValidationErrors<string>): boolean {
  return Object.keys(errors).length === 0
}

/** Drops the fields without an error. */
export function definedErrors<Field extends string>(fieldErrors: {
  readonly [F in Field]?: ValidationError
}): ValidationErrors<Field> {
  const errors: { [F in Field]?: string } = {}
  for (const field in fieldErrors) {
    const error = fieldErrors[field]
    if (error !== undefined) errors[field] = error
  }
  return errors
}
