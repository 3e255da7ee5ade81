import * as v from 'valibot'
import { type Fault, type Result, bad, good } from '../fault.ts'
import type { Frozen } from '../frozen.ts'
import { type Json, isJsonList, isJsonObject, parseMessage } from '../json.ts'
import {
  field,
  flagField,
  numberField,
  object,
  personalField,
  personalNumberField,
  personalText,
  plainField,
  textsField,
} from '../schema.ts'
import { fitToSchema, wrongType } from '../shape.ts'
import { type Version, parseVersion } from '../client/version.ts'

/**
 * Replies of the project's API (docs/product.md §7, docs/protocol.md §11.1, §16). Unknown fields are kept; wrong ones
 * are left out and reported.
 */

const appearance = object({
  dark: flagField,
  compact: flagField,
  wide: flagField,
  hide_empty_groups: flagField,
  columns: textsField,
})

const team = object({
  team: personalNumberField('team'),
  name: personalField('team'),
  url: personalField('host'),
  logo: personalField('picture'),
  wus: numberField,
  score: numberField,
})

const accountClient = object({ id: personalText('id'), name: personalField('machine') })

const account = object({
  id: personalField('id'),
  email: personalField('email'),
  /** Creation time; present means signed in. */
  created: plainField,
  user: personalField('user'),
  team: personalNumberField('team'),
  passkey: personalField('secret'),
  cause: plainField,
  avatar: personalField('picture'),
  /** SPKI, base64. */
  pubkey: personalField('publicKey'),
  /** Host, with or without a port. */
  node: personalField('host'),
  /** Clients are linked with it. */
  token: personalField('secret'),
  config: field(appearance),
  machines: field(v.array(accountClient)),
  teams: field(v.array(team)),
})

const donorTeam = object({
  team: personalNumberField('team'),
  name: personalField('team'),
  logo: personalField('picture'),
  url: personalField('host'),
  trank: numberField,
  tscore: numberField,
  twus: numberField,
  score: numberField,
  wus: numberField,
})

const donor = object({
  id: personalNumberField('person'),
  pid: personalNumberField('person'),
  name: personalField('user'),
  rank: numberField,
  score: numberField,
  wus: numberField,
  active_7: numberField,
  active_50: numberField,
  teams: field(v.array(donorTeam)),
})

const teamStats = object({
  id: personalNumberField('team'),
  name: personalField('team'),
  score: numberField,
  wus: numberField,
  rank: numberField,
  logo: personalField('picture'),
  url: personalField('host'),
})

const project = object({
  id: numberField,
  manager: plainField,
  institution: plainField,
  cause: plainField,
  thumb: plainField,
  description: plainField,
  mthumb: plainField,
  mdescription: plainField,
})

const credit = object({
  code: plainField,
  user: personalField('user'),
  team: personalNumberField('team'),
  credit: numberField,
  assign_time: plainField,
  credit_time: plainField,
})

const article = object({
  slug: plainField,
  title: plainField,
  author: plainField,
  published: plainField,
  excerpt: plainField,
  hero: plainField,
})

const login = object({ id: personalField('secret'), redirect: plainField })

const secret = object({ secret: personalText('secret') })

/** A client's view of its account. */
const clientRecord = object({
  pubkey: personalField('publicKey'),
  node: personalField('host'),
  mach_name: personalField('machine'),
  user: personalField('user'),
  team: personalNumberField('team'),
  passkey: personalField('secret'),
  cause: plainField,
})

export type Account = Frozen<v.InferOutput<typeof account>>
export type AccountTeam = Frozen<v.InferOutput<typeof team>>
export type Appearance = Frozen<v.InferOutput<typeof appearance>>
export type Donor = Frozen<v.InferOutput<typeof donor>>
export type TeamStats = Frozen<v.InferOutput<typeof teamStats>>
export type Project = Frozen<v.InferOutput<typeof project>>
export type Credit = Frozen<v.InferOutput<typeof credit>>
export type Article = Frozen<v.InferOutput<typeof article>>
export type AccountClientRecord = Frozen<v.InferOutput<typeof clientRecord>>
export type LoginReply = Frozen<v.InferOutput<typeof login>>

/** Validates a reply against a schema. */
export function decodeAs<T>(schema: v.GenericSchema<T>, json: Json): Result<T> {
  const faults: Fault[] = []
  const value = fitToSchema(schema, json, [], fault => faults.push(fault))
  return value === undefined ? bad(faults[0] ?? wrongType([], 'a reply', json)) : good(value, faults)
}

/** The text of an error reply, `{"error": text}`. */
export function decodeApiError(json: Json): string | undefined {
  const error = isJsonObject(json) ? json['error'] : undefined
  return typeof error === 'string' ? error : undefined
}

/** GET /account. `config` comes as an object or as the same in JSON text. */
export function decodeAccount(json: Json): Result<Account> {
  const config = isJsonObject(json) ? json['config'] : undefined
  const parsed = typeof config === 'string' ? parseMessage(config) : undefined
  const isText = isJsonObject(json) && parsed?.ok === true
  return decodeAs(account, isText ? { ...json, config: parsed.value } : json)
}

/** GET /login and /login/{provider}: the session id, or where to redirect to. */
export function decodeLogin(json: Json): Result<LoginReply> {
  return decodeAs(login, json)
}

/** GET /account/secret: the wrapped private key, base64. */
export function decodeSecret(json: Json): Result<string> {
  const reply = decodeAs(secret, json)
  return reply.ok ? good(reply.value.secret, reply.faults) : reply
}

/** GET /client/{id}, called by clients. */
export function decodeClientRecord(json: Json): Result<AccountClientRecord> {
  return decodeAs(clientRecord, json)
}

/** GET /project/cause: 'any', then the others in order; the first entry on the wire is 'unspecified' and is left out. */
export function decodeCauses(json: Json): Result<readonly string[]> {
  if (!isJsonList(json) && !isJsonObject(json)) return bad(wrongType([], 'list', json))
  const [, ...causes] = isJsonList(json) ? json : Object.values(json)
  const names = new Set(causes.filter(cause => typeof cause === 'string'))
  names.delete('any')
  return good(['any', ...[...names].sort()])
}

/** GET /project/{id}. A reply with an error is a fault. */
export function decodeProject(json: Json): Result<Project> {
  const error = decodeApiError(json)
  return error === undefined ? decodeAs(project, json) : bad({ kind: 'unknown-message', found: error })
}

export function decodeTeam(json: Json): Result<TeamStats> {
  return decodeAs(teamStats, json)
}

/** GET /user/{name}. */
export function decodeDonor(json: Json): Result<Donor> {
  return decodeAs(donor, json)
}

/** GET /project/{project}/run/{run}/clone/{clone}/gen/{gen}. */
export function decodeCredits(json: Json): Result<readonly Credit[]> {
  return decodeAs(v.array(credit), json)
}

/** GET /article. */
export function decodeArticles(json: Json): Result<readonly Article[]> {
  return decodeAs(v.array(article), json)
}

/** The download host's list: its first entry holds the latest version as three numbers. */
export function decodeLatestVersion(json: Json): Result<Version> {
  const first = isJsonList(json) ? json[0] : undefined
  const version = isJsonObject(first) ? parseVersion(first['version']) : undefined
  return version ? good(version) : bad(wrongType([0, 'version'], 'three numbers', json))
}
