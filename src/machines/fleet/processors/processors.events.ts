import type { ProcessorNotes, ProcessorsChange } from '../../../folding/client/processor-notes.ts'

/** Reported by the store: what this browser had at the start, and what another tab changed. */
export type ProcessorsFact = { readonly type: 'processors.restored'; readonly notes: ProcessorNotes }

export type NoteProcessors = Extract<ProcessorsChange, { readonly type: 'processors.note' }>

export type ProcessorsEvent =
  | ProcessorsFact
  | NoteProcessors
  /** What the server of this page keeps. `isCopied`: whether this browser keeps it too, in place of its own. */
  | { readonly type: 'processors.served'; readonly notes: ProcessorNotes; readonly isCopied: boolean }

/** Sent to the store. */
export type KeepProcessors = { readonly type: 'store.keep'; readonly value: ProcessorNotes }

export type ProcessorsNotification =
  /** The user, or the end of a work unit, changed what is noted of a client. */
  | { readonly type: 'processors.changed'; readonly change: NoteProcessors }
  /** It runs from now on, and has missed what the server of this page sent before. */
  | { readonly type: 'processors.started' }
