/* What the tests of the viewer find in the page: the viewer alone, without the product around it. */
import { fitCamera, turnCamera, zoomCamera } from '../../src/viewer/camera.ts'
import { record } from '../../src/viewer/recording/record.ts'
import { createViewer as createViewerWith, FIRST_LOOK } from '../../src/viewer/viewer.ts'
import { surfaceOf } from '../../src/folding/molecule/surface.ts'
import type { ViewerAppearance, Viewer, ViewerStatistics } from '../../src/viewer/viewer.types.ts'
import { moleculeOf } from '../../src/folding/molecule/molecule.ts'
import type { Topology } from '../../src/protocol/client/visualization.ts'
import { alphaHelix } from './helix.ts'
import { readPdb } from './pdb.ts'
import { moleculeOfPlaces, packedBall, stirred, type Sample } from './sample.ts'

export const LOOK: ViewerAppearance = { ...FIRST_LOOK, showsSolvent: true }

function createViewer(canvas: HTMLCanvasElement): Viewer | undefined {
  return createViewerWith(canvas, (...what) => Promise.resolve(surfaceOf(...what)))
}

function canvas(): HTMLCanvasElement {
  const found = document.querySelector('canvas')
  if (found === null) throw new Error('The page has no canvas.')
  return found
}

/** In the place of the last one: a viewer leaves state in its context. */
function newCanvas(): HTMLCanvasElement {
  const made = document.createElement('canvas')
  canvas().replaceWith(made)
  return made
}

function open(
  sample?: Sample,
  look: Partial<ViewerAppearance> = {},
  size: readonly [number, number] = [innerWidth, innerHeight],
): Viewer {
  const viewer = createViewer(newCanvas())
  if (viewer === undefined) throw new Error('There is no WebGL 2.')
  viewer.resize(...size, 1)
  viewer.setAppearance({ ...LOOK, ...look })
  if (sample !== undefined) {
    viewer.setMolecule(sample.molecule)
    viewer.setFrames([sample.frame])
  }
  return viewer
}

/** An α-helix of so many residues, without side chains. */
function helix(residues: number): Sample {
  const { frame, classes, bonds } = alphaHelix(residues)
  const topology: Topology = {
    names: Array.from(classes, (_, atom) => ['N', 'CA', 'C', 'O'][atom % 4] ?? ''),
    elements: new Uint8Array(classes.length),
    charges: new Float32Array(classes.length),
    radii: new Float32Array(classes.length),
    masses: new Float32Array(classes.length),
    bonds,
  }
  return { frame, molecule: moleculeOf(topology) }
}

/** Until the viewer reports it of itself. */
function until(viewer: Viewer, holds: (statistics: ViewerStatistics) => boolean): Promise<ViewerStatistics> {
  return new Promise(done => {
    const state: { end?: () => void; isOver: boolean } = { isOver: false }
    state.end = viewer.onStatistics(statistics => {
      if (state.isOver || !holds(statistics)) return
      state.isOver = true
      state.end?.()
      done(statistics)
    })
    if (state.isOver) state.end()
  })
}

function atRest(viewer: Viewer): Promise<ViewerStatistics> {
  return until(viewer, ({ isAtRest }) => isAtRest)
}

/** Red, green, blue and opacity (0 to 255) of a place of a snapshot, in its pixels from the top left. */
async function pixelsOf(viewer: Viewer): Promise<{
  readonly width: number
  readonly height: number
  readonly at: (x: number, y: number) => readonly number[]
  readonly data: Uint8ClampedArray
}> {
  const { width, height, data } = await viewer.picture()
  return { width, height, data, at: (x, y) => [...data.slice((y * width + x) * 4, (y * width + x) * 4 + 4)] }
}

export const molecules = {
  createViewer,
  open,
  until,
  atRest,
  pixelsOf,
  canvas,
  moleculeOfPlaces,
  packedBall,
  stirred,
  readPdb,
  record,
  helix,
  fitCamera,
  turnCamera,
  zoomCamera,
  LOOK,
}

Object.assign(globalThis, { molecules })
