import { type ProcessorNote, notesOf } from '../../../folding/client/processor-notes.ts'
import type { ProcessorsSnapshot } from './processors.machine.ts'

/** What is noted of a client, by its own id. */
export function selectNotes(client: string | undefined) {
  return ({ context }: ProcessorsSnapshot): readonly ProcessorNote[] => notesOf(context.notes, client)
}
