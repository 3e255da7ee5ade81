import { escapeText } from '../../protocol/url.ts'
import type { Credit, Donor, Project, TeamStats } from '../../protocol/api/api.ts'
import type { License } from '../../protocol/api/licenses.ts'
import type { SeriesPoint } from '../../protocol/api/series.ts'
import type { News } from '../../protocol/api/news.ts'

/** Types of remote values, by the first part of their key. */
export type ResourceValues = {
  /** The newest client's version, as '8.5.7'. */
  readonly version: string
  /** 'any', then the others in order. */
  readonly causes: readonly string[]
  readonly user: Donor
  readonly team: TeamStats
  readonly project: Project
  readonly credits: readonly Credit[]
  readonly news: News
  /** Points over time that the server of this page keeps, in order. */
  readonly standings: readonly SeriesPoint[]
  /** The libraries in this build. */
  readonly licenses: readonly License[]
}

type Kind = keyof ResourceValues

/** The key of a remote value, also in this browser's cache: it must hold nothing private. */
export type ResourceKey = Kind | `${Kind}/${string}`

export type ValueOf<Key extends ResourceKey> = Key extends `${infer Name extends Kind}/${string}`
  ? ResourceValues[Name]
  : Key extends Kind
    ? ResourceValues[Key]
    : never

/** Sent with the request and stored nowhere. */
export type ResourceSecrets = { readonly passkey: string }

export function userKey(name: string, team: number) {
  return `user/${escapeText(name)}/${team}` as const
}
export function teamKey(team: number) {
  return `team/${team}` as const
}
/** What the server of this page keeps of a donor or team. */
export function standingsKey(kind: 'donor' | 'team', name: string) {
  return `standings/${kind}/${escapeText(name)}` as const
}
export function projectKey(project: number) {
  return `project/${project}` as const
}
export type UnitName = { readonly project: number; readonly run: number; readonly clone: number; readonly gen: number }
export function creditsKey({ project, run, clone, gen }: UnitName) {
  return `credits/${project}/${run}/${clone}/${gen}` as const
}

/** 'user/a%2Fb/7' → ['user', 'a/b', '7']. */
export function partsOfKey(key: ResourceKey): readonly [Kind, ...string[]] {
  const [kind = '', ...names] = key.split('/')
  return [kind as Kind, ...names.map(decodeURIComponent)]
}

/** How long a value is cached, in milliseconds. */
export type CachePolicy = {
  /** How long a value counts as fresh. */
  readonly freshFor: number
  /** How long a stale value may be shown while it is fetched again. */
  readonly keptFor: number
  /** Delay after a failure. */
  readonly retryDelay: number
  /** About a person: deleted when that person signs out. */
  readonly isPersonal: boolean
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Cache times of docs/product.md §7 and §9. */
const policies: Readonly<Record<Kind, CachePolicy>> = {
  version: { freshFor: DAY, keptFor: 30 * DAY, retryDelay: HOUR, isPersonal: false },
  causes: { freshFor: DAY, keptFor: 30 * DAY, retryDelay: MINUTE, isPersonal: false },
  user: { freshFor: HOUR, keptFor: 30 * DAY, retryDelay: MINUTE, isPersonal: true },
  team: { freshFor: HOUR, keptFor: 30 * DAY, retryDelay: MINUTE, isPersonal: true },
  project: { freshFor: DAY, keptFor: 30 * DAY, retryDelay: MINUTE, isPersonal: false },
  credits: { freshFor: 10 * MINUTE, keptFor: 30 * DAY, retryDelay: MINUTE, isPersonal: true },
  news: { freshFor: HOUR, keptFor: DAY, retryDelay: HOUR, isPersonal: false },
  standings: { freshFor: 10 * MINUTE, keptFor: 30 * DAY, retryDelay: MINUTE, isPersonal: true },
  licenses: { freshFor: HOUR, keptFor: 30 * DAY, retryDelay: MINUTE, isPersonal: false },
}

export function cachePolicyOf(key: ResourceKey): CachePolicy {
  return policies[partsOfKey(key)[0]]
}
