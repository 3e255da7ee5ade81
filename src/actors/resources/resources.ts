import { t } from '@lingui/core/macro'
import {
  cachePolicyOf,
  partsOfKey,
  type ResourceKey,
  type ResourceSecrets,
} from '../../folding/shared/resource-keys.ts'
import type { Fetched, Known, StoredResource } from '../../machines/resource/resource/resource.events.ts'
import type { ApiResult } from '../../protocol/api/api-fault.ts'
import {
  decodeApiError,
  decodeCauses,
  decodeCredits,
  decodeDonor,
  decodeLatestVersion,
  decodeProject,
  decodeTeam,
} from '../../protocol/api/api.ts'
import { good, type Result } from '../../protocol/fault.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import { decodeLicenses } from '../../protocol/api/licenses.ts'
import { decodeNews } from '../../protocol/api/news.ts'
import { decodeStandings } from '../../protocol/api/series.ts'
import { below, type WebUrl, pathPart } from '../../protocol/url.ts'
import type { Api } from '../network/api.ts'
import type { Cache, CachePartition } from './cache.ts'
import { fetchPublic } from './public-call.ts'
import { fetchNews, type NewsSettings } from './news.ts'

export type ResourceDeps = {
  readonly api: Api
  readonly fetch: typeof globalThis.fetch
  readonly settings: NewsSettings & { readonly versionUrl: WebUrl }
  /** The list of libraries that the build makes. */
  readonly licensesUrl: WebUrl
  readonly cache: Cache
  /** Corrected epoch milliseconds. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
}

export type Resources = {
  readonly load: (key: ResourceKey) => Promise<StoredResource | undefined>
  readonly fetch: (key: ResourceKey, secrets: ResourceSecrets | undefined) => Promise<Fetched>
  /** Deletes personal entries, and discards personal answers that are still pending. */
  readonly forgetPerson: () => void
}

/** How a remote value is fetched, and how its body is decoded. Cached bodies are decoded again, since another version may have written them. */
type Source = { readonly fetch: () => Promise<ApiResult<Json>>; readonly decode: (json: Json) => Result<unknown> }

export function createResources(deps: ResourceDeps): Resources {
  const { cache, now } = deps
  const pending = new Map<string, Promise<Fetched>>()
  let personNumber = 0

  const fetchAndStore = async (key: ResourceKey, secrets: ResourceSecrets | undefined): Promise<Fetched> => {
    const personAtRequest = personNumber
    const source = sourceOf(deps, key, secrets)
    const answer = await source.fetch()
    const isNone = !answer.ok && answer.fault.kind === 'refused' && answer.fault.status === 404
    if (!answer.ok && !isNone) return answer
    const body = answer.ok ? answer.value : undefined
    const known = knownFrom(source, body)
    if (known === undefined)
      return { ok: false, fault: { kind: 'unreadable', message: t`The answer has an unknown form.` } }
    const at = now()
    if (!cachePolicyOf(key).isPersonal || personAtRequest === personNumber)
      await cache.write(partitionOf(key), key, { at, body })
    return { ok: true, known, at }
  }

  return {
    load: async key => {
      const entry = await cache.readSoon(partitionOf(key), key)
      const known =
        entry === undefined ? undefined : knownFrom(sourceOf(deps, key, undefined), entry.body as Json | undefined)
      return entry === undefined || known === undefined ? undefined : { known, at: entry.at, age: now() - entry.at }
    },
    fetch: (key, secrets) => {
      const call = JSON.stringify([key, secrets, personNumber])
      const shared = pending.get(call) ?? fetchAndStore(key, secrets).finally(() => pending.delete(call))
      pending.set(call, shared)
      return shared
    },
    forgetPerson: () => {
      personNumber += 1
      void cache.clear('personal')
    },
  }
}

function partitionOf(key: ResourceKey): CachePartition {
  return cachePolicyOf(key).isPersonal ? 'personal' : 'shared'
}

/** An error object as answer means that the value does not exist (docs/product.md §7). */
function knownFrom({ decode }: Source, body: Json | undefined): Known | undefined {
  if (body === undefined || decodeApiError(body) !== undefined) return { isThere: false }
  const decoded = decode(body)
  return decoded.ok ? { isThere: true, value: decoded.value } : undefined
}

function sourceOf(
  { api, fetch, settings, licensesUrl, random, now }: ResourceDeps,
  key: ResourceKey,
  secrets: ResourceSecrets | undefined,
): Source {
  const [kind, ...names] = partsOfKey(key)
  const [name = '', team = '0'] = names
  const from = (path: `/${string}`, decode: Source['decode'], data: JsonObject = {}): Source => ({
    fetch: () => api({ method: 'GET', path, data }, good),
    decode,
  })
  switch (kind) {
    case 'version':
      return { fetch: () => fetchPublic({ fetch, now }, settings.versionUrl, good), decode: decodeVersionText }
    case 'causes':
      return from('/project/cause', decodeCauses)
    case 'team':
      return from(`/team/${pathPart(name)}`, decodeTeam)
    case 'user':
      return from(`/user/${pathPart(name)}`, decodeDonor, {
        ...(team === '0' ? {} : { team }),
        ...(secrets === undefined || secrets.passkey === '' ? {} : { passkey: secrets.passkey }),
      })
    case 'project':
      return from(`/project/${pathPart(name)}`, decodeProject)
    case 'credits':
      return from(creditsPath(names), decodeCredits)
    case 'news':
      return { fetch: () => fetchNews({ fetch, settings, random, now }), decode: decodeNews }
    case 'standings': {
      const query = new URLSearchParams({ kind: name, name: team })
      const url = below(new URL(licensesUrl).origin as WebUrl, `/api/server/standings?${query.toString()}`)
      return {
        fetch: () => fetchPublic({ fetch, now, credentials: 'same-origin' }, url, good),
        decode: decodeStandings,
      }
    }
    case 'licenses':
      return { fetch: () => fetchPublic({ fetch, now }, licensesUrl, good), decode: decodeLicenses }
  }
}

export function creditsPath([project = '', run = '', clone = '', gen = '']: readonly string[]): `/${string}` {
  return `/project/${[project, 'run', run, 'clone', clone, 'gen', gen].map(pathPart).join('/')}`
}

function decodeVersionText(json: Json): Result<string> {
  const version = decodeLatestVersion(json)
  return version.ok ? { ...version, value: version.value.join('.') } : version
}
