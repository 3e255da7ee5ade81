import type { Molecule } from '../folding/molecule/molecule.ts'
import type { Surface } from '../folding/molecule/surface.ts'
import type { Coloring, DrawStyle } from '../folding/molecule/molecule-style.ts'

export type { Molecule } from '../folding/molecule/molecule.ts'
export type { Coloring, DrawStyle } from '../folding/molecule/molecule-style.ts'

export type Theme = 'light' | 'dark'

export type Camera = {
  /** Unit quaternion (x, y, z, w): rotation of the molecule in view space. */
  readonly rotation: readonly [number, number, number, number]
  /** What it turns about: from the center of the first frame's bounding sphere, in its radii, along the axes of the frame. */
  readonly pivot: readonly [number, number, number]
  /** From the camera to the pivot, in radii of the sphere; `FIT_DISTANCE` shows all of the sphere. */
  readonly distance: number
  /** Offset of the pivot to the right and up, in radii of the sphere. */
  readonly pan: readonly [number, number]
}

export type ViewerAppearance = {
  readonly style: DrawStyle
  readonly coloring: Coloring
  readonly theme: Theme
  readonly hasOutlines: boolean
  /** Whether water and ions are drawn. */
  readonly showsSolvent: boolean
  /** A surface shows what is inside. */
  readonly isSeeThrough: boolean
  /** Atoms that are shown as such in a cartoon too: 1 for each. */
  readonly closeUp: Uint8Array | undefined
  /** Pairs of atoms with a dashed line between them. */
  readonly hydrogenBonds: readonly (readonly [number, number])[]
  /** Whether the backbone of the first frame is drawn too, see-through. */
  readonly hasGhost: boolean
  /** Reduced motion: frames are not interpolated. */
  readonly isStill: boolean
}

/** Rendering statistics. */
export type ViewerStatistics = {
  /** Quality tier, 0 is the finest; see `quality.ts`. */
  readonly tier: number
  /** Drawn pixels per screen pixel, along one side. */
  readonly scale: number
  /** Mean milliseconds between consecutive frames; 0 when unknown. */
  readonly frameMs: number
  /** Pictures drawn since the viewer was created. */
  readonly framesDrawn: number
  /** Bytes of buffers, textures and targets on the GPU. */
  readonly gpuBytes: number
  /** The WebGL context is lost; drawing resumes when it is restored. */
  readonly isLost: boolean
  /** Nothing is drawn until the next change. */
  readonly isAtRest: boolean
  /** Of the surface that is being computed, the share that is done. */
  readonly surfaceShare: number | undefined
}

/** Without a camera and a place, what is shown. */
export type PictureOptions = {
  /** Multiplies the sides of the canvas. */
  readonly scale?: number
  readonly camera?: Camera
  readonly place?: number
  /** Pictures with subpixel offsets that are averaged, along one side. */
  readonly side?: number
}

export type Viewer = {
  /** The processor draws: there is no graphics card, or the browser does not use it. */
  readonly isSoftware: boolean
  /** Removes all frames. */
  readonly setMolecule: (molecule: Molecule | undefined) => void
  /**
   * x, y and z of each atom in ångström. Each array is uploaded once, identified by reference. Of a frame that is too
   * short, missing atoms are not drawn. The first one determines the bounding sphere.
   */
  readonly setFrames: (frames: readonly Float32Array[]) => void
  /** The frame to show, from 0; a fraction interpolates to the next one. */
  readonly show: (place: number) => void
  readonly setCamera: (camera: Camera) => void
  readonly setAppearance: (look: ViewerAppearance) => void
  /** Size in CSS pixels, and device pixels per CSS pixel. */
  readonly resize: (width: number, height: number, ratio: number) => void
  /** The atom drawn at, or within a few pixels of, a place in CSS pixels from the top left; -1 for none. */
  readonly pick: (x: number, y: number) => number
  /** Up to four atoms to highlight, which a line connects, and one more. */
  readonly setMarks: (atoms: readonly number[], other?: number) => void
  /** The pixels of a picture of the finest quality with a transparent background. */
  readonly picture: (options?: PictureOptions) => Promise<ImageData>
  /** Calls the listener at once, after each picture, and when the context is lost or restored; returns the function that unsubscribes. */
  readonly onStatistics: (listen: (statistics: ViewerStatistics) => void) => () => void
  /** Frees all GPU resources, and stops listeners and drawing. */
  readonly dispose: () => void
}

/** See `surfaceOf`; best computed beside the page, which it would block. */
export type ComputeSurface = (
  frame: Float32Array,
  radii: Float32Array,
  atoms: Uint32Array,
  report: (share: number) => void,
) => Promise<Surface | undefined>

export type CreateViewer = (canvas: HTMLCanvasElement, computeSurface: ComputeSurface) => Viewer | undefined
