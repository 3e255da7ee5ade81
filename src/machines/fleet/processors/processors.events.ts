import type { ProcessorNote, ProcessorNotes } from '../../../folding/client/processors.ts'

/** Reported by the store: what this browser had at the start, and what another tab changed. */
export type ProcessorsFact = { readonly type: 'processors.restored'; readonly notes: ProcessorNotes }

/** What is noted of a client, by its own id, from now on. */
export type NoteProcessors = {
  readonly type: 'processors.note'
  readonly client: string
  readonly notes: readonly ProcessorNote[]
}

export type ProcessorsEvent = ProcessorsFact | NoteProcessors

/** Sent to the store. */
export type KeepProcessors = { readonly type: 'store.keep'; readonly value: ProcessorNotes }
