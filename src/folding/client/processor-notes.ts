/* What is noted of single GPUs and CPUs outside their client, and how it changes. */
import * as v from 'valibot'

/** Without `gpu`: the CPUs of the group. */
export type Processor = { readonly group: string; readonly gpu?: string }

const processorNote = v.object({
  group: v.pipe(v.string(), v.maxLength(200)),
  gpu: v.exactOptional(v.pipe(v.string(), v.maxLength(100))),
  state: v.picklist(['pause', 'finish']),
  /** That were taken out of the group with it, and are given back. */
  cpus: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000)),
  /** Epoch milliseconds; the page's clock is corrected by fractions. */
  at: v.pipe(v.number(), v.finite()),
  /** While it finishes: whether its group was told to fetch nothing meanwhile. */
  isHolding: v.exactOptional(v.literal(true)),
  /** Who asked for it, where a server keeps the note. */
  by: v.exactOptional(v.pipe(v.string(), v.maxLength(64))),
})
export type ProcessorNote = Readonly<v.InferOutput<typeof processorNote>>

const MOST_CLIENTS = 10_000
const MOST_OF_A_CLIENT = 100
const clientId = v.pipe(v.string(), v.maxLength(200))
const notesOfClient = v.pipe(v.array(processorNote), v.maxLength(MOST_OF_A_CLIENT), v.readonly())
export const processorNotes = v.pipe(
  v.record(clientId, notesOfClient),
  v.check(notes => Object.keys(notes).length <= MOST_CLIENTS),
  v.readonly(),
)

/** What is noted of one client from now on, by its own id, or of several of which nothing was noted. */
export const processorsChange = v.variant('type', [
  v.object({ type: v.literal('processors.note'), machine: clientId, notes: notesOfClient }),
  v.object({ type: v.literal('processors.import'), processors: processorNotes }),
])
export type ProcessorsChange = v.InferOutput<typeof processorsChange>
/** Of each client, by its own id. */
export type ProcessorNotes = Readonly<Record<string, readonly ProcessorNote[]>>

export const NO_NOTES: ProcessorNotes = Object.freeze({})
const NONE: readonly ProcessorNote[] = Object.freeze([])

export function notesOf(notes: ProcessorNotes, client: string | undefined): readonly ProcessorNote[] {
  return client !== undefined && Object.hasOwn(notes, client) ? (notes[client] ?? NONE) : NONE
}

export function isSameProcessor(a: Processor, b: Processor): boolean {
  return a.group === b.group && a.gpu === b.gpu
}

export function noteOf(notes: readonly ProcessorNote[], processor: Processor): ProcessorNote | undefined {
  return notes.find(note => isSameProcessor(note, processor))
}

/** Undefined when it is nothing of the kind. */
export function parseProcessorNotes(value: unknown): ProcessorNotes | undefined {
  const parsed = v.safeParse(processorNotes, value)
  return parsed.success ? parsed.output : undefined
}

/** The same object when nothing changes. */
export function notesAfter(notes: ProcessorNotes, change: ProcessorsChange): ProcessorNotes {
  if (change.type === 'processors.note') return withNotes(notes, change.machine, change.notes)
  const missing = Object.entries(change.processors).filter(([client]) => !Object.hasOwn(notes, client))
  return missing.length === 0 ? notes : limited({ ...notes, ...Object.fromEntries(missing) })
}

export function withNotes(notes: ProcessorNotes, client: string, of: readonly ProcessorNote[]): ProcessorNotes {
  const others = Object.fromEntries(Object.entries(notes).filter(([key]) => key !== client))
  return of.length === 0 ? others : limited({ ...others, [client]: of })
}

/** Without those that were noted first, when they are of too many clients. */
function limited(notes: ProcessorNotes): ProcessorNotes {
  const entries = Object.entries(notes)
  return entries.length > MOST_CLIENTS ? Object.fromEntries(entries.slice(-MOST_CLIENTS)) : notes
}

export function withoutNote(notes: readonly ProcessorNote[], processor: Processor): readonly ProcessorNote[] {
  return notes.filter(note => !isSameProcessor(note, processor))
}

export function withNote(notes: readonly ProcessorNote[], note: ProcessorNote): readonly ProcessorNote[] {
  return [...withoutNote(notes, note), note].slice(-MOST_OF_A_CLIENT)
}
