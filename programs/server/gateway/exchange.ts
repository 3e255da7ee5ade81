import type { Excess } from '../../../src/folding/client/client-excess.ts'
import { ageMessage } from '../../../src/protocol/client/age-message.ts'
import { APPEND, applyChanges, EXTEND, type Change } from '../../../src/protocol/client/changes.ts'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import { decodeClientContent, type ClientFact } from '../../../src/protocol/client/client-message.ts'
import type { Command } from '../../../src/protocol/client/commands.ts'
import type { Fault } from '../../../src/protocol/fault.ts'
import { isJsonList, isJsonObject, parseMessage, type Json, type JsonObject } from '../../../src/protocol/json.ts'
import { createClientEdge, sizeOf, type EdgeDeps, type ClientEdge } from './client-edge.ts'
import { createMolecules } from './molecules.ts'
import { createPacer, type Later, type Outcome } from './pacer.ts'
import type { StreamRequest } from './page-command.ts'

/** One page that reads a client. */
export type Reader = {
  /** A message as a client sends it. `onSent`: it has left. */
  readonly sendText: (text: string, onSent?: () => void) => void
  /** The client is not connected any more. */
  readonly close: () => void
}

/** What one page has asked of a client. */
export type Reading = {
  readonly request: (request: StreamRequest) => void
  readonly leave: () => void
}

export type Exchange = {
  /** The newest state; undefined while the client is not connected. */
  readonly data: () => ClientData | undefined
  readonly readers: () => number
  /** The connection to the client is open. `send` writes to it; `end` is called when the client has sent too much. */
  readonly open: (send: (message: JsonObject) => void, end: (limit: Excess) => void) => void
  /** A message of the client. Returns the facts for its statechart: logs and molecules are kept here. */
  readonly receive: (content: Json, bytes?: number) => readonly ClientFact[]
  /** As text, of a socket of its own. `isLost`: it cannot be read, and may have contained anything. */
  readonly receiveText: (
    text: string,
    bytes: number,
  ) => { readonly facts: readonly ClientFact[]; readonly isLost: boolean }
  /** As of when the state is, where the client's messages come late or are not followed; undefined: it is current. */
  readonly date: (asOf: number | undefined) => void
  /** A message of the client without content. */
  readonly receivePing: () => void
  /** Runs what the client causes elsewhere, and counts the time as its own. */
  readonly timed: ClientEdge['timed']
  /** Of what it has sent too much, while it is left alone for that. */
  readonly excess: () => Excess | undefined
  readonly close: () => void
  /** A page begins to read; undefined while there is no state to send. */
  readonly join: (reader: Reader) => Reading | undefined
  readonly command: (command: Command, done: (outcome: Outcome) => void) => void
}

export type ExchangeDeps = Partial<EdgeDeps> & { readonly now: () => number; readonly later: Later }

/** As many lines and units as a client keeps itself (docs/protocol.md §7, §8), and bytes besides. */
const MOST_LINES = 100_000
const MOST_LOG_CHARACTERS = 32 * 1_048_576
const MOST_UNITS = 500
/** A long log is sent in parts, each when the page has taken the one before. */
const PART_CHARACTERS = 262_144
/** A client sends its whole log each time that it is asked for, so it is asked again only after this time without readers. */
const LOG_READ_MS = 30_000

type Page = {
  readonly reader: Reader
  readsLog: boolean
  readsUnits: boolean
  /** Number of the next line to send; undefined until the log has been sent in full. */
  nextLine: number | undefined
  /** A part of the log has not left yet. */
  isSendingLog: boolean
}

/**
 * One client's data for any number of pages: its state, its log, the units that ended, and its molecules, each asked of the client once. Every page gets what the client would send it on a connection of its own.
 */
