/*
 * Validation of form fields (docs/product.md §5). Every check returns the error to show, or undefined when the value is
 * valid. Messages that docs/product.md §5 quotes are used to the letter.
 */
import { t } from '@lingui/core/macro'
import { nodeSocketUrl } from '../address/address.ts'
import { DAYS, isWithin, TEAM, tooLarge, wholeNumber } from './limits.ts'
import { latinDigits, plainNumber } from '../text/typed-number.ts'

/** The error to show; undefined when the value is valid. */
export type ValidationError = string | undefined

const USER_LENGTH = t`User name must be empty or between 2 and 100 characters`
const USER_CHARACTERS = t`User name cannot contain any of the following: <>;&: or tab`
const INVALID_TEAM = t`Invalid team number`
const INVALID_PASSKEY = t`Invalid passkey`
const PASSPHRASE_TOO_SHORT = t`Your passphrase must be at least 10 characters long`
const PASSPHRASES_DIFFER = t`Passphrases do not match`
const EMAIL_REQUIRED = t`A valid email address is required`
const INVALID_EMAIL = t`Invalid email address`

/** Empty, or 2 to 100 characters without < > ; & : or tab. */
export function checkUser(user: string): ValidationError {
  if (user === '') return undefined
  if (!isBetween(user, 2, 100)) return USER_LENGTH
  return /[<>;&:\t]/.test(user) ? USER_CHARACTERS : undefined
}

/** For the new account dialog, which requires a name. */
export function checkRequiredUser(user: string): ValidationError {
  return user === '' ? t`A user name between 2 and 100 characters is required` : checkUser(user)
}

/** Digits only; empty counts as 0, no team. */
export function checkTeam(team: string): ValidationError {
  if (!/^\d*$/.test(latinDigits(team))) return INVALID_TEAM
  return wholeNumber(team, TEAM) === undefined ? tooLarge(t`A team number`, TEAM) : undefined
}

/** The number of a valid team text: '' → 0. */
export function teamNumber(team: string): number {
  return checkTeam(team) === undefined ? (wholeNumber(team, TEAM) ?? 0) : 0
}

/** Empty, or 31 to 32 hexadecimal characters; 'loose' (client settings) allows 30. */
export function checkPasskey(passkey: string, rule: 'strict' | 'loose' = 'strict'): ValidationError {
  if (passkey === '') return undefined
  const fits = rule === 'strict' ? /^[0-9a-f]{31,32}$/i : /^[0-9a-f]{30,32}$/i
  return fits.test(passkey) ? undefined : INVALID_PASSKEY
}

/** At least 10 characters. */
export function checkPassphrase(passphrase: string): ValidationError {
  return Array.from(passphrase).length < 10 ? PASSPHRASE_TOO_SHORT : undefined
}

/** Two passphrase fields: long enough and equal. */
export function checkPassphrases(passphrase: string, again: string): ValidationError {
  return checkPassphrase(passphrase) ?? (passphrase === again ? undefined : PASSPHRASES_DIFFER)
}

/** Required; 1 to 64 characters, @, then 4 to 255 characters. */
export function checkEmail(email: string): ValidationError {
  if (email.trim() === '') return EMAIL_REQUIRED
  return /^.{1,64}@.{4,255}$/u.test(email) ? undefined : INVALID_EMAIL
}

/** 1 to 64 letters, digits, underscores, dashes or dots. */
export function checkClientName(name: string): ValidationError {
  if (name === '') return t`Enter a machine name`
  if (name.length > 64) return t`Machine name must be at most 64 characters`
  return /^[A-Za-z0-9_.-]+$/.test(name)
    ? undefined
    : t`Machine name can contain only letters, digits, underscores, dashes and dots`
}

/**
 * A dotted host name of letters, digits and hyphens with at least two parts, optionally with `:port`. The API has no
 * default: without a node the account cannot reach its clients.
 */
export function checkNode(node: string): ValidationError {
  if (node === '') return t`A node is required to reach your machines`
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/i.test(node) && nodeSocketUrl(node, 'wss') !== undefined
    ? undefined
    : t`Node must be a host name such as node1.example.org, optionally with :port`
}

/** 2 to 100 characters, none of < > ; & " ' \ or a backtick. */
export function checkTeamName(name: string): ValidationError {
  if (!isBetween(name, 2, 100)) return t`Team name must be between 2 and 100 characters`
  return /[<>;&"'\\`]/.test(name) ? t`Team name cannot contain any of the following: <>;&"'\\\`` : undefined
}

const TEAM_URL_EXCLUDED = '<>;\'"`{}^\\[]|'

/** Empty, or an address without < > ; ' " backtick { } ^ \ [ ] |. */
export function checkTeamUrl(url: string): ValidationError {
  if (url === '') return undefined
  if (/[<>;'"`{}^\\[\]|]/.test(url)) return t`Team URL cannot contain any of the following: ${TEAM_URL_EXCLUDED}`
  return /^https?:\/\/[^\s/]+/i.test(withScheme(url)) && URL.canParse(withScheme(url))
    ? undefined
    : t`Team URL must be a web address`
}

/** The team URL as it is saved: with 'https://' in front when it has no '://'. */
export function withScheme(url: string): string {
  return url === '' || url.includes('://') ? url : `https://${url}`
}

/** A new resource group's name, trimmed. The name of an existing group is valid: it selects that group. */
export function newGroupName(typed: string): string {
  return typed.trim()
}

/** The Within filter in days, fractions included; undefined when it is not a number and filters nothing. */
export function daysOf(typed: string): number | undefined {
  const days = typed.trim() === '' ? Number.NaN : Number(plainNumber(typed))
  return isWithin(days, DAYS) ? days : undefined
}

/** Empty, or 'anonymous' in any case. Such a donor has no statistics without a team. */
export function isAnonymous(user: unknown): boolean {
  return typeof user !== 'string' || user.trim() === '' || user.trim().toLowerCase() === 'anonymous'
}

/** The user name as it is sent: empty becomes 'Anonymous', whatever the locale. */
export function userToSend(user: string): string {
  return user === '' ? ANONYMOUS : user
}

const ANONYMOUS = 'Anonymous' satisfies 'Anonymous'

function isBetween(value: string, least: number, most: number): boolean {
  const { length } = Array.from(value)
  return length >= least && length <= most
}
