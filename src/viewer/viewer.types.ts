import type { Molecule } from '../folding/molecule/molecule.ts'

export type { Molecule } from '../folding/molecule/molecule.ts'

/** 1 space-filling, 2 ball-and-stick, 3 sticks (docs/product.md §2). */
export type DrawStyle = 1 | 2 | 3

/** `chain` and `residue` fall back to `element` for a molecule that has none. */
export type Colouring = 'element' | 'chain' | 'residue' | 'charge' | 'motion'

export type Theme = 'light' | 'dark'

export type Camera = {
  /** Unit quaternion (x, y, z, w): turns the molecule before the eye. */
  readonly rotation: readonly [number, number, number, number]
  /** From the eye to the middle of the first frame's ball, in its radii; `FIT_DISTANCE` shows the whole ball. */
  readonly distance: number
  /** How far the middle of the ball is moved right and up, in its radii. */
  readonly pan: readonly [number, number]
}

export type Look = {
  readonly style: DrawStyle
  readonly colouring: Colouring
  readonly theme: Theme
  readonly hasOutlines: boolean
  /** Reduced motion is preferred: blending between frames becomes a step. */
  readonly isStill: boolean
}

/** What a drawing costs, from dear to cheap. */
export type ViewerStatistics = {
  /** 0 is the finest; see `quality.ts`. */
  readonly tier: number
  /** Drawn pixels a screen pixel, along one side. */
  readonly scale: number
  /** Milliseconds from one drawn frame to the next while they follow one another; 0 before that is known. */
  readonly frameMs: number
  /** Pictures drawn since the viewer was made. */
  readonly framesDrawn: number
  /** Held on the GPU in buffers, textures and targets. */
  readonly gpuBytes: number
  /** The GPU was taken away; drawing goes on when it comes back. */
  readonly isLost: boolean
  /** The picture is finished: nothing is drawn until something changes. */
  readonly isAtRest: boolean
}

export type Viewer = {
  /** Frames of the molecule before are forgotten. */
  readonly setMolecule: (molecule: Molecule | undefined) => void
  /**
   * x, y and z of each atom in ångström. Each array is uploaded once: one that was there before is known again by its
   * identity. A frame of another length than the molecule shows what it has. The first one decides the ball that the
   * camera looks at.
   */
  readonly setFrames: (frames: readonly Float32Array[]) => void
  /** The frame to show, from 0; a fraction blends it with the next one. */
  readonly show: (place: number) => void
  readonly setCamera: (camera: Camera) => void
  readonly setLook: (look: Look) => void
  /** CSS pixels, and device pixels a CSS pixel. */
  readonly resize: (width: number, height: number, ratio: number) => void
  /** The atom drawn at, or within a few pixels of, a place in CSS pixels from the top left; -1 for none. */
  readonly pick: (x: number, y: number) => number
  /** Atoms drawn as marked; a line joins the first two. */
  readonly setMarks: (atoms: readonly number[]) => void
  /** A PNG of the finest quality with a transparent background; `scale` multiplies its sides. */
  readonly snapshot: (options?: { readonly scale?: number }) => Promise<Blob>
  /** Called after each picture and when the GPU comes or goes, at once with what is known; returns the way to end it. */
  readonly onStatistics: (listen: (statistics: ViewerStatistics) => void) => () => void
  /** Frees all that the GPU holds, and ends listeners and drawing. */
  readonly dispose: () => void
}

export type CreateViewer = (canvas: HTMLCanvasElement) => Viewer | undefined