export function createExchange({
  now,
  later,
  elapsed = () => performance.now(),
  onExcess = () => undefined,
}: ExchangeDeps): Exchange {
  const edge = createClientEdge({ elapsed, onExcess })
  let data: ClientData | undefined
  let asOf: number | undefined
  let post: ((message: JsonObject) => void) | undefined
  const pages = new Set<Page>()
  let log: { lines: string[]; first: number; characters: number } | undefined
  let asksLog = false
  let cancelEndOfLog: (() => void) | undefined
  let units: readonly Json[] | undefined

  const send = (message: JsonObject): void => post?.(message)
  const pacer = createPacer({ send, data: () => data, asOf: () => asOf, now, later })
  const molecules = createMolecules({
    request: (unit, frame) => send({ cmd: 'viz', unit, frame }),
    framesOf: id => data?.units.find(unit => unit.id === id)?.frames ?? 0,
    later,
  })

  const ageText = (): string => ageMessage(asOf === undefined ? undefined : now() - asOf)

  const sendLog = (page: Page): void => {
    if (log === undefined || !page.readsLog || page.isSendingLog) return
    const { lines, first } = log
    const start = page.nextLine === undefined ? 0 : Math.max(0, page.nextLine - first)
    if (page.nextLine !== undefined && start === lines.length) return
    let end = start
    for (let characters = 0; end < lines.length && characters < PART_CHARACTERS; end++)
      characters += lines[end]?.length ?? 0
    const part = lines.slice(start, end)
    const text = JSON.stringify(page.nextLine === undefined ? ['log', part] : ['log', EXTEND, part])
    page.nextLine = first + end
    page.isSendingLog = true
    page.reader.sendText(text, () => {
      page.isSendingLog = false
      sendLog(page)
    })
  }

  const receiveLog = (message: readonly Json[]): void => {
    const list = listOf(message)
    if (list === undefined) return
    edge.takeLog(list.items)
    if (!edge.isOpen()) return
    if (list.replace || log === undefined) {
      log = { lines: [], first: 0, characters: 0 }
      for (const page of pages) page.nextLine = undefined
    }
    const buffer = log
    for (const line of list.items) {
      if (typeof line !== 'string') continue
      buffer.lines.push(line)
      buffer.characters += line.length
    }
    let dropped = 0
    while (buffer.lines.length - dropped > MOST_LINES || buffer.characters > MOST_LOG_CHARACTERS)
      buffer.characters -= buffer.lines[dropped++]?.length ?? buffer.characters
    if (dropped > 0) buffer.lines.splice(0, dropped)
    buffer.first += dropped
    for (const page of pages) sendLog(page)
  }

  // A client sends its list newest first, then appends what ends later.
  const receiveUnits = (message: readonly Json[]): void => {
    const list = listOf(message)
    if (list === undefined) return
    edge.takeHistory(list.items)
    if (!edge.isOpen()) return
    units = list.replace ? list.items : [...list.items.toReversed(), ...(units ?? [])]
    units = units.slice(0, MOST_UNITS)
    const text = JSON.stringify(list.replace ? ['wus', units] : ['wus', EXTEND, list.items])
    for (const page of pages) if (page.readsUnits) page.reader.sendText(text)
  }

  const watchLog = (): void => {
    const isWanted = [...pages].some(({ readsLog }) => readsLog)
    cancelEndOfLog?.()
    cancelEndOfLog = undefined
    if (isWanted === asksLog) return
    const ask = (): void => {
      asksLog = isWanted
      send({ cmd: 'log', enable: isWanted })
    }
    if (isWanted) ask()
    else cancelEndOfLog = later(LOG_READ_MS, ask)
  }

  const takeSnapshot = (next: ClientData): void => {
    data = next
    const text = JSON.stringify(data)
    for (const { reader } of pages) reader.sendText(text)
  }

  const takeChanges = (before: ClientData, changes: readonly Change[]): void => {
    for (const change of changes) edge.takeChange(before, change)
    if (!edge.isOpen()) return
    data = edge.timed(() => applyChanges(before, changes))
    for (const change of changes) {
      const text = pages.size === 0 ? '' : JSON.stringify(change)
      for (const { reader } of pages) reader.sendText(text)
    }
    if (changes.some(isOfFrames)) molecules.check()
  }

  const receive = (content: Json, bytes = sizeOf(content, 'inner').characters): readonly ClientFact[] => {
    if (!edge.isOpen()) return NO_FACTS
    edge.takeMessage(bytes)
    if (isJsonList(content)) {
      if (content[0] === 'log') receiveLog(content)
      else if (content[0] === 'viz' && edge.isOpen()) molecules.receive(content)
      else if (content[0] === 'wus') receiveUnits(content)
    } else if (isJsonObject(content)) edge.takeState(content)
    if (!edge.isOpen()) return NO_FACTS
    if (isJsonList(content) && (content[0] === 'log' || content[0] === 'viz')) return STILL_THERE
    const facts = edge.timed(() => decodeClientContent(content))
    for (const fact of facts) {
      if (fact.type === 'snapshot.received') takeSnapshot(fact.data)
      else if (fact.type === 'changes.received' && data !== undefined) takeChanges(data, fact.changes)
      if (!edge.isOpen()) return NO_FACTS
    }
    pacer.compare()
    return facts
  }

  const receiveText: Exchange['receiveText'] = (text, bytes) => {
    if (!edge.mayParse(text)) return { facts: NO_FACTS, isLost: false }
    const parsed = edge.timed(() => parseMessage(text))
    if (!parsed.ok) {
      edge.takeMessage(bytes)
      return { facts: [faultFound(parsed.fault)], isLost: true }
    }
    const facts = receive(parsed.value, bytes)
    return { facts: edge.isOpen() ? [...parsed.faults.map(faultFound), ...facts] : NO_FACTS, isLost: false }
  }

  return {
    data: () => data,
    readers: () => pages.size,
    open: (write, end) => {
      post = write
      edge.begin(end)
    },
    receive,
    receiveText,
    date: at => {
      if (at === asOf) return
      asOf = at
      for (const { reader } of pages) reader.sendText(ageText())
    },
    receivePing: () => edge.takeMessage(0),
    timed: edge.timed,
    excess: edge.excess,
    close: () => {
      edge.end()
      post = undefined
      data = undefined
      asOf = undefined
      log = undefined
      units = undefined
      asksLog = false
      cancelEndOfLog?.()
      pacer.clear()
      molecules.clear()
      const left = [...pages]
      pages.clear()
      for (const { reader } of left) reader.close()
    },
    join: reader => {
      if (data === undefined) return undefined
      const page: Page = { reader, readsLog: false, readsUnits: false, nextLine: undefined, isSendingLog: false }
      const viewer = { send: (content: Json) => reader.sendText(JSON.stringify(content)) }
      pages.add(page)
      reader.sendText(JSON.stringify(data))
      if (asOf !== undefined) reader.sendText(ageText())
      return {
        request: request => {
          if (!pages.has(page)) return
          switch (request.cmd) {
            case 'log':
              page.readsLog = request.enable
              sendLog(page)
              watchLog()
              return
            case 'wus':
              page.readsUnits = request.enable
              if (request.enable && units !== undefined) reader.sendText(JSON.stringify(['wus', units]))
              return
            case 'viz':
              molecules.view(viewer, request.unit, request.frame)
          }
        },
        leave: () => {
          if (!pages.delete(page)) return
          molecules.leave(viewer)
          watchLog()
        },
      }
    },
    command: (command, done) => {
      if (post === undefined) done('refused')
      else pacer.add(command, done)
    },
  }
}

const NO_FACTS: readonly ClientFact[] = []
/** The statechart watches for silence, and needs nothing else of a log or a molecule. */
const STILL_THERE: readonly ClientFact[] = [{ type: 'ping.received' }]

function faultFound(fault: Fault): ClientFact {
  return { type: 'fault.found', fault }
}

function isOfFrames(change: readonly Json[]): boolean {
  return change[0] === 'units' && (change.length < 4 || change[2] === 'frames')
}

function listOf(message: readonly Json[]): { readonly replace: boolean; readonly items: readonly Json[] } | undefined {
  const [, second, third] = message
  if (message.length === 2) return { replace: true, items: isJsonList(second) ? second : [] }
  if (second === EXTEND && isJsonList(third)) return { replace: false, items: third }
  return second === APPEND && third !== undefined ? { replace: false, items: [third] } : undefined
}
