/*
 * The history of units (`wus`, docs/protocol.md §7). It has thousands of rows, and most of their fields are never used. So
 * the rows are reduced to the fields below where they are decoded, which is in the worker: the page receives, records and
 * stores only these.
 */
import { type Unit, unitSchema } from './client-data.ts'
import type { ReportFault } from '../fault.ts'
import { withTextEta } from './decode-client-data.ts'
import { type Json, type JsonObject, isJsonList, isJsonObject } from '../json.ts'
import { fitToSchema, normalizeKeys, shapeOf } from '../shape.ts'

type Fields = { readonly texts: readonly string[]; readonly numbers: readonly string[] }

const UNIT: Fields = {
  texts: ['id', 'group', 'state', 'result', 'error', 'eta', 'end_time', 'os_title', 'resources'],
  numbers: ['number', 'cpus', 'wu_progress', 'ppd', 'run_time', 'tpf_secs'],
}
const ASSIGNMENT: Fields = { texts: ['ws', 'time'], numbers: ['project', 'credit', 'deadline', 'timeout'] }
const IDS: Fields = { texts: [], numbers: ['run', 'clone', 'gen'] }

const unitShape = shapeOf(unitSchema)

/** Units of a long history that are decoded before the others, so that they are shown meanwhile. */
const NEWEST_UNITS = 100

/** Divides a long list into the newest units and the others; undefined when it is not long. Both keep their order. */
export function divideHistory(
  units: readonly Unit[],
): readonly [newest: readonly Unit[], others: readonly Unit[]] | undefined {
  if (units.length < 2 * NEWEST_UNITS) return undefined
  return isNewestFirst(units[0], units.at(-1))
    ? [units.slice(0, NEWEST_UNITS), units.slice(NEWEST_UNITS)]
    : [units.slice(-NEWEST_UNITS), units.slice(0, -NEWEST_UNITS)]
}

/**
 * A long `["wus",[…]]` as two messages: one with the newest units, and one that adds the others. Undefined when it is not
 * long. Of invalid JSON at least one part is invalid.
 */
export function splitHistory(text: string): readonly [newest: string, others: string] | undefined {
  if (!text.startsWith(REPLACED) || !text.endsWith(END)) return undefined
  const begin = REPLACED.length
  const end = text.length - END.length
  const firstEnd = nth(unitsFromStart(text), 1)
  const lastStart = nth(unitsFromEnd(text), 1)
  if (firstEnd === undefined || lastStart === undefined) return undefined
  const isFirst = isNewestFirst(timesIn(text.slice(begin, firstEnd)), timesIn(text.slice(lastStart, end)))
  const units = isFirst ? unitsFromStart(text) : unitsFromEnd(text)
  const place = nth(units, NEWEST_UNITS)
  // As many again, so that splitting is worth it.
  if (place === undefined || nth(units, NEWEST_UNITS) === undefined) return undefined
  const comma = isFirst ? place : place - 1
  if (text[comma] !== ',') return undefined
  const [before, after] = [text.slice(begin, comma), text.slice(comma + 1, end)]
  const [newest, others] = isFirst ? [before, after] : [after, before]
  return [REPLACED + newest + END, APPENDED + others + END]
}

const REPLACED = '["wus",['
const APPENDED = '["wus",-2,['
const END = ']]'

type Times = Pick<Unit, 'end_time'>

/** A client lists the newest unit first (docs/protocol.md §7). What lists it last is told by the times, which are ISO texts. */
function isNewestFirst(first: Times | undefined, last: Times | undefined): boolean {
  return (first?.end_time ?? '') >= (last?.end_time ?? '')
}

function timesIn(text: string): Times | undefined {
  try {
    const { end_time } = JSON.parse(text) as Record<string, Json>
    return typeof end_time === 'string' ? { end_time } : undefined
  } catch {
    return undefined
  }
}

function nth(places: Generator<number, void, undefined>, count: number): number | undefined {
  for (let left = count; left > 1; left--) if (places.next().done === true) return undefined
  return places.next().value ?? undefined
}

/** Where the objects of the list end (exclusive), the first first. Ends at anything but a list of objects. */
function* unitsFromStart(text: string): Generator<number, void, undefined> {
  let depth = 0
  for (let at = REPLACED.length; at < text.length - END.length; at++) {
    const character = text[at]
    if (character === '"' && depth > 0) {
      at = closingQuote(text, at)
      if (at < 0) return
    } else if (character === '{' || (character === '[' && depth > 0)) depth++
    else if (character === '}' || character === ']') {
      if (--depth < 0) return
      if (depth === 0) yield at + 1
    } else if (depth === 0 && character !== ',') return
  }
}

