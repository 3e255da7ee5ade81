import { type Structure, emptyStructure } from '../../../folding/molecule/structure.ts'
import { entryOf, type Progress } from './molecules.context.ts'
import type { Subject } from './molecules.events.ts'
import type { MoleculesSnapshot } from './molecules.machine.ts'

/** How far the molecule of a unit is. */
export function selectProgress(subject: Subject) {
  return ({ context }: MoleculesSnapshot): Progress => entryOf(context, subject)?.progress ?? 'unread'
}

/** The atoms and one frame of a unit's molecule, or what came of it. */
export function selectStill(subject: Subject) {
  return ({ context }: MoleculesSnapshot): Structure => entryOf(context, subject)?.structure ?? emptyStructure
}
