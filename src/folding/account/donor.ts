/*
 * Whom somebody folds for, as an account or a client on this computer is set.
 */
import { isSameValue } from '../shared/equal.ts'
import { finite, own, text } from '../shared/read.ts'
import { isAnonymous } from '../shared/validation.ts'

/** What sits under `secrets` never enters a recording. Team 0 is none. */
export type DonorConfig = {
  readonly user: string
  readonly team: number
  readonly secrets: { readonly passkey: string }
}

export const nobody: DonorConfig = Object.freeze({ user: '', team: 0, secrets: Object.freeze({ passkey: '' }) })

/** From an account's or a client's settings, whatever they hold. */
export const donorConfigOf = (config: unknown, passkey: unknown = own(config, 'passkey')): DonorConfig => ({
  user: text(own(config, 'user')) ?? '',
  team: Math.max(0, Math.trunc(finite(own(config, 'team')) ?? 0)),
  secrets: { passkey: text(passkey) ?? '' },
})

export const isSameDonor = (a: DonorConfig | undefined, b: DonorConfig | undefined): boolean => isSameValue(a, b)

/** The name that points are counted for; undefined for who folds anonymously. */
export const donorName = ({ user }: DonorConfig): string | undefined => (isAnonymous(user) ? undefined : user)
