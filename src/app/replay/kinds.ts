import { t } from '@lingui/core/macro'
import { restoreLog } from '../../folding/log/log-lines.ts'
import { shardedEntries, isShardedMap, shardedMapOf } from '../../folding/shared/sharded-map.ts'
import { packLines, unpackLines, type PackedLines } from '../../protocol/client/packed-lines.ts'
import { UnreadableRecording, type Kind } from '../../journal/codec.ts'

function isPacked(value: object): value is PackedLines {
  return 'bytes' in value && value.bytes instanceof Uint8Array && 'ends' in value && value.ends instanceof Uint32Array
}

/** Values of classes that a recording may hold. */
export const kinds: readonly Kind[] = [
  {
    // The shard of an entry depends on its id, which is replaced in a file.
    name: 'sharded-map',
    matches: isShardedMap,
    toJson: value => (isShardedMap(value) ? [...shardedEntries(value)] : []),
    fromJson: json => {
      if (!Array.isArray(json) || !json.every(isEntry)) throw new UnreadableRecording(t`A list of machines is damaged.`)
      return shardedMapOf(json)
    },
  },
  {
    name: 'log',
    matches: value => 'append' in value && 'range' in value && 'toJSON' in value,
    fromJson: json => {
      if (!isLog(json)) throw new UnreadableRecording(t`A log is damaged.`)
      return restoreLog(json)
    },
  },
  {
    // As texts, so that names in them are replaced.
    name: 'lines',
    matches: isPacked,
    toJson: value => (isPacked(value) ? unpackLines(value) : []),
    fromJson: json => {
      if (!Array.isArray(json) || !json.every(line => typeof line === 'string'))
        throw new UnreadableRecording(t`Lines of a log are damaged.`)
      return packLines(json)
    },
  },
  {
    name: 'numbers',
    matches: value => value instanceof Uint32Array,
    toJson: value => (value instanceof Uint32Array ? [...value] : []),
    fromJson: json => {
      if (!Array.isArray(json) || !json.every(number => Number.isSafeInteger(number)))
        throw new UnreadableRecording(t`Numbers are damaged.`)
      return Uint32Array.from(json)
    },
  },
]

function isEntry(json: unknown): json is readonly [string, unknown] {
  return Array.isArray(json) && json.length === 2 && typeof json[0] === 'string'
}

function isLog(json: unknown): json is { readonly first: number; readonly lines: readonly string[] } {
  return (
    typeof json === 'object' &&
    json !== null &&
    'first' in json &&
    Number.isSafeInteger(json.first) &&
    'lines' in json &&
    Array.isArray(json.lines) &&
    json.lines.every(line => typeof line === 'string')
  )
}