/** Where the objects of the list begin, the last first. Ends at anything but a list of objects. */
function* unitsFromEnd(text: string): Generator<number, void, undefined> {
  let depth = 0
  for (let at = text.length - END.length - 1; at >= REPLACED.length; at--) {
    const character = text[at]
    if (character === '"' && depth > 0) at = openingQuote(text, at)
    else if (character === '}' || character === ']') depth++
    else if (character === '{' || character === '[') {
      if (--depth < 0) return
      if (depth === 0) {
        if (character === '[') return
        yield at
      }
    } else if (depth === 0 && character !== ',') return
  }
}

/** The place of the quote that ends the string which begins at `opening`; -1 if there is none. */
function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1)
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at
}

/** The place of the quote that begins the string which ends at `closing`; -1 if there is none. */
function openingQuote(text: string, closing: number): number {
  let at = text.lastIndexOf('"', closing - 1)
  while (at >= 0 && isEscaped(text, at)) at = text.lastIndexOf('"', at - 1)
  return at
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(text: string, place: number): boolean {
  let slashes = 0
  while (text[place - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

/** A unit in a list called `name`; undefined when it is not usable. All fields are kept. */
export function decodeUnit(row: Json, name: string, at: number, report: ReportFault): Unit | undefined {
  return fitToSchema(unitSchema, normalizeKeys(withTextEta(row), unitShape), [name, at], report)
}

/** The rows of `wus`, reduced to the fields that are used. Rows that are not usable are reported and left out. */
export function decodeEndedUnits(rows: readonly Json[], report: ReportFault): readonly Unit[] {
  const units: Unit[] = []
  for (const [at, row] of rows.entries()) {
    const unit = reduced(row) ?? repaired(row, at, report)
    if (unit !== undefined) units.push(withResult(unit))
  }
  return units
}

/** The result of a row that has none: it is from a client before 8.4.5 (docs/protocol.md §12). */
export const UNREPORTED = 'unreported'

function withResult(unit: Unit): Unit {
  const isMissing = unit.result === undefined && unit.end_time !== undefined && unit.state !== undefined
  return isMissing ? { ...unit, result: UNREPORTED } : unit
}

function repaired(row: Json, at: number, report: ReportFault): Unit | undefined {
  const unit = decodeUnit(row, 'wus', at, report)
  return unit === undefined ? undefined : (reduced(unit as Json) ?? unit)
}

// Older clients write keys with a hyphen (see `normalizeKeys`).
const HYPHEN = '-'

/** The used fields of a row; undefined when one has another type or an older spelling. */
function reduced(row: Json): Unit | undefined {
  if (!isJsonObject(row)) return undefined
  for (const key in row) if (key.includes(HYPHEN)) return undefined
  const { gpus, assignment, wu } = row
  const unit: Record<string, Json> = {}
  if (!copyFields(row, UNIT, unit)) return undefined
  if (gpus !== undefined) {
    if (!isJsonList(gpus) || gpus.some(gpu => typeof gpu !== 'string')) return undefined
    unit['gpus'] = gpus
  }
  if (assignment !== undefined) {
    const found = reducedAssignment(assignment)
    if (found === undefined) return undefined
    unit['assignment'] = found
  }
  if (wu !== undefined) {
    const found: Record<string, Json> = {}
    if (!isJsonObject(wu) || !copyFields(wu, IDS, found)) return undefined
    unit['wu'] = found
  }
  return unit
}

function reducedAssignment(assignment: Json): JsonObject | undefined {
  const found: Record<string, Json> = {}
  if (!isJsonObject(assignment) || !copyFields(assignment, ASSIGNMENT, found)) return undefined
  const { core } = assignment
  if (core === undefined) return found
  if (!isJsonObject(core)) return undefined
  const { type } = core
  if (type === undefined) return found
  if (typeof type !== 'string') return undefined
  found['core'] = { type }
  return found
}

function copyFields(from: JsonObject, { texts, numbers }: Fields, to: Record<string, Json>): boolean {
  for (const name of texts) {
    const value = from[name]
    if (value === undefined) continue
    if (typeof value !== 'string') return false
    to[name] = value
  }
  for (const name of numbers) {
    const value = from[name]
    if (value === undefined) continue
    if (typeof value !== 'number') return false
    to[name] = value
  }
  return true
}
