import { type Change, APPEND, EXTEND, MAX_PATH } from './changes.ts'
import { dataShape, etaText, withTextEta } from './decode-client-data.ts'
import type { Fault, ReportFault } from '../fault.ts'
import { type Json, isUnsafeKey } from '../json.ts'
import { type Shape, fitToSchema, kindNames, normalizeKeys, wrongType } from '../shape.ts'

/** The largest valid index. */
const MAX_INDEX = 1_000_000

/**
 * Validates a change of the client's document against its schema: safe keys, sane indexes, a value of the right type.
 * `undefined`, with the reason reported, for an invalid change. A change that needs no correction is returned as it is.
 */
export function decodeChange(message: readonly Json[], report: ReportFault): Change | undefined {
  const place = findPlace(message)
  if (isPlace(place)) return withValue(place, report)
  report(place)
  return undefined
}

/** The target of a change: the message with its path in the schema's spelling, and the shape of the value there. */
type Place = { readonly message: readonly Json[]; readonly shape: Shape | undefined }

function isPlace(place: Place | Fault): place is Place {
  return 'message' in place
}

function findPlace(received: readonly Json[]): Place | Fault {
  const last = received.length - 2
  if (last < 0 || typeof received[0] !== 'string') return wrongType([], 'a path', received[0])
  if (last >= MAX_PATH) return { kind: 'too-deep', limit: MAX_PATH }
  let shape: Shape | undefined = dataShape
  let message = received
  for (let at = 0; at <= last; at++) {
    const key = message[at]
    const fault = faultOf(message, at, shape)
    if (fault) return fault
    if (typeof key === 'string') {
      const name: string = spellingOf(key, shape)
      if (name !== key) message = message.with(at, name)
      shape = shapeAt(shape, name)
    } else if (key !== EXTEND) shape = shape?.kind === 'list' ? shape.item : undefined
  }
  return { message, shape }
}

function faultOf(message: readonly Json[], at: number, shape: Shape | undefined): Fault | undefined {
  const key = message[at]
  const kind = shape?.kind ?? 'open'
  if (typeof key === 'string') {
    if (isUnsafeKey(key)) return { kind: 'unsafe-key', key }
    return kind === 'open' || kind === 'object' || kind === 'record'
      ? undefined
      : wrongType(pathTo(message, at), kindNames[kind], {})
  }
  if (typeof key !== 'number') return wrongType(pathTo(message, at), 'a key or an index', key)
  if (!isIndex(key, at === message.length - 2)) return { kind: 'bad-index', path: pathTo(message, at + 1) }
  return kind === 'open' || kind === 'list' ? undefined : wrongType(pathTo(message, at), kindNames[kind], [])
}

function isIndex(key: number, isLast: boolean): boolean {
  return Number.isInteger(key) && key <= MAX_INDEX && (key >= 0 || (isLast && (key === APPEND || key === EXTEND)))
}

function spellingOf(key: string, shape: Shape | undefined): string {
  return shape?.kind === 'object' && !shape.fields.has(key) ? (shape.aliases.get(key) ?? key) : key
}

function shapeAt(shape: Shape | undefined, key: string): Shape | undefined {
  if (shape?.kind === 'object') return shape.fields.get(key)
  return shape?.kind === 'record' ? shape.item : undefined
}

const LEAF_TYPES: Readonly<Record<string, string>> = { text: 'string', number: 'number', flag: 'boolean' }

function withValue({ message, shape }: Place, report: ReportFault): Change | undefined {
  const last = message.length - 1
  const value = isUnit(message) ? withTextEta(message[last] ?? null) : (message[last] ?? null)
  if (!shape || shape.kind === 'open') return message as Change
  const leaf = LEAF_TYPES[shape.kind]
  // The four top-level parts cannot be removed.
  if (value === null ? last > 1 : typeof value === leaf) return message as Change
  if (typeof value === 'number' && message[0] === 'units' && message[last - 1] === 'eta')
    return corrected(message, etaText(value))
  const path = pathTo(message, last)
  if (leaf === undefined) {
    const fitted = fitToSchema(shape.schema, normalizeKeys(value, shape), path, report)
    if (fitted === message[last]) return message as Change
    return fitted === undefined ? undefined : corrected(message, fitted as Json)
  }
  report(wrongType(path, kindNames[shape.kind], value))
  return undefined
}

function isUnit(message: readonly Json[]): boolean {
  return message.length === 3 && message[0] === 'units'
}

function corrected(message: readonly Json[], value: Json): Change {
  return [...pathTo(message, message.length - 1), value]
}

function pathTo(message: readonly Json[], end: number) {
  return message.slice(0, end).filter(key => typeof key === 'string' || typeof key === 'number')
}
