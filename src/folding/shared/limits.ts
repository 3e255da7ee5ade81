/* Numbers in forms: their limits, how typed text is read, and what is said of a number that does not fit. */
import { t } from '@lingui/core/macro'
import { settingsTable, type Limits } from '../../protocol/client/settings-table.ts'
import { formatNumber } from '../text/format.ts'
import { plainNumber } from '../text/typed-number.ts'

export type { Limits }

/** 0 is no team. */
export const TEAM: Limits = settingsTable.team.limits

/** Days in the Within filter: a hundred years, more than any client can report. */
export const DAYS: Limits = { least: 0, most: 36_525 }

export function isWithin(value: number, { least, most }: Limits): boolean {
  return value >= least && value <= most
}

/** Reads a typed whole number; an empty text is `least`. Undefined for anything else, and beyond the limits. */
export function wholeNumber(typed: string, limits: Limits): number | undefined {
  const trimmed = plainNumber(typed)
  const value = trimmed === '' ? limits.least : Number(trimmed)
  return /^\d*$/.test(trimmed) && isWithin(value, limits) ? value : undefined
}

/** The validation error of a typed whole number, shown below its field. */
export function wholeNumberError(typed: string, limits: Limits): string | undefined {
  if (!/^\d*$/.test(plainNumber(typed))) return t`Enter a whole number`
  return wholeNumber(typed, limits) === undefined ? t`Enter a number up to ${formatNumber(limits.most)}` : undefined
}

/** The message about a number that is too large. */
export function tooLarge(label: string, { most }: Limits): string {
  return t`${label} can be at most ${formatNumber(most)}`
}
