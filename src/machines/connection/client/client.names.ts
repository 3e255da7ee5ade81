import { isSameValue } from '../../../folding/shared/equal.ts'
import { ownValue } from '../../../folding/shared/read.ts'
import type { OwnNames } from '../../../folding/fleet/tags.ts'
import type { ClientData, ClientInfo } from '../../../protocol/client/client-data.ts'
import type { ClientContext } from './client.context.ts'
import type { ClientRecord } from './client.reducer.ts'

/**
 * The record with the person's own names beside what the client says of its hardware, in a field that no client has: so they
 * are wherever its data are. The same record when they are there already.
 */
export function withNames(
  { kind, id, comparison, environment }: Pick<ClientContext, 'kind' | 'id' | 'comparison' | 'environment'>,
  record: ClientRecord,
): ClientRecord {
  const { data } = record
  if (data === undefined) return record
  const key = comparison.key ?? (kind === 'relay' ? id : data.info.id) ?? ''
  const named = dataWithNames(data, environment.tags, key)
  return named === data ? record : { ...record, data: named }
}

/** The data of a client with the own names that are kept under its key. The same when they are there already. */
export function dataWithNames(data: ClientData, names: OwnNames | undefined, key: string): ClientData {
  const tags = ownValue(names, key)
  if (isSameValue(tags, ownValue(data.info, 'tags'))) return data
  const { tags: _, ...reported } = data.info as ClientInfo & { readonly tags?: unknown }
  const info = tags === undefined ? reported : ({ ...reported, tags } as ClientInfo)
  return { ...data, info }
}
