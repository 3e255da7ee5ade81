/*
 * A person's own tags of clients, such as the place where one stands, by the client's own id; and own names of GPUs and groups. Also as a file.
 */
import * as v from 'valibot'
import type { ClientInfo } from '../../protocol/client/client-data.ts'
import { ownNameOf } from '../client/resources.ts'
import { groupBy } from '../shared/group-by.ts'
import { parsedJson } from '../shared/read.ts'
import { compareTexts } from '../text/format.ts'
import { isSameInAnyCase, isSameList } from '../shared/equal.ts'

/** Tags of each client that has any, by the client's own id; they differ in more than case. */
export type Tags = Readonly<Record<string, readonly string[]>>

/** A change of tags. `machines`: the clients' own ids, not those of connections. */
export type TagChange =
  | { readonly type: 'tags.add'; readonly machines: readonly string[]; readonly tag: string }
  | { readonly type: 'tags.remove'; readonly machines: readonly string[]; readonly tag: string }
  /** On all clients. */
  | { readonly type: 'tags.rename'; readonly tag: string; readonly newTag: string }
  | { readonly type: 'tags.import'; readonly tags: Tags; readonly mode: 'merge' | 'replace' }

/** A person's own names of a client's GPUs and groups. `of`: the id of a GPU, or what `namedGroup` gives. */
export type OwnName = { readonly of: string; readonly tag: string }
/** By the clients' own ids. */
export type OwnNames = Readonly<Record<string, readonly OwnName[]>>

/** Between a client's id and its GPU or group: the only tag under this key is the own name of that. */
const OF = '\n'

export function namedGroup(group: string): string {
  return `group:${group}`
}

/** The person's own name of a client's group. */
export function ownGroupName(info: ClientInfo | undefined, group: string): string | undefined {
  return ownNameOf(info, namedGroup(group))
}

/** The key of tags under which the name is kept. `of`: as in `OwnName`. */
export function nameKey(client: string, of: string): string {
  return `${client}${OF}${of}`
}

function isNameKey(key: string): boolean {
  return key.includes(OF)
}

const namesOfTags = new WeakMap<Tags, OwnNames>()

/** The own names among tags. The same object for the same tags. */
export function ownNamesIn(tags: Tags): OwnNames {
  const cached = namesOfTags.get(tags)
  if (cached !== undefined) return cached
  const named = Object.entries(tags).flatMap(([key, [tag]]) => {
    const at = key.indexOf(OF)
    return at > 0 && tag !== undefined
      ? [{ client: key.slice(0, at), name: { of: key.slice(at + OF.length), tag } }]
      : []
  })
  const names = Object.fromEntries(
    [...groupBy(named, ({ client }) => client)].map(([client, all]) => [client, all.map(({ name }) => name)]),
  )
  namesOfTags.set(tags, names)
  return names
}

export const NO_TAGS: Tags = Object.freeze({})

export const MAX_TAGS_PER_MACHINE = 20
export const MAX_TAGGED_CLIENTS = 10_000
/** Of all clients together: each page reads them with each change. */
export const MAX_TAGS = 20_000
export const LONGEST_TAG = 40
/** Characters of a client's id. */
const LONGEST_ID = 200
/** Characters of a file that is imported. */
export const LONGEST_TAGS_FILE = 5_000_000

/** Most are: ten thousand machines have many. */
const TIDY = /^[\w.-]+(?: [\w.-]+)*$/

const NONE: readonly string[] = Object.freeze([])

/** A tag without surrounding or repeated white space; undefined when nothing is left. */
export function tagOf(typed: string): string | undefined {
  if (typed.length <= LONGEST_TAG && TIDY.test(typed)) return typed
  const tag = typed
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_TAG)
    .trimEnd()
  return tag === '' ? undefined : tag
}

/** The tags of a client. The same list while they are the same. */
export function tagsOfClient(tags: Tags, client: string | undefined): readonly string[] {
  return client !== undefined && Object.hasOwn(tags, client) ? (tags[client] ?? NONE) : NONE
}

/** All tags that are in use, with the number of clients, in alphabetical order. */
export function tagCounts(tags: Tags): readonly { readonly tag: string; readonly machines: number }[] {
  const counts = new Map<string, { readonly tag: string; readonly machines: number }>()
  for (const [client, list] of Object.entries(tags))
    for (const tag of isNameKey(client) ? [] : list) {
      const entry = counts.get(tag.toLowerCase())
      counts.set(tag.toLowerCase(), { tag: entry?.tag ?? tag, machines: (entry?.machines ?? 0) + 1 })
    }
  return [...counts.values()].sort((a, b) => compareTexts(a.tag, b.tag))
}

/** The address's part from the question mark on that shows the clients with a tag. */
export function tagSearch(tag: string): string {
  return `?${new URLSearchParams({ filter: `tag:"${tag.replaceAll(/["\\]/g, '\\$&')}"` }).toString()}`
}

