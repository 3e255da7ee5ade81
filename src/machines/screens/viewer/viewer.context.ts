import type { Colouring, DrawStyle } from '../../../folding/molecule/molecule-style.ts'
import { emptyStructure, type Structure } from '../../../folding/molecule/structure.ts'

export type ViewerContext = {
  /** Whose molecule it is; undefined while nobody looks. */
  readonly client: string | undefined
  readonly unit: string | undefined
  readonly structure: Structure
  /** Its frames that can be shown, in order. Another list only when there are others. */
  readonly frames: readonly Float32Array[]
  /** The shown one of the frames, from 0. */
  readonly frame: number
  readonly style: DrawStyle
  readonly colouring: Colouring
  readonly hasOutlines: boolean
  /** The atom under the pointer. */
  readonly hovered: number | undefined
  /** Two atoms at the most, in the order in which they were chosen. */
  readonly picked: readonly number[]
  /** This person wants nothing to move by itself. */
  readonly prefersStill: boolean
}

export const nobodyLooks: ViewerContext = {
  client: undefined,
  unit: undefined,
  structure: emptyStructure,
  frames: [],
  frame: 0,
  style: 2,
  colouring: 'element',
  hasOutlines: true,
  hovered: undefined,
  picked: [],
  prefersStill: false,
}
