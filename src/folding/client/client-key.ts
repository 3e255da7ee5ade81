/*
 * Which computer a connection leads to. A client's id follows from its key, so computers with a copied disk have one id
 * (docs/protocol.md §3). Without texts: the database of the server is opened before any locale is chosen.
 */
import type { ClientInfo } from '../../protocol/client/client-data.ts'
import { finite, text } from '../shared/read.ts'

/** What a client says of its computer and of its own process; undefined for what is not known. */
export type Traits = {
  readonly hostname: string | undefined
  readonly os: string | undefined
  readonly cpuBrand: string | undefined
  readonly cpus: number | undefined
  readonly pid: number | undefined
}

/**
 * By what clients of one id are told apart: by what they say of their computers, or only by the connections where they
 * say the same of them.
 */
export type CloneKind = 'computer' | 'connection'

/** The kinds of ids that several computers have, by id. */
export type Clones = Readonly<Record<string, CloneKind>>

const NO_TRAITS: Traits = Object.freeze({
  hostname: undefined,
  os: undefined,
  cpuBrand: undefined,
  cpus: undefined,
  pid: undefined,
})

const traitsOfInfo = new WeakMap<ClientInfo, Traits>()

/** The same object for the same info. */
export function traitsOf(info: ClientInfo | undefined): Traits {
  if (info === undefined) return NO_TRAITS
  const cached = traitsOfInfo.get(info)
  if (cached !== undefined) return cached
  const traits = {
    hostname: text(info.hostname),
    os: text(info.os),
    cpuBrand: text(info.cpu_brand),
    cpus: finite(info.cpus),
    pid: finite(info.pid),
  }
  traitsOfInfo.set(info, traits)
  return traits
}

/** What stays the same while a computer does: a client that is started again has another process. */
const LASTING = ['hostname', 'os', 'cpuBrand', 'cpus'] as const

/** Whether the client has described its computer, however little. */
export function isDescribed(traits: Traits): boolean {
  return traits !== NO_TRAITS
}

/** Whether both are known to differ in something that a computer keeps. */
export function isOtherComputer(a: Traits, b: Traits): boolean {
  return LASTING.some(key => a[key] !== undefined && b[key] !== undefined && a[key] !== b[key])
}

const SEPARATOR = '~'
const LETTERS: Readonly<Record<CloneKind, string>> = { computer: 'c', connection: 'a' }

/**
 * Identifies a client: its id, and what tells it apart where several computers have that id. Undefined while
 * nothing is known of the computer. `connection`: the connection's id.
 */
export function clientKey(
  id: string,
  connection: string,
  traits: Traits,
  kind: CloneKind | undefined,
): string | undefined {
  if (kind === undefined) return id
  if (kind === 'computer' && LASTING.every(key => traits[key] === undefined)) return undefined
  const identity = kind === 'computer' ? JSON.stringify(LASTING.map(key => traits[key] ?? null)) : connection
  return `${id}${SEPARATOR}${LETTERS[kind]}${hash(identity)}`
}

/** The client's own id, from its key. */
export function idOfKey(key: string): string {
  return key.split(SEPARATOR, 1)[0] ?? key
}

/** The ids that several computers are known to have, from the keys of clients. */
export function clonesOf(keys: Iterable<string>): Clones {
  const clones: Record<string, CloneKind> = {}
  for (const key of keys) {
    const [id = '', suffix] = key.split(SEPARATOR)
    if (suffix !== undefined) clones[id] = suffix.startsWith(LETTERS.connection) ? 'connection' : 'computer'
  }
  return clones
}

/** FNV-1a; not a cryptographic hash. */
function hash(source: string): string {
  let value = 0x811c9dc5
  for (let at = 0; at < source.length; at++) value = Math.imul(value ^ source.charCodeAt(at), 0x01000193)
  return (value >>> 0).toString(16).padStart(8, '0')
}
