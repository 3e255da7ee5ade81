import { type Change, APPEND, EXTEND } from './changes.ts'
import type { ClientData, Unit } from './client-data.ts'
import { decodeChange } from './decode-change.ts'
import { CLIENT_DATA_PARTS, decodeClientData } from './decode-client-data.ts'
import { decodeEndedUnits, decodeUnit, divideHistory, splitHistory } from './ended-units.ts'
import type { Fault, ReportFault } from '../fault.ts'
import {
  type Json,
  type JsonObject,
  isJsonList,
  isJsonObject,
  isUnsafeKey,
  MAX_MESSAGE_BYTES,
  parseMessage,
} from '../json.ts'
import { readLogMessage, readLogTail } from './log-message.ts'
import { type PackedLines, packLines } from './packed-lines.ts'
import { kindOf, wrongType } from '../shape.ts'
import { type Topology, decodeFrame, decodeTopology } from './visualization.ts'

export type { Topology } from './visualization.ts'

/** A part of a client's message. */
export type ClientFact =
  /** The first full message, and again when a session is opened again. */
  | { readonly type: 'snapshot.received'; readonly data: ClientData }
  | { readonly type: 'changes.received'; readonly changes: readonly Change[] }
  /** `replace`: the whole log; otherwise the lines are appended. */
  | { readonly type: 'log.received'; readonly replace: boolean; readonly lines: PackedLines }
  /** The end of a long log, before the whole log is parsed. `before`: how many lines precede it, or more. */
  | { readonly type: 'log.tailReceived'; readonly lines: PackedLines; readonly before: number }
  /** Only the fields that the history uses. A long history comes in two facts: the newest units, then the others. */
  | { readonly type: 'history.received'; readonly replace: boolean; readonly units: readonly Unit[] }
  | { readonly type: 'topology.received'; readonly unit: string; readonly topology: Topology }
  /** `positions`: x, y, z of each atom, in ångström. */
  | { readonly type: 'frame.received'; readonly unit: string; readonly index: number; readonly positions: Float32Array }
  | { readonly type: 'ping.received' }
  | { readonly type: 'fault.found'; readonly fault: Fault }

/** Faults reported per message. */
const MAX_FAULTS = 20

/** The facts in a message of a direct socket. Never throws. */
export function decodeClientMessage(text: string): readonly ClientFact[] {
  if (text === '"ping"') return [{ type: 'ping.received' }]
  const log = text.length <= MAX_MESSAGE_BYTES ? readLogMessage(text) : undefined
  if (log !== undefined) return [{ type: 'log.received', ...log }]
  const parsed = parseMessage(text)
  if (!parsed.ok) return [{ type: 'fault.found', fault: parsed.fault }]
  const facts = decodeClientContent(parsed.value)
  return parsed.faults.length === 0 ? facts : [...parsed.faults.map(faultFound), ...facts]
}

/**
 * The facts in a message of a direct socket, in parts: of a long log or history the newest first, before the rest is
 * decoded. Never throws.
 */
export function* decodeInParts(text: string): Generator<readonly ClientFact[], void, undefined> {
  const fits = text.length <= MAX_MESSAGE_BYTES
  const tail = fits ? readLogTail(text) : undefined
  if (tail !== undefined) yield [{ type: 'log.tailReceived', ...tail }]
  for (const part of (fits ? splitHistory(text) : undefined) ?? [text]) yield decodeClientMessage(part)
}

/** The facts in the content of a session's message, or in a parsed message. Never throws. */
export function decodeClientContent(content: Json): readonly ClientFact[] {
  const facts: ClientFact[] = []
  let faults = 0
  const report: ReportFault = fault => {
    if (faults++ < MAX_FAULTS) facts.push(faultFound(fault))
  }
  const emit = (fact: ClientFact) => facts.push(fact)
  if (isJsonList(content)) decodeUpdate(content, emit, report)
  else if (isJsonObject(content) && CLIENT_DATA_PARTS.some(part => Object.hasOwn(content, part)))
    decodeSnapshot(content, emit, report)
  else if (content === 'ping') emit({ type: 'ping.received' })
  else report({ kind: 'unknown-message', found: kindOf(content) })
  return facts
}

type EmitFact = (fact: ClientFact) => void

function faultFound(fault: Fault): ClientFact {
  return { type: 'fault.found', fault }
}

