/*
 * A still picture of a molecule on a plain canvas, where there is no WebGL: the backbone as a line, other atoms as discs,
 * what is nearer over what is farther.
 */
import { isSolvent, POLYMER } from '../folding/molecule/kinds.ts'
import type { Ball } from './ball.ts'
import { lensOf, rotationMatrix } from './camera.ts'
import { atomBytes } from './colors.ts'
import type { Camera, Molecule, Theme } from './viewer.types.ts'

/** A disc, or a line when it has an end. Places and sizes are in pixels from the top left. */
export type StillShape = {
  readonly from: readonly [number, number]
  readonly to?: readonly [number, number]
  readonly radius: number
  readonly color: string
  /** From the eye, in ångström. */
  readonly distance: number
}

/** Ångström. */
const LINE = 0.9
const LONGEST_STEP = 9
const NEAR = 1

/** In the order of drawing. */
export const stillShapes = (
  molecule: Molecule,
  frame: Float32Array,
  { camera, ball, size, theme }: StillView,
): readonly StillShape[] => {
  const project = projection(frame, camera, ball, size)
  const colorOf = colorsOf(molecule, theme)
  const { peptides, strands } = molecule.polymers
  const chains = [
    ...peptides.map(chain => chain.map(({ ca }) => ca)),
    ...strands.map(chain => chain.map(({ c4 }) => c4)),
  ]
  const lines = chains.flatMap(chain =>
    chain.slice(1).flatMap((atom, at): readonly StillShape[] => {
      const [a, b] = [project(chain[at] ?? atom), project(atom)]
      if (a === undefined || b === undefined || gap(frame, chain[at] ?? atom, atom) > LONGEST_STEP) return []
      const distance = (a.distance + b.distance) / 2
      return [{ from: a.at, to: b.at, radius: (LINE * (a.scale + b.scale)) / 2, color: colorOf(atom), distance }]
    }),
  )
  const isDrawn = (kind: number): boolean => !isSolvent(kind) && (chains.length === 0 || kind !== POLYMER)
  const discs = molecule.names.flatMap((_, atom): readonly StillShape[] => {
    const placed = isDrawn(molecule.kinds[atom] ?? 0) ? project(atom) : undefined
    if (placed === undefined) return []
    const radius = (molecule.radii[atom] ?? 0) * placed.scale
    return radius > 0 ? [{ from: placed.at, radius, color: colorOf(atom), distance: placed.distance }] : []
  })
  return [...lines, ...discs].sort((a, b) => b.distance - a.distance)
}

export type StillView = {
  readonly camera: Camera
  readonly ball: Ball
  /** Pixels. */
  readonly size: readonly [number, number]
  readonly theme: Theme
}

type Placed = { readonly at: readonly [number, number]; readonly scale: number; readonly distance: number }

/** Where an atom is in the picture, and pixels an ångström there; undefined for one without a place. */
const projection = (
  frame: Float32Array,
  { rotation, pan, distance }: Camera,
  { center, radius }: Ball,
  [width, height]: readonly [number, number],
): ((atom: number) => Placed | undefined) => {
  const m = rotationMatrix(rotation)
  const [wide, high] = lensOf(width, height)
  return atom => {
    const [x, y, z] = [0, 1, 2].map(axis => (frame[atom * 3 + axis] ?? NaN) - (center[axis] ?? NaN))
    const row = (index: number): number =>
      (m[index] ?? 0) * (x ?? NaN) + (m[index + 3] ?? 0) * (y ?? NaN) + (m[index + 6] ?? 0) * (z ?? NaN)
    const away = distance * radius - row(2)
    if (!(away > NEAR)) return undefined
    const [right, up] = [(row(0) + pan[0] * radius) / away / wide, (row(1) + pan[1] * radius) / away / high]
    return {
      at: [((right + 1) / 2) * width, ((1 - up) / 2) * height],
      scale: height / 2 / high / away,
      distance: away,
    }
  }
}

const gap = (frame: Float32Array, a: number, b: number): number =>
  Math.hypot(...[0, 1, 2].map(axis => (frame[a * 3 + axis] ?? NaN) - (frame[b * 3 + axis] ?? NaN)))

const colorsOf = (molecule: Molecule, theme: Theme): ((atom: number) => string) => {
  const bytes = atomBytes(molecule, 'element', theme, { isCartoon: true })
  return atom => `rgb(${bytes.subarray(atom * 4, atom * 4 + 3).join(' ')})`
}

/** Share of the color of the farthest shape. */
const FAINTEST = 0.35

export const drawStill = (context: CanvasRenderingContext2D, shapes: readonly StillShape[]): void => {
  const [far = 1, near = 0] = [shapes[0]?.distance, shapes.at(-1)?.distance]
  const { width, height } = context.canvas
  context.clearRect(0, 0, width, height)
  context.lineCap = 'round'
  for (const { from, to, radius, color, distance } of shapes) {
    // An opaque edge of the same shape keeps what is behind from showing through.
    const share = far > near ? (far - distance) / (far - near) : 1
    context.strokeStyle =
      context.fillStyle = `color-mix(in srgb, ${color} ${100 * (FAINTEST + (1 - FAINTEST) * share)}%, #888)`
    context.beginPath()
    if (to === undefined) {
      context.arc(from[0], from[1], radius, 0, 2 * Math.PI)
      context.fill()
      context.strokeStyle = 'rgb(0 0 0 / 35%)'
      context.lineWidth = Math.max(0.5, radius / 10)
    } else {
      context.moveTo(...from)
      context.lineTo(...to)
      context.lineWidth = 2 * radius
    }
    context.stroke()
  }
}
