import { restoreLog } from '../../folding/log-lines.ts'
import { NotReadable, type Kind } from '../../journal/codec.ts'

/** The classes that a recording may hold. */
export const kinds: readonly Kind[] = [
  {
    name: 'log',
    holds: value => 'append' in value && 'range' in value && 'toJSON' in value,
    make: json => {
      if (!isLog(json)) throw new NotReadable('A log is damaged.')
      return restoreLog(json)
    },
  },
]

const isLog = (json: unknown): json is { readonly first: number; readonly lines: readonly string[] } =>
  typeof json === 'object' && json !== null && 'first' in json && Number.isSafeInteger(json.first)
  && 'lines' in json && Array.isArray(json.lines) && json.lines.every(line => typeof line === 'string')
