import { t } from '@lingui/core/macro'
import { restoreLog } from '../../folding/log/log-lines.ts'
import { allOnShelves, isShelves, shelvesOf } from '../../folding/shared/sharded-map.ts'
import { packLines, unpackLines, type PackedLines } from '../../protocol/packed-lines.ts'
import { NotReadable, type Kind } from '../../journal/codec.ts'

const isPacked = (value: object): value is PackedLines =>
  'bytes' in value && value.bytes instanceof Uint8Array && 'ends' in value && value.ends instanceof Uint32Array

/** What a recording may hold beside plain values. */
export const kinds: readonly Kind[] = [
  {
    // Where an entry lies depends on its id, which is another one in a file.
    name: 'shelves',
    holds: isShelves,
    tell: value => (isShelves(value) ? [...allOnShelves(value)] : []),
    make: json => {
      if (!Array.isArray(json) || !json.every(isEntry)) throw new NotReadable(t`A list of machines is damaged.`)
      return shelvesOf(json)
    },
  },
  {
    name: 'log',
    holds: value => 'append' in value && 'range' in value && 'toJSON' in value,
    make: json => {
      if (!isLog(json)) throw new NotReadable(t`A log is damaged.`)
      return restoreLog(json)
    },
  },
  {
    // As texts, so that names in them are renamed as everywhere.
    name: 'lines',
    holds: isPacked,
    tell: value => (isPacked(value) ? unpackLines(value) : []),
    make: json => {
      if (!Array.isArray(json) || !json.every(line => typeof line === 'string'))
        throw new NotReadable(t`Lines of a log are damaged.`)
      return packLines(json)
    },
  },
  {
    name: 'numbers',
    holds: value => value instanceof Uint32Array,
    tell: value => (value instanceof Uint32Array ? [...value] : []),
    make: json => {
      if (!Array.isArray(json) || !json.every(number => Number.isSafeInteger(number)))
        throw new NotReadable(t`Numbers are damaged.`)
      return Uint32Array.from(json)
    },
  },
]

const isEntry = (json: unknown): json is readonly [string, unknown] =>
  Array.isArray(json) && json.length === 2 && typeof json[0] === 'string'

const isLog = (json: unknown): json is { readonly first: number; readonly lines: readonly string[] } =>
  typeof json === 'object' &&
  json !== null &&
  'first' in json &&
  Number.isSafeInteger(json.first) &&
  'lines' in json &&
  Array.isArray(json.lines) &&
  json.lines.every(line => typeof line === 'string')