/** The tag given to these clients; those that have it, or for which there is no room, stay as they are. */
export function withTag(tags: Tags, clients: readonly string[], tag: string): Tags {
  return changed(tags, clients, list => (list.some(other => isSameInAnyCase(other, tag)) ? list : [...list, tag]))
}

/** The tag taken from these clients. */
export function withoutTag(tags: Tags, clients: readonly string[], tag: string): Tags {
  return changed(tags, clients, list => list.filter(other => !isSameInAnyCase(other, tag)))
}

/** The tag renamed on all clients; on one that has the new name already, they become one. */
export function withTagRenamed(tags: Tags, from: string, to: string): Tags {
  const clients = Object.keys(tags).filter(key => !isNameKey(key))
  return changed(tags, clients, list => list.map(tag => (isSameInAnyCase(tag, from) ? to : tag)))
}

/** `merge`: tags of the file are added to those that are there. */
export function withImportedTags(tags: Tags, file: Tags, mode: 'merge' | 'replace'): Tags {
  return mode === 'replace'
    ? file
    : changed(tags, Object.keys(file), (current, client) => [...current, ...tagsOfClient(file, client)])
}

/** The tags after a change; the same object when it changes nothing. */
export function tagsAfter(tags: Tags, change: TagChange): Tags {
  if (change.type === 'tags.import') return withImportedTags(tags, change.tags, change.mode)
  const tag = tagOf(change.type === 'tags.rename' ? change.newTag : change.tag)
  if (tag === undefined) return tags
  switch (change.type) {
    case 'tags.add':
      return withTag(tags, change.machines, tag)
    case 'tags.remove':
      return withoutTag(tags, change.machines, tag)
    case 'tags.rename':
      return withTagRenamed(tags, change.tag, tag)
  }
}

const FORMAT = 'foldboard-tags'

/** The tags as the text of a file, which `readTagsFile` reads. */
export function writeTagsFile(tags: Tags): string {
  return `${JSON.stringify({ format: FORMAT, version: 1, tags }, undefined, 2)}\n`
}

/** Tags of any origin: what is none is left out. Undefined when it is no list of clients. */
export function parseTags(value: unknown): Tags | undefined {
  const read = v.safeParse(v.record(v.string(), v.unknown()), value)
  if (!read.success || Array.isArray(value)) return undefined
  const entries = Object.entries(read.output)
    .slice(0, MAX_TAGGED_CLIENTS)
    .flatMap(([client, list]) => (isClientId(client) && Array.isArray(list) ? [[client, list] as const] : []))
  return changedAll(entries.map(([client, list]) => [client, list.filter(tag => typeof tag === 'string')]))
}

/** Tags of a file; undefined when it is none of `writeTagsFile`. */
export function readTagsFile(text: string): Tags | undefined {
  if (text.length > LONGEST_TAGS_FILE) return undefined
  const read = v.safeParse(v.object({ format: v.literal(FORMAT), tags: v.unknown() }), parsedJson(text))
  return read.success ? parseTags(read.output.tags) : undefined
}

function isClientId(id: string): boolean {
  return id !== '' && id !== '__proto__' && id.length <= LONGEST_ID
}

/** Valid tags, each once in any case, up to the limit. */
function distinct(tags: readonly string[]): readonly string[] {
  const found = new Map<string, string>()
  for (const typed of tags) {
    const tag = tagOf(typed)
    if (tag !== undefined && !found.has(tag.toLowerCase())) found.set(tag.toLowerCase(), tag)
    if (found.size >= MAX_TAGS_PER_MACHINE) break
  }
  return [...found.values()]
}

function changedAll(entries: readonly (readonly [string, readonly string[]])[]): Tags {
  let room = MAX_TAGS
  const read = entries.flatMap(([client, list]) => {
    const tags = room <= 0 ? [] : distinct(list).slice(0, room)
    room -= tags.length
    return tags.length === 0 ? [] : [[client, tags] as const]
  })
  return Object.fromEntries(read)
}

function changed(
  tags: Tags,
  clients: readonly string[],
  change: (list: readonly string[], client: string) => readonly string[],
): Tags {
  const next = new Map(Object.entries(tags))
  let room = MAX_TAGS - Object.values(tags).flat().length
  let isChanged = false
  for (const client of clients) {
    const before = tagsOfClient(tags, client)
    const after = distinct(change(before, client))
    if (!isClientId(client) || isSameList(before, after)) continue
    if (before.length === 0 && next.size >= MAX_TAGGED_CLIENTS) continue
    if (after.length > before.length && after.length - before.length > room) continue
    room -= after.length - before.length
    isChanged = true
    if (after.length === 0) next.delete(client)
    else next.set(client, after)
  }
  return isChanged ? Object.fromEntries(next) : tags
}
