import {
  notesAfter,
  type ProcessorNote,
  type ProcessorNotes,
  type ProcessorsChange,
  withNote,
  withoutNote,
  noteOf,
  notesOf,
} from '../../../src/folding/client/processor-notes.ts'
import { advanceNotes } from '../../../src/folding/client/processor-changes.ts'
import type { ProcessorChoice } from '../../../src/folding/fleet/bulk-action.ts'
import { chosenProcessors, processorEffect } from '../../../src/folding/fleet/processor-plan.ts'
import { createTurns } from '../../../src/folding/shared/turns.ts'
import type { FoldingState } from '../../../src/protocol/client/commands.ts'
import { every } from '../event-loop.ts'
import type { ControlRequest } from '../gateway/page-command.ts'
import type { Outcome } from '../gateway/pacer.ts'
import type { ListedClient } from '../news.ts'

export type ProcessorsDeps = {
  readonly load: () => Promise<ProcessorNotes>
  /** Stores a change, and tells pages of it. */
  readonly change: (change: ProcessorsChange) => Promise<void>
  /** With their newest states. */
  readonly machines: () => readonly Pick<ListedClient, 'id' | 'number' | 'isConnected' | 'data' | 'asOf'>[]
  readonly send: (client: number, request: ControlRequest, reason: string) => void
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

export type ProcessorRequest = {
  readonly which: ProcessorChoice
  readonly state: FoldingState
  /** Only says what it would mean. */
  readonly isPreview: boolean
  /** Who asks for it. */
  readonly by: string
}

/** `costs`: what it means for other work, in words. */
export type ProcessorAnswer =
  | { readonly kind: 'impossible'; readonly because: string }
  | { readonly kind: 'done'; readonly outcome: Outcome | 'forbidden' | 'none'; readonly costs: readonly string[] }

/** GPUs and CPUs of groups that are paused or finish by themselves. */
export type Processors = {
  /** The notes were changed by a page. */
  readonly reload: () => Promise<void>
  /** What is noted of a client, by its own id. */
  readonly notes: (id: string | undefined) => readonly ProcessorNote[]
  /** Folds, pauses or finishes some of a client, by its number. */
  readonly command: (
    request: ProcessorRequest,
    number: number,
    send: (request: ControlRequest) => Promise<Outcome | 'forbidden'>,
  ) => Promise<ProcessorAnswer>
  readonly stop: () => Promise<void>
}

const PACE_MS = 5000

/** Starts when the notes are loaded. Those of a client whose state is not current wait. */
export async function createProcessors(deps: ProcessorsDeps): Promise<Processors> {
  const { load, change, machines, send, now, onError } = deps
  let notes = await load()
  const inTurn = createTurns()
  const note = async (machine: string, next: readonly ProcessorNote[]): Promise<void> => {
    const noted: ProcessorsChange = { type: 'processors.note', machine, notes: next }
    await change(noted)
    notes = notesAfter(notes, noted)
  }
  const advance = async (): Promise<void> => {
    if (Object.keys(notes).length === 0) return
    for (const { id, number, isConnected, data, asOf } of machines()) {
      const noted = notesOf(notes, id)
      if (id === undefined || !isConnected || data === undefined || asOf !== undefined || noted.length === 0) continue
      const { notes: next, patches } = advanceNotes(data, noted, now())
      if (next === noted) continue
      await note(id, next)
      for (const { group, patch } of patches)
        send(number, { cmd: 'config', config: { groups: { [group]: patch } }, keepsOtherGpus: true }, FINISHES)
    }
  }
  const stopAdvancing = every(PACE_MS, () => inTurn(advance).catch(onError))
  return {
    reload: () =>
      inTurn(async () => {
        notes = await load()
      }),
    notes: id => notesOf(notes, id),
    command: async ({ which, state, isPreview, by }, number, sendCommand) => {
      const client = machines().find(each => each.number === number && each.isConnected)
      const { id, data } = client ?? {}
      if (id === undefined || data === undefined) return { kind: 'impossible', because: 'The machine is not connected' }
      const owner = { data, machine: id, notes: notesOf(notes, id), now: now(), isWatched: true }
      const effect = processorEffect(state, which, owner)
      if (effect.kind === 'impossible') return effect
      if (effect.kind !== 'change') return { kind: 'done', outcome: 'none', costs: [] }
      const { costs = [], work, noted } = effect
      if (isPreview) return { kind: 'done', outcome: 'none', costs }
      for (const command of work.kind === 'commands' ? work.commands : []) {
        if (command.cmd !== 'config' && command.cmd !== 'state') continue
        const outcome = await sendCommand(command)
        if (outcome !== 'confirmed') return { kind: 'done', outcome, costs }
      }
      if (noted === undefined) return { kind: 'done', outcome: 'confirmed', costs }
      // Others of the client may have changed meanwhile.
      await inTurn(() =>
        note(
          id,
          chosenProcessors(data, owner.notes, which).reduce(
            (others, processor) => {
              const after = noteOf(noted.notes, processor)
              return after === undefined ? withoutNote(others, processor) : withNote(others, { ...after, by })
            },
            notesOf(notes, id),
          ),
        ),
      )
      return { kind: 'done', outcome: 'confirmed', costs }
    },
    stop: () => {
      stopAdvancing()
      return inTurn(() => Promise.resolve())
    },
  }
}

const FINISHES = 'a processor finishes'

/** What a page sends, with its user as who asked, but for notes that are known: a page sends all of a client. */
export function signedChange(change: ProcessorsChange, known: ProcessorNotes, by: string): ProcessorsChange {
  const signed = (machine: string, notes: readonly ProcessorNote[]): readonly ProcessorNote[] =>
    notes.map(note => ({ ...note, by: sameNote(notesOf(known, machine), note)?.by ?? by }))
  if (change.type === 'processors.note') return { ...change, notes: signed(change.machine, change.notes) }
  const entries = Object.entries(change.processors).map(
    ([machine, notes]) => [machine, signed(machine, notes)] as const,
  )
  return { ...change, processors: Object.fromEntries(entries) }
}

function sameNote(notes: readonly ProcessorNote[], { at, ...processor }: ProcessorNote): ProcessorNote | undefined {
  const note = noteOf(notes, processor)
  return note?.at === at ? note : undefined
}
