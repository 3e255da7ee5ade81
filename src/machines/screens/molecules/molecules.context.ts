import { emptyStructure, type Structure } from '../../../folding/molecule/structure.ts'
import { frameBytes } from '../../../folding/molecule/trajectory.ts'
import type { Subject } from './molecules.events.ts'

/** `unread`: what is stored is not known yet. `missing`: nothing is stored. `failed`: the client did not send it in time. */
export type Progress = 'unread' | 'missing' | 'failed' | 'known'

/** The molecule of a unit that is shown, or was shown lately, as a still picture. */
export type Entry = Subject & {
  /** Pictures on the screen. */
  readonly readers: number
  readonly mayAsk: boolean
  readonly progress: Progress
  /** Its atoms with one frame, or the part of it that came. */
  readonly structure: Structure
}

export type MoleculesContext = {
  /** The least recently wanted first. */
  readonly entries: readonly Entry[]
  /** Whose molecule is read or asked for. */
  readonly subject: Subject | undefined
}

export const initialContext: MoleculesContext = { entries: [], subject: undefined }

/** Molecules that are kept after their pictures left the screen. */
const MOST_UNWANTED = 4

export function isSame(a: Subject, b: Subject): boolean {
  return a.client === b.client && a.unit === b.unit
}

export function entryOf({ entries }: Pick<MoleculesContext, 'entries'>, subject: Subject): Entry | undefined {
  return entries.find(entry => isSame(entry, subject))
}

export function withEntry(
  entries: readonly Entry[],
  subject: Subject,
  change: (entry: Entry) => Partial<Entry>,
): readonly Entry[] {
  return entries.map(entry => (isSame(entry, subject) ? { ...entry, ...change(entry) } : entry))
}

/** With one picture more; a unit that was wanted last is kept longest. */
export function wanted(entries: readonly Entry[], { client, unit }: Subject): readonly Entry[] {
  const existing = entryOf({ entries }, { client, unit })
  const entry = existing ?? { client, unit, readers: 0, mayAsk: false, progress: 'unread', structure: emptyStructure }
  return [...entries.filter(other => other !== existing), { ...entry, readers: entry.readers + 1 }]
}

/** With one picture less. Of units without a picture only some molecules are kept. */
export function left(entries: readonly Entry[], subject: Subject): readonly Entry[] {
  const rest = withEntry(entries, subject, ({ readers }) => ({ readers: Math.max(0, readers - 1) }))
  const retained = rest.filter(({ readers, progress }) => readers === 0 && progress === 'known').slice(-MOST_UNWANTED)
  return rest.filter(entry => entry.readers > 0 || retained.includes(entry))
}

/** The atoms and their last frame: what a still picture needs. */
export function stillOf(structure: Structure): Structure {
  const frame = structure.trajectory.frames.findLast(positions => positions !== undefined)
  return frame === undefined ? structure : { ...structure, trajectory: { frames: [frame], count: 1 } }
}

/** Bytes of positions after which a client is stopped. Of a small molecule some frames more cost little. */
const ENOUGH = 512 * 1024

export function isEnough(structure: Structure | undefined): boolean {
  return structure !== undefined && frameBytes(structure.trajectory) >= ENOUGH
}

/** Whether a picture can be drawn of it. */
export function isDrawable({ topology, trajectory }: Structure = emptyStructure): boolean {
  return topology !== undefined && topology.names.length > 0 && trajectory.count > 0
}
