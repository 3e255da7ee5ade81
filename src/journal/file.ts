import { t } from '@lingui/core/macro'
import type { AnyEventObject } from 'xstate'
import type { Checkpoint, SavedActor } from './checkpoint.ts'
import { decode, encode, UnreadableRecording, type Kind } from './codec.ts'
import { createCollector } from './known-values.ts'
import { FILE_LIMITS } from './limits.ts'
import { pseudonymsFor, type Rename } from './pseudonyms.ts'
import type { RecordedEntry, Recording, RecordingMark } from './recording.ts'

/** Why a file cannot be opened. `other-version`: of a newer format, or not replayable by these machines. */
export type FileFault = 'not-a-recording' | 'older-version' | 'other-version' | 'damaged' | 'too-large'

export type OpenedFile =
  | {
      readonly ok: true
      readonly recording: Recording
      /** False when the machines have changed since, so that the replay may differ from what was seen. */
      readonly isExact: boolean
    }
  | { readonly ok: false; readonly fault: FileFault }

export type FileOptions = {
  readonly kinds: readonly Kind[]
  /** Fingerprint of the machines. */
  readonly machines: string
  /** Bytes of a file, compressed and uncompressed. */
  readonly limits?: { readonly file: number; readonly text: number }
}

type Header = {
  readonly format: string
  readonly version: number
  readonly machines: string
  readonly entries: number
  readonly mark?: RecordingMark
}

export const FORMAT = 'foldboard-recording'
/** Raised when names of events, states or actors change: recordings of older formats cannot be replayed. */
export const VERSION = 3

/** Entries that are processed between two pauses. */
const SLICE = 500

function yieldToPage(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 0))
}

/**
 * A recording as one file: gzipped lines of JSON. The first is the header, the second a checkpoint, every other one an
 * event. `clean` replaces known secrets inside texts. Ids of machines and accounts are always replaced, names of people
 * and their things with `usesPseudonyms`.
 */
export async function toFile(
  recording: Recording,
  {
    kinds,
    machines,
    clean,
    usesPseudonyms,
  }: FileOptions & { readonly clean: (text: string) => string; readonly usesPseudonyms: boolean },
): Promise<Blob> {
  const [checkpoint] = recording.checkpoints
  if (checkpoint === undefined) throw new Error('Nothing was recorded.')
  const pseudonyms = await pseudonymsOf(checkpoint, recording.entries, kinds, usesPseudonyms)
  const rename: Rename = { text: (text, key) => pseudonyms.text(clean(text), key), number: pseudonyms.number }
  const { mark } = recording
  const header: Header = {
    format: FORMAT,
    version: VERSION,
    machines,
    entries: recording.entries.length,
    ...(mark === undefined ? {} : { mark: { at: mark.at, text: rename.text(mark.text) } }),
  }
  const lines = function* (): Generator<string> {
    yield JSON.stringify(header)
    yield JSON.stringify(encode(checkpoint, kinds, rename))
    for (const { at, to, event } of recording.entries)
      yield JSON.stringify([at, rename.text(to), encode(event, kinds, rename)])
  }
  const source = lines()
  const utf8 = new TextEncoder()
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async controller => {
      let text = ''
      for (let count = 0; count < SLICE; count++) {
        const next = source.next()
        if (next.done === true) {
          if (text !== '') controller.enqueue(utf8.encode(text))
          controller.close()
          return
        }
        text += `${next.value}\n`
      }
      controller.enqueue(utf8.encode(text))
      await yieldToPage()
    },
  })
  return new Response(stream.pipeThrough(new CompressionStream('gzip')), {
    headers: { 'Content-Type': 'application/gzip' },
  }).blob()
}

async function pseudonymsOf(
  checkpoint: Checkpoint,
  entries: readonly RecordedEntry[],
  kinds: readonly Kind[],
  usesPseudonyms: boolean,
): Promise<Rename> {
  const collector = createCollector()
  collector.scan(encode(checkpoint, kinds))
  for (const [index, { to, event }] of entries.entries()) {
    collector.scanAddress(to)
    collector.scan(encode(event, kinds))
    if (index % SLICE === SLICE - 1) await yieldToPage()
  }
  return pseudonymsFor(collector, usesPseudonyms)
}

