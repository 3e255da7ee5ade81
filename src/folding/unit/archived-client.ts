import type { ClientData, ClientInfo } from '../../protocol/client/client-data.ts'
import { gpuModel } from '../client/resources.ts'
import { record, text } from '../shared/read.ts'
import { boundedId, boundedText } from '../text/vocabulary.ts'

/** In place of an account, for simulated clients that are connected directly. */
export const SIMULATION = 'simulation'

/** Whether it was only ever reached through an account. */
export function isOfAccount({ owner }: Pick<ArchivedClient, 'owner'>): boolean {
  return owner !== undefined && owner !== SIMULATION
}

/** A client of the history, with what is needed to show its units. */
export type ArchivedClient = {
  /** Its own id; the connection's until it is reported. */
  readonly id: string
  readonly name: string
  /** The id of the account it was reached through; undefined if it was ever connected directly, and `SIMULATION` if it was simulated then. */
  readonly owner: string | undefined
  readonly info: ClientInfo
}

/** A client as the history stores it. `data`: its last known state. */
export function archivedClient(id: string, name: string, data: ClientData | undefined): Omit<ArchivedClient, 'owner'> {
  const info = data?.info
  const reportedId = text(info?.id)
  const descriptions = Object.keys(record(info?.gpus) ?? {}).map(
    gpu => [gpu, { description: shortText(gpuModel(info, gpu)) ?? gpu }] as const,
  )
  return {
    id: reportedId === undefined ? id : boundedId(reportedId),
    name: shortText(name) ?? id,
    info: {
      ...infoTexts(info),
      gpus: Object.fromEntries(descriptions),
    },
  }
}

const INFO_TEXTS = ['id', 'os', 'os_version', 'version'] as const

function infoTexts(info: ClientInfo | undefined): Pick<ClientInfo, (typeof INFO_TEXTS)[number]> {
  const found: Fields = {}
  copyTexts(info, INFO_TEXTS, found)
  return found
}

/** Fields of what is being made. A client reports thousands of units at once, so objects are filled in place. */
export type Fields = Record<string, unknown>

/** A string cut to a sane length. */
export function shortText(value: unknown): string | undefined {
  const found = text(value)
  return found === undefined ? undefined : text(boundedText(found))
}

/** Copies those of the named fields that are texts, cut to a sane length. */
export function copyTexts(from: unknown, names: readonly string[], to: Fields): void {
  const fields = record(from)
  if (fields === undefined) return
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? shortText(fields[name]) : undefined
    if (value !== undefined) to[name] = value
  }
}
