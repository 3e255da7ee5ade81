import type { Coloring, DrawStyle } from '../../../folding/molecule/molecule-style.ts'
import type { Speed } from '../../../folding/molecule/playback.ts'
import { emptyStructure, type Structure } from '../../../folding/molecule/structure.ts'

/** A turn of the molecule, or all its frames. */
export type RecordingKind = 'turn' | 'trajectory'

export type Recording = {
  readonly kind: RecordingKind
  /** Of the file, without its extension. */
  readonly name: string
  /** The share of the pictures that are drawn. */
  readonly share: number
}

/** Why pictures cost too much: the processor draws, there is only the battery, or each takes long. */
export type Economy = 'software' | 'battery' | 'slow'

export type ViewerContext = {
  /** The client of the viewed unit; undefined while the viewer is closed. */
  readonly client: string | undefined
  readonly unit: string | undefined
  readonly structure: Structure
  /** The frames that arrived, in order. A new list only when they changed. */
  readonly frames: readonly Float32Array[]
  /** Index of the shown frame. */
  readonly frame: number
  /** Which way playback goes. */
  readonly direction: 1 | -1
  readonly speed: Speed
  /** Playback goes back and forth, and does not begin again after the last frame. */
  readonly swings: boolean
  /** Undefined: the one that shows the molecule best. */
  readonly style: DrawStyle | undefined
  /** Undefined: what tells most in the drawn style. */
  readonly coloring: Coloring | undefined
  readonly hasOutlines: boolean
  /** Whether water and ions are shown. */
  readonly showsSolvent: boolean
  /** Whether a surface shows what is inside. */
  readonly isSeeThrough: boolean
  /** Whether the first frame is drawn too, see-through. */
  readonly hasGhost: boolean
  /** Whether the meaning of the colors is shown. */
  readonly showsLegend: boolean
  /** The atom under the pointer. */
  readonly hovered: number | undefined
  /** At most four atoms, in the order of selection. */
  readonly picked: readonly number[]
  /** The residue that is looked at closely, counted from 1. */
  readonly focus: number | undefined
  /** The video that is being made. */
  readonly recording: Recording | undefined
  /** How pictures and videos look in files. */
  readonly isTransparent: boolean
  readonly hasCaption: boolean
  /** Whether the user prefers reduced motion. */
  readonly prefersStill: boolean
  /** Why it stands still at first. */
  readonly economy: Economy | undefined
}

/** What can be switched on and off. */
export type ViewerOption =
  | 'hasOutlines'
  | 'showsSolvent'
  | 'isSeeThrough'
  | 'hasGhost'
  | 'showsLegend'
  | 'isTransparent'
  | 'hasCaption'

/** Without a molecule. How one is drawn is not part of it. */
export const nothingShown = {
  client: undefined,
  unit: undefined,
  structure: emptyStructure,
  frames: [],
  frame: 0,
  direction: 1,
  hasGhost: false,
  hovered: undefined,
  picked: [],
  focus: undefined,
  recording: undefined,
  economy: undefined,
} satisfies Partial<ViewerContext>

export const initialContext: ViewerContext = {
  ...nothingShown,
  speed: 1,
  swings: false,
  style: undefined,
  coloring: undefined,
  hasOutlines: true,
  showsSolvent: false,
  isSeeThrough: false,
  showsLegend: false,
  isTransparent: true,
  hasCaption: false,
  prefersStill: false,
}