function decodeSnapshot(content: JsonObject, emit: EmitFact, report: ReportFault) {
  const { log, wus, viz, info } = content
  const data = decodeClientData(content, report)
  if (data) emit({ type: 'snapshot.received', data })
  if (!isJsonObject(info)) return
  if (log !== undefined) decodeLog(['log', log], emit, report)
  if (wus !== undefined) decodeHistory(['wus', wus], emit, report)
  if (isJsonObject(viz))
    for (const [unit, value] of Object.entries(viz)) decodeVisualization(['viz', unit, value], emit, report)
}

function decodeUpdate(message: readonly Json[], emit: EmitFact, report: ReportFault) {
  if (message[0] === 'log') decodeLog(message, emit, report)
  else if (message[0] === 'wus') decodeHistory(message, emit, report)
  else if (message[0] === 'viz') decodeVisualization(message, emit, report)
  else {
    const change = decodeChange(message, report)
    if (change) emit({ type: 'changes.received', changes: [change] })
  }
}

function decodeLog(message: readonly Json[], emit: EmitFact, report: ReportFault) {
  const list = listOf(message, report)
  if (!list) return
  const lines = list.items.filter(line => typeof line === 'string')
  const other = list.items.find(line => typeof line !== 'string')
  if (other !== undefined) report(wrongType(['log'], 'string', other))
  emit({ type: 'log.received', replace: list.replace, lines: packLines(lines) })
}

function decodeHistory(message: readonly Json[], emit: EmitFact, report: ReportFault) {
  const list = listOf(message, report)
  if (!list) return
  const units = decodeEndedUnits(list.items, report)
  const [newest, others] = (list.replace ? divideHistory(units) : undefined) ?? [units]
  emit({ type: 'history.received', replace: list.replace, units: newest })
  if (others !== undefined) emit({ type: 'history.received', replace: false, units: others })
}

/** Units in a list called `name`, from a file. Invalid entries are left out. */
export function decodeUnits(rows: readonly Json[], name: string, report: ReportFault): readonly Unit[] {
  return rows.map((row, at) => decodeUnit(row, name, at, report)).filter(row => row !== undefined)
}

// `[name, […]]` replaces a list, `[name, -2, […]]` and `[name, -1, x]` append to it.
function listOf(message: readonly Json[], report: ReportFault) {
  const [name, second, third] = message
  const path = typeof name === 'string' ? [name] : []
  if (message.length === 2 && second === null) return { replace: true, items: [] }
  if (message.length === 2 && isJsonList(second)) return { replace: true, items: second }
  if (message.length === 3 && second === APPEND && third !== undefined) return { replace: false, items: [third] }
  if (message.length === 3 && second === EXTEND && isJsonList(third)) return { replace: false, items: third }
  report(wrongType(path, 'list', message.at(-1)))
  return undefined
}

const MAX_FRAME = 1_000_000

function decodeVisualization(message: readonly Json[], emit: EmitFact, report: ReportFault) {
  const [, unit, part, index] = message
  const value = message.at(-1) ?? null
  // The removal of a molecule is ignored.
  if (value === null) return
  if (typeof unit !== 'string' || isUnsafeKey(unit)) report(wrongType(['viz'], 'id of a unit', unit))
  else if (message.length === 3 && isJsonObject(value)) {
    const { topology, frames } = value
    if (topology !== undefined) decodeVisualization(['viz', unit, 'topology', topology], emit, report)
    if (frames !== undefined) decodeVisualization(['viz', unit, 'frames', frames], emit, report)
  } else if (message.length === 4 && part === 'topology') {
    const topology = decodeTopology(value, ['viz', unit, 'topology'], report)
    if (topology) emit({ type: 'topology.received', unit, topology })
  } else if (message.length === 4 && part === 'frames' && isJsonList(value)) {
    value.forEach((frame, at) => decodeVisualization(['viz', unit, 'frames', at, frame], emit, report))
  } else if (message.length === 5 && part === 'frames' && typeof index === 'number') {
    const path = ['viz', unit, 'frames', index]
    const positions = decodeFrame(value, path, report)
    if (!Number.isInteger(index) || index < 0 || index > MAX_FRAME) report({ kind: 'bad-index', path })
    else if (positions) emit({ type: 'frame.received', unit, index, positions })
  } else report({ kind: 'unknown-message', found: 'viz' })
}
