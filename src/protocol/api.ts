import * as v from 'valibot'
import type { Fault, Result } from './fault.ts'
import { bad, good } from './fault.ts'
import type { Frozen } from './frozen.ts'
import type { Json } from './json.ts'
import { isJsonList, isJsonObject, parseMessage } from './json.ts'
import { fit, wrongType } from './shape.ts'
import type { Version } from './version.ts'
import { parseVersion } from './version.ts'

/** Replies of the project's API (product.md §7, wire.md §11.1, §16). Unknown fields are kept; wrong ones are left out and reported. */

const field = v.exactOptional
const text = field(v.string())
const number = field(v.number())
const flag = field(v.boolean())

const appearance = v.looseObject({
  dark: flag, compact: flag, wide: flag, hide_empty_groups: flag, columns: field(v.array(v.string())),
})

const team = v.looseObject({ team: number, name: text, url: text, logo: text, wus: number, score: number })

const accountMachine = v.looseObject({ id: v.string(), name: text })

const account = v.looseObject({
  id: text, email: text,
  /** When the account was made; present = signed in. */
  created: text,
  user: text, team: number, passkey: text, cause: text, avatar: text,
  /** SPKI, base64. */
  pubkey: text,
  /** Host, with or without a port. */
  node: text,
  /** Machines are linked with it. */
  token: text,
  config: field(appearance),
  machines: field(v.array(accountMachine)),
  teams: field(v.array(team)),
})

const donorTeam = v.looseObject({
  team: number, name: text, logo: text, url: text,
  trank: number, tscore: number, twus: number, score: number, wus: number,
})

const donor = v.looseObject({
  id: number, pid: number, name: text, rank: number, score: number, wus: number,
  active_7: number, active_50: number, teams: field(v.array(donorTeam)),
})

const teamStats = v.looseObject({ id: number, name: text, score: number, wus: number, rank: number, logo: text, url: text })

const project = v.looseObject({
  id: number, manager: text, institution: text, cause: text, thumb: text, description: text, mthumb: text, mdescription: text,
})

const credit = v.looseObject({ code: text, user: text, team: number, credit: number, assign_time: text, credit_time: text })

const article = v.looseObject({ slug: text, title: text, author: text, published: text, excerpt: text, hero: text })

const login = v.looseObject({ id: text, redirect: text })

const secret = v.looseObject({ secret: v.string() })

/** What a machine gets about its account. */
const machineRecord = v.looseObject({
  pubkey: text, node: text, mach_name: text, user: text, team: number, passkey: text, cause: text,
})

export type Account = Frozen<v.InferOutput<typeof account>>
export type AccountTeam = Frozen<v.InferOutput<typeof team>>
export type Appearance = Frozen<v.InferOutput<typeof appearance>>
export type Donor = Frozen<v.InferOutput<typeof donor>>
export type TeamStats = Frozen<v.InferOutput<typeof teamStats>>
export type Project = Frozen<v.InferOutput<typeof project>>
export type Credit = Frozen<v.InferOutput<typeof credit>>
export type Article = Frozen<v.InferOutput<typeof article>>
export type AccountMachine = Frozen<v.InferOutput<typeof accountMachine>>
export type MachineRecord = Frozen<v.InferOutput<typeof machineRecord>>
export type LoginReply = Frozen<v.InferOutput<typeof login>>

const decodeAs = <T>(schema: v.GenericSchema<T>, json: Json): Result<T> => {
  const faults: Fault[] = []
  const value = fit(schema, json, [], fault => faults.push(fault))
  return value === undefined ? bad(faults[0] ?? wrongType([], 'a reply', json)) : good(value, faults)
}

/** The text of an error reply, `{"error": text}`. */
export const decodeApiError = (json: Json): string | undefined => {
  const error = isJsonObject(json) ? json['error'] : undefined
  return typeof error === 'string' ? error : undefined
}

/** GET /account. `config` comes as an object or as the same in JSON text. */
export const decodeAccount = (json: Json): Result<Account> => {
  const config = isJsonObject(json) ? json['config'] : undefined
  const parsed = typeof config === 'string' ? parseMessage(config) : undefined
  const isText = isJsonObject(json) && parsed?.ok === true
  return decodeAs(account, isText ? { ...json, config: parsed.value } : json)
}

/** GET /login and /login/{provider}: the session id, or where to go for it. */
export const decodeLogin = (json: Json): Result<LoginReply> => decodeAs(login, json)

/** GET /account/secret: the wrapped private key, base64. */
export const decodeSecret = (json: Json): Result<string> => {
  const reply = decodeAs(secret, json)
  return reply.ok ? good(reply.value.secret, reply.faults) : reply
}

/** GET /account/machines, and the same list inside the account. */
export const decodeMachines = (json: Json): Result<readonly AccountMachine[]> => decodeAs(v.array(accountMachine), json)

/** GET /machine/{id}, as a machine asks it. */
export const decodeMachineRecord = (json: Json): Result<MachineRecord> => decodeAs(machineRecord, json)

/** GET /project/cause: 'any', then the others in order; the first entry on the wire says 'unspecified' and is left out. */
export const decodeCauses = (json: Json): Result<readonly string[]> => {
  if (!isJsonList(json) && !isJsonObject(json)) return bad(wrongType([], 'list', json))
  const [, ...causes] = isJsonList(json) ? json : Object.values(json)
  const names = new Set(causes.filter(cause => typeof cause === 'string'))
  names.delete('any')
  return good(['any', ...[...names].sort((a, b) => a.localeCompare(b))])
}

/** GET /project/{id}. A reply with an error is no project. */
export const decodeProject = (json: Json): Result<Project> => {
  const error = decodeApiError(json)
  return error === undefined ? decodeAs(project, json) : bad({ kind: 'unknown-message', found: error })
}

export const decodeTeam = (json: Json): Result<TeamStats> => decodeAs(teamStats, json)

/** GET /user/{name}. */
export const decodeDonor = (json: Json): Result<Donor> => decodeAs(donor, json)

/** GET /project/{project}/run/{run}/clone/{clone}/gen/{gen}. */
export const decodeCredits = (json: Json): Result<readonly Credit[]> => decodeAs(v.array(credit), json)

/** GET /article. */
export const decodeArticles = (json: Json): Result<readonly Article[]> => decodeAs(v.array(article), json)

/** The download host's list: its first entry holds the latest version as three numbers. */
export const decodeLatestVersion = (json: Json): Result<Version> => {
  const first = isJsonList(json) ? json[0] : undefined
  const version = isJsonObject(first) ? parseVersion(first['version']) : undefined
  return version ? good(version) : bad(wrongType([0, 'version'], 'three numbers', json))
}