/** Reads a recording from an untrusted file; never rejects. */
export async function fromFile(
  file: Blob,
  { kinds, machines, limits = FILE_LIMITS }: FileOptions,
): Promise<OpenedFile> {
  if (file.size > limits.file) return { ok: false, fault: 'too-large' }
  let header: Header | undefined
  let checkpoint: Checkpoint | undefined
  const entries: RecordedEntry[] = []
  try {
    for await (const line of linesOf(file, limits.text)) {
      const json: unknown = JSON.parse(line)
      if (header === undefined) {
        header = headerOf(json)
        if (header === undefined) return { ok: false, fault: 'not-a-recording' }
        if (header.version < VERSION) return { ok: false, fault: 'older-version' }
        if (header.version > VERSION) return { ok: false, fault: 'other-version' }
      } else if (checkpoint === undefined) checkpoint = checkpointOf(decode(json, kinds))
      else {
        if (entries.length >= header.entries)
          throw new UnreadableRecording(t`There are more events than the header says.`)
        entries.push(entryOf(json, checkpoint.seq + entries.length, kinds))
        if (entries.length % SLICE === 0) await yieldToPage()
      }
    }
  } catch (error) {
    if (error instanceof TooLarge) return { ok: false, fault: 'too-large' }
    return { ok: false, fault: header === undefined ? 'not-a-recording' : 'damaged' }
  }
  if (header === undefined) return { ok: false, fault: 'not-a-recording' }
  if (checkpoint === undefined || entries.length !== header.entries) return { ok: false, fault: 'damaged' }
  const { mark } = header
  const recording = { checkpoints: [checkpoint], entries, ...(mark === undefined ? {} : { mark }) }
  return { ok: true, recording, isExact: header.machines === machines }
}

class TooLarge extends Error {}

const linesOf = async function* (file: Blob, maxBytes: number): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  const utf8 = new TextDecoder()
  // Parts of an unfinished line, joined once: joining with every part would take quadratic time.
  let pieces: string[] = []
  let size = 0
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength
      if (size > maxBytes) throw new TooLarge()
      const lines = utf8.decode(part.value, { stream: true }).split('\n')
      for (const line of lines.splice(0, lines.length - 1)) {
        yield pieces.join('') + line
        pieces = []
      }
      pieces.push(...lines)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  if (pieces.join('') !== '') throw new UnreadableRecording(t`The last line is incomplete.`)
}

function headerOf(json: unknown): Header | undefined {
  if (!isRecord(json)) return undefined
  const { format, version, machines, entries, mark } = json
  return format === FORMAT && typeof version === 'number' && typeof machines === 'string' && typeof entries === 'number'
    ? { format, version, machines, entries, ...(isMark(mark) ? { mark: { at: mark.at, text: mark.text } } : {}) }
    : undefined
}

/** Characters of a mark's text. */
const LONGEST_MARK = 500

function isMark(value: unknown): value is RecordingMark {
  return (
    isRecord(value) && isTime(value['at']) && typeof value['text'] === 'string' && value['text'].length <= LONGEST_MARK
  )
}

function checkpointOf(value: unknown): Checkpoint {
  if (!isRecord(value) || !isCount(value['seq']) || !isTime(value['at']) || !isActor(value['root']))
    throw new UnreadableRecording(t`The checkpoint is damaged.`)
  return { seq: value['seq'], at: value['at'], root: value['root'] }
}

function entryOf(json: unknown, seq: number, kinds: readonly Kind[]): RecordedEntry {
  const [at, to, encoded] = Array.isArray(json) ? (json as unknown[]) : []
  const event = decode(encoded, kinds)
  if (!isTime(at) || typeof to !== 'string' || !isRecord(event) || typeof event['type'] !== 'string')
    throw new UnreadableRecording(t`An event is damaged.`)
  return { seq, at, to, event: event as AnyEventObject }
}

const STATUSES: readonly unknown[] = ['active', 'done', 'error', 'stopped']

function isActor(value: unknown): value is SavedActor {
  if (!isRecord(value) || typeof value['src'] !== 'string' || typeof value['id'] !== 'string') return false
  const { systemId, snapshot } = value
  if (systemId !== undefined && typeof systemId !== 'string') return false
  if (!isRecord(snapshot) || !STATUSES.includes(snapshot['status'])) return false
  const { machine } = snapshot
  return (
    machine === undefined ||
    (isRecord(machine) &&
      isRecord(machine['context']) &&
      Array.isArray(machine['children']) &&
      machine['children'].every(isActor))
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) < 8.64e15
}
function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
