/*
 * What numbers in forms may be. A client takes over any number without a word and then computes with what fits into its
 * own types: team 5000000000 would fold as team 705032704.
 */
import { t } from '@lingui/core/macro'
import { formatNumber } from './format.ts'

/** Whole numbers, both ends included. */
export type Limit = { readonly least: number; readonly most: number }

/** A client's own limit. 0 is no team. */
export const TEAM: Limit = { least: 0, most: 2_147_483_647 }

/** Beyond this a number in JSON is not exact any more. 0 is no key. */
export const PROJECT_KEY: Limit = { least: 0, most: Number.MAX_SAFE_INTEGER }

/** A hundred years: more than any machine has to tell of. */
export const DAYS: Limit = { least: 0, most: 36_525 }

/** As many as the machine has; as long as that is not known, what a client can count. */
export const cpusLimit = (count?: number): Limit => ({ least: 0, most: count ?? 4_294_967_295 })

export const isWithin = (value: number, { least, most }: Limit): boolean => value >= least && value <= most

/** A whole number as it was typed; nothing typed is `least`. Undefined for anything else, and beyond the limit. */
export const wholeNumber = (typed: string, limit: Limit): number | undefined => {
  const trimmed = typed.trim()
  const value = trimmed === '' ? limit.least : Number(trimmed)
  return /^\d*$/.test(trimmed) && isWithin(value, limit) ? value : undefined
}

/** What to say of a number that is too large. */
export const tooLarge = (what: string, { most }: Limit): string => t`${what} can be at most ${formatNumber(most)}`
