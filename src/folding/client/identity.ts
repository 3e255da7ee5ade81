/* How clients of one name, and computers of one id (machine-key.ts), are told apart in words. */
import { t } from '@lingui/core/macro'
import { isOtherComputer, type Traits } from './client-key.ts'
import { cpusText, osTitle } from './resources.ts'
import { formatList } from '../text/format.ts'

/** What comparing a client with the others told of it. Absent where there is nothing to tell. */
export type Comparison = {
  /** The key of the client, where several computers have its id. */
  readonly key?: string
  /** Tells it from clients of the same name, which are shown too. */
  readonly mark?: string
  /** It never connected again since another client of its name is there, as after a reinstallation. */
  readonly isLeftOver?: boolean
  /** Other computers whose clients have the same id, in words. */
  readonly sameId?: readonly string[]
}

export const NOT_COMPARED: Comparison = Object.freeze({})

/** A client as it is told from others of its name. */
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
 * What tells clients of one name apart, one text for each: their host names, else addresses, systems, CPUs or the
 * beginning of their ids, whichever is known of all and differs between all; else their numbers.
 */
export function marksOf(namesakes: readonly Namesake[]): readonly string[] {
  const length = idLength(namesakes)
  const tellers: readonly ((client: Namesake) => string | undefined)[] = [
    ({ traits }) => traits.hostname,
    ({ address }) => address,
    ({ traits }) => (traits.os === undefined ? undefined : osTitle(traits.os)),
    ({ traits }) => (traits.cpus === undefined ? undefined : cpusText(traits.cpus)),
    ({ id }) => (id === undefined ? undefined : `ID ${id.slice(0, length)}`),
  ]
  for (const toMark of tellers) {
    const marks = namesakes.map(client => toMark(client)?.slice(0, LONGEST_MARK))
    const defined = marks.filter(mark => mark !== undefined)
    if (new Set(defined).size === namesakes.length) return defined
  }
  return namesakes.map((_, index) => `#${index + 1}`)
}

/** What tells one of too many clients of a name apart, without looking at the others. */
export function markOf({ id, address }: Namesake): string | undefined {
  return address ?? (id === undefined ? undefined : `ID ${id.slice(0, 2 * SHORTEST_ID)}`)
}

/** The fewest characters by which ids differ. */
function idLength(namesakes: readonly Namesake[]): number {
  const ids = new Set(namesakes.flatMap(({ id }) => id ?? []))
  for (let length = SHORTEST_ID; length < LONGEST_MARK; length++)
    if (new Set([...ids].map(id => id.slice(0, length))).size === ids.size) return length
  return LONGEST_MARK
}

/** A name as it is shown. */
export function markedName(name: string, mark: string | undefined): string {
  return mark === undefined ? name : `${name} (${mark})`
}

/** The clients' names in their order, with marks where several have the same. */
export function distinctNames(clients: readonly (Namesake & { readonly name: string })[]): readonly string[] {
  const byName = new Map<string, number[]>()
  for (const [index, { name }] of clients.entries()) {
    const others = byName.get(name)
    if (others === undefined) byName.set(name, [index])
    else others.push(index)
  }
  const names = clients.map(({ name }) => name)
  for (const [name, indexes] of byName) {
    if (indexes.length < 2) continue
    const marks = marksOf(indexes.flatMap(index => clients[index] ?? []))
    for (const [position, index] of indexes.entries()) names[index] = markedName(name, marks[position])
  }
  return names
}

/**
 * A client in words, by what it differs in from another one of the same id: its host name, system, CPUs and address, and
 * its process where the computers say the same of themselves.
 */
export function differenceText(client: Namesake, from: Namesake): string {
  const { hostname, os, cpuBrand, cpus, pid } = client.traits
  const isDistinct = isOtherComputer(client.traits, from.traits)
  const differences = [
    hostname === from.traits.hostname ? undefined : hostname,
    os === undefined || os === from.traits.os ? undefined : osTitle(os),
    cpuBrand === from.traits.cpuBrand ? undefined : cpuBrand,
    cpus === undefined || cpus === from.traits.cpus ? undefined : cpusText(cpus),
    client.address === from.address ? undefined : client.address,
    isDistinct || pid === undefined || pid === from.traits.pid ? undefined : t`process ${pid}`,
  ]
  return formatList(differences.filter(part => part !== undefined))
}
