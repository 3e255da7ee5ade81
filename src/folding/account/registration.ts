import type { Complaint } from '../shared/validation.ts'
import {
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

/** Complaints by field; a field without one is fine. */
export type Complaints<Field extends string> = { readonly [F in Field]?: string }

/** What is wrong with a registration, by field. */
export const checkRegistration = (draft: RegistrationDraft): Complaints<keyof RegistrationDraft> => {
  const short = checkPassphrase(draft.passphrase)
  return onlyComplaints({
    email: checkEmail(draft.email),
    passphrase: short,
    passphraseAgain: short === undefined ? checkPassphrases(draft.passphrase, draft.passphraseAgain) : undefined,
    user: checkUser(draft.user),
    team: checkTeam(draft.team),
    passkey: checkPasskey(draft.passkey),
  })
}

/** What is wrong with the new account dialog's fields; here the user name is required. */
export const checkNewAccount = (
  draft: Pick<RegistrationDraft, 'user' | 'team' | 'passkey'>,
): Complaints<'user' | 'team' | 'passkey'> =>
  onlyComplaints({
    user: checkRequiredUser(draft.user),
    team: checkTeam(draft.team),
    passkey: checkPasskey(draft.passkey),
  })

/** What is wrong with a sign-in: the e-mail and the passphrase. In reset mode only the e-mail is looked at. */
export const checkSignIn = (
  draft: Pick<RegistrationDraft, 'email' | 'passphrase'>,
  mode: 'login' | 'reset' = 'login',
): Complaints<'email' | 'passphrase'> =>
  onlyComplaints({
    email: checkEmail(draft.email),
    passphrase: mode === 'reset' ? undefined : checkPassphrase(draft.passphrase),
  })

/** Whether nothing is wrong. */
export const isClean = (complaints: Complaints<string>): boolean => Object.keys(complaints).length === 0

export const onlyComplaints = <Field extends string>(given: {
  readonly [F in Field]: Complaint
}): Complaints<Field> => {
  const complaints: { [F in Field]?: string } = {}
  for (const field in given) {
    const complaint = given[field]
    if (complaint !== undefined) complaints[field] = complaint
  }
  return complaints
}
