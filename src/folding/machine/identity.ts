/*
 * Which computer a connection leads to, and how machines are told apart. A client's id follows from its key, so computers
 * with a copied disk have one id (docs/protocol.md §3), and an account may hold machines of one name.
 */
import { t } from '@lingui/core/macro'
import type { ClientInfo } from '../../protocol/client-data.ts'
import { cpusText } from './resources.ts'
import { finite, text } from '../shared/read.ts'

/** What a client says of its computer and of its own process; undefined for what is not known. */
export type Traits = {
  readonly hostname: string | undefined
  readonly os: string | undefined
  readonly cpuBrand: string | undefined
  readonly cpus: number | undefined
  readonly pid: number | undefined
}

/** What comparing a machine with the others told of it. Absent where there is nothing to tell. */
export type Comparison = {
  /** The key of the machine, where several computers have its id. */
  readonly key?: string
  /** Tells it from machines of the same name, which are shown too. */
  readonly mark?: string
  /** It never connected again since another machine of its name is there, as after a reinstallation. */
  readonly isLeftOver?: boolean
  /** Other computers whose clients have the same id, in words. */
  readonly sameId?: readonly string[]
}

export const NOT_COMPARED: Comparison = Object.freeze({})

/**
 * By what machines of one id are told apart: by what they say of their computers, or only by the connections where they
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
export const traitsOf = (info: ClientInfo | undefined): Traits => {
  if (info === undefined) return NO_TRAITS
  const known = traitsOfInfo.get(info)
  if (known !== undefined) return known
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

export const isSameTraits = (a: Traits, b: Traits): boolean =>
  a === b || (a.pid === b.pid && LASTING.every(key => a[key] === b[key]))

/** Whether both are known to differ in something that a computer keeps. */
export const isOtherComputer = (a: Traits, b: Traits): boolean =>
  LASTING.some(key => a[key] !== undefined && b[key] !== undefined && a[key] !== b[key])

const isUnknown = (traits: Traits): boolean => LASTING.every(key => traits[key] === undefined)

const SEPARATOR = '~'
const LETTERS: Readonly<Record<CloneKind, string>> = { computer: 'c', connection: 'a' }

/**
 * Identifies a machine: its client's id, and what tells it apart where several computers have that id. Undefined while
 * nothing is known of the computer. `connection`: the connection's id.
 */
export const machineKey = (
  id: string,
  connection: string,
  traits: Traits,
  kind: CloneKind | undefined,
): string | undefined => {
  if (kind === undefined) return id
  if (kind === 'computer' && isUnknown(traits)) return undefined
  const told = kind === 'computer' ? JSON.stringify(LASTING.map(key => traits[key] ?? null)) : connection
  return `${id}${SEPARATOR}${LETTERS[kind]}${hash(told)}`
}

/** The client's own id of a machine's key. */
export const idOfKey = (key: string): string => key.split(SEPARATOR, 1)[0] ?? key

/** The ids that several computers are known to have, from the keys of machines. */
export const clonesOf = (keys: Iterable<string>): Clones => {
  const clones: Record<string, CloneKind> = {}
  for (const key of keys) {
    const [id = '', suffix] = key.split(SEPARATOR)
    if (suffix !== undefined) clones[id] = suffix.startsWith(LETTERS.connection) ? 'connection' : 'computer'
  }
  return clones
}

/** A machine as it is told from others of its name. */
export type Namesake = {
  /** The client's own id. */
  readonly id: string | undefined
  /** Where a direct client listens, as `host:port`. */
  readonly address: string | undefined
  readonly traits: Traits
}

const LONGEST_MARK = 40
/** Characters of an id that are shown at least. */
const SHORTEST_ID = 4

/**
 * What tells machines of one name apart, one text for each: their host names, else addresses, systems, CPUs or the
 * beginning of their ids, whichever is known of all and differs between all; else their numbers.
 */
export const marksOf = (namesakes: readonly Namesake[]): readonly string[] => {
  const length = idLength(namesakes)
  const tellers: readonly ((machine: Namesake) => string | undefined)[] = [
    ({ traits }) => traits.hostname,
    ({ address }) => address,
    ({ traits }) => traits.os,
    ({ traits }) => (traits.cpus === undefined ? undefined : cpusText(traits.cpus)),
    ({ id }) => (id === undefined ? undefined : `ID ${id.slice(0, length)}`),
  ]
  for (const tell of tellers) {
    const marks = namesakes.map(machine => tell(machine)?.slice(0, LONGEST_MARK))
    const known = marks.filter(mark => mark !== undefined)
    if (new Set(known).size === namesakes.length) return known
  }
  return namesakes.map((_, index) => `#${index + 1}`)
}

/** The fewest characters by which ids differ. */
const idLength = (namesakes: readonly Namesake[]): number => {
  const ids = new Set(namesakes.flatMap(({ id }) => id ?? []))
  for (let length = SHORTEST_ID; length < LONGEST_MARK; length++)
    if (new Set([...ids].map(id => id.slice(0, length))).size === ids.size) return length
  return LONGEST_MARK
}

/** A name as it is shown. */
export const markedName = (name: string, mark: string | undefined): string =>
  mark === undefined ? name : `${name} (${mark})`

/** The machines' names in their order, with marks where several have the same. */
export const distinctNames = (machines: readonly (Namesake & { readonly name: string })[]): readonly string[] => {
  const byName = new Map<string, number[]>()
  for (const [index, { name }] of machines.entries()) {
    const others = byName.get(name)
    if (others === undefined) byName.set(name, [index])
    else others.push(index)
  }
  const names = machines.map(({ name }) => name)
  for (const [name, indexes] of byName) {
    if (indexes.length < 2) continue
    const marks = marksOf(indexes.flatMap(index => machines[index] ?? []))
    for (const [position, index] of indexes.entries()) names[index] = markedName(name, marks[position])
  }
  return names
}

/** A computer in words, to tell it from another one: its host name, system, CPUs, address and process. */
export const computerText = (address: string | undefined, { hostname, os, cpuBrand, cpus, pid }: Traits): string =>
  [
    hostname,
    os,
    cpuBrand,
    cpus === undefined ? undefined : cpusText(cpus),
    address,
    pid === undefined ? undefined : t`process ${pid}`,
  ]
    .filter(part => part !== undefined)
    .join(', ')

/** FNV-1a; not a cryptographic hash. */
const hash = (told: string): string => {
  let value = 0x811c9dc5
  for (let at = 0; at < told.length; at++) value = Math.imul(value ^ told.charCodeAt(at), 0x01000193)
  return (value >>> 0).toString(16).padStart(8, '0')
}
