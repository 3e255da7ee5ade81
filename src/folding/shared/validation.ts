import { t } from '@lingui/core/macro'
import { nodeSocketUrl } from './address.ts'

/*
 * The rules for what people enter (docs/product.md §5). Every check answers with the message to show, or undefined
 * when the value is fine; messages of docs/product.md §5 are used to the letter.
 */

import { DAYS, isWithin, TEAM, tooLarge, wholeNumber } from './limits.ts'

/** A message for people; undefined means that the value is fine. */
export type Complaint = string | undefined

export const USER_LENGTH = t`User name must be empty or between 2 and 100 characters`
export const USER_CHARACTERS = t`User name cannot contain any of the following: <>;&: or tab`
export const INVALID_TEAM = t`Invalid team number`
const TEAM_TOO_LARGE = tooLarge(t`A team number`, TEAM)
export const INVALID_PASSKEY = t`Invalid passkey`
export const PASSPHRASE_TOO_SHORT = t`Your passphrase must be at least 10 characters long`
export const PASSPHRASES_DIFFER = t`Passphrases do not match`
export const EMAIL_REQUIRED = t`A valid email address is required`
export const INVALID_EMAIL = t`Invalid email address`

/** Empty, or 2 to 100 characters without < > ; & : or tab. */
export const checkUser = (user: string): Complaint => {
  if (user === '') return undefined
  if (!isBetween(user, 2, 100)) return USER_LENGTH
  return /[<>;&:\t]/.test(user) ? USER_CHARACTERS : undefined
}

/** The new account dialog wants a name: 2 to 100 characters. */
export const checkRequiredUser = (user: string): Complaint =>
  user === '' ? t`A user name between 2 and 100 characters is required` : checkUser(user)

/** Digits only; empty counts as 0, no team. */
export const checkTeam = (team: string): Complaint => {
  if (!/^\d*$/.test(team)) return INVALID_TEAM
  return wholeNumber(team, TEAM) === undefined ? TEAM_TOO_LARGE : undefined
}

/** The number of a valid team text: '' → 0. */
export const teamNumber = (team: string): number => (checkTeam(team) === undefined ? (wholeNumber(team, TEAM) ?? 0) : 0)

/** Empty, or 31 to 32 hexadecimal characters; 'loose', as machine settings take it, from 30. */
export const checkPasskey = (passkey: string, rule: 'strict' | 'loose' = 'strict'): Complaint => {
  if (passkey === '') return undefined
  const fits = rule === 'strict' ? /^[0-9a-f]{31,32}$/i : /^[0-9a-f]{30,32}$/i
  return fits.test(passkey) ? undefined : INVALID_PASSKEY
}

/** At least 10 characters. */
export const checkPassphrase = (passphrase: string): Complaint =>
  Array.from(passphrase).length < 10 ? PASSPHRASE_TOO_SHORT : undefined

/** Two passphrase fields: long enough and equal. */
export const checkPassphrases = (passphrase: string, again: string): Complaint =>
  checkPassphrase(passphrase) ?? (passphrase === again ? undefined : PASSPHRASES_DIFFER)

/** Required; 1 to 64 characters, @, then 4 to 255 characters. */
export const checkEmail = (email: string): Complaint => {
  if (email.trim() === '') return EMAIL_REQUIRED
  return /^.{1,64}@.{4,255}$/u.test(email) ? undefined : INVALID_EMAIL
}

/** 1 to 64 letters, digits, underscores, dashes or dots. */
export const checkMachineName = (name: string): Complaint => {
  if (name === '') return t`A machine needs a name`
  if (name.length > 64) return t`A machine name has at most 64 characters`
  return /^[A-Za-z0-9_.-]+$/.test(name)
    ? undefined
    : t`A machine name consists of letters, digits, underscores, dashes and dots`
}

/**
 * A dotted host name of letters, digits and hyphens with at least two parts, and `:port` where it has one of its own.
 * The API names no default, so that an empty one would cut the account off from its machines.
 */
export const checkNode = (node: string): Complaint => {
  if (node === '') return t`A node is required: your machines are reached through it`
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/i.test(node) && nodeSocketUrl(node, 'wss') !== undefined
    ? undefined
    : t`A node is a host name such as node1.example.org, with an optional :port`
}

/** 2 to 100 characters, none of < > ; & " ' \ or a backtick. */
export const checkTeamName = (name: string): Complaint => {
  if (!isBetween(name, 2, 100)) return t`Team name must be between 2 and 100 characters`
  return /[<>;&"'\\`]/.test(name) ? t`Team name cannot contain any of the following: <>;&"'\\\`` : undefined
}

const TEAM_URL_EXCLUDED = '<>;\'"`{}^\\[]|'

/** Empty, or an address without < > ; ' " backtick { } ^ \ [ ] |. */
export const checkTeamUrl = (url: string): Complaint => {
  if (url === '') return undefined
  if (/[<>;'"`{}^\\[\]|]/.test(url)) return t`Team URL cannot contain any of the following: ${TEAM_URL_EXCLUDED}`
  return /^https?:\/\/[^\s/]+/i.test(withScheme(url)) && URL.canParse(withScheme(url))
    ? undefined
    : t`Team URL must be a web address`
}

/** The team URL as it is saved: 'https://' stands in front when there is no '://'. */
export const withScheme = (url: string): string => (url === '' || url.includes('://') ? url : `https://${url}`)

/** A new resource group's name: trimmed. An existing one is only selected, so that is no complaint. */
export const newGroupName = (typed: string): string => typed.trim()

/** The Within filter in days, also parts of them; undefined when it is no such number (and so filters nothing). */
export const daysOf = (typed: string): number | undefined => {
  const days = typed.trim() === '' ? Number.NaN : Number(typed)
  return isWithin(days, DAYS) ? days : undefined
}

/** A name that stands for nobody: empty, or 'anonymous' in any case. Such a donor has no statistics without a team. */
export const isAnonymous = (user: unknown): boolean =>
  typeof user !== 'string' || user.trim() === '' || user.trim().toLowerCase() === 'anonymous'

/** The user name as it is sent: empty becomes 'Anonymous'. */
export const userToSend = (user: string): string => (user === '' ? t`Anonymous` : user)

const isBetween = (value: string, least: number, most: number): boolean => {
  const { length } = Array.from(value)
  return length >= least && length <= most
}
