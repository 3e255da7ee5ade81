/*
 * The donor that points are credited to, from the settings of an account or of the client on this computer.
 */
import { finite, ownValue, text } from '../shared/read.ts'
import { isAnonymous } from '../shared/validation.ts'

/** Anything under `secrets` is never recorded. Team 0: none. */
export type DonorConfig = {
  readonly user: string
  readonly team: number
  readonly secrets: { readonly passkey: string }
}

export const noDonor: DonorConfig = Object.freeze({ user: '', team: 0, secrets: Object.freeze({ passkey: '' }) })

/** From an account's or a client's unchecked settings. */
export function donorConfigOf(config: unknown, passkey: unknown = ownValue(config, 'passkey')): DonorConfig {
  return {
    user: text(ownValue(config, 'user')) ?? '',
    team: Math.max(0, Math.trunc(finite(ownValue(config, 'team')) ?? 0)),
    secrets: { passkey: text(passkey) ?? '' },
  }
}

/** The donor's name; undefined when folding anonymously. */
export function donorName({ user }: DonorConfig): string | undefined {
  return isAnonymous(user) ? undefined : user
}
