/*
 * A still picture of a molecule on a plain canvas: the backbone as a cartoon, other atoms as discs, what is nearer over what
 * is farther.
 */
import { cartoonOf } from '../folding/molecule/cartoon.ts'
import { isSolvent, POLYMER } from '../folding/molecule/kinds.ts'
import { hasBackbone } from '../folding/molecule/molecule.ts'
import type { Ball } from './ball.ts'
import { lensOf, rotationMatrix } from './camera.ts'
import { atomBytes } from './colors.ts'
import type { Camera, Molecule, Theme } from './viewer.types.ts'

type Point = readonly [x: number, y: number]

/** A disc around one point, or a face between three. Places and sizes are in pixels from the top left. */
export type StillShape = {
  readonly points: readonly Point[]
  readonly radius: number
  /** Red, green and blue, up to 255. */
  readonly color: readonly number[]
  /** From the eye, in ångström. */
  readonly distance: number
}

const NEAR = 1
/** Residues from which on the cartoon is coarse. */
const MANY_RESIDUES = 150

/** In the order of drawing. */
export function stillShapes(molecule: Molecule, frame: Float32Array, view: StillView): readonly StillShape[] {
  const colorOf = colorsOf(molecule, view.theme)
  return [...facesOf(molecule, frame, view, colorOf), ...discsOf(molecule, frame, view, colorOf)].sort(
    (a, b) => b.distance - a.distance,
  )
}

type ColorOf = (atom: number) => readonly number[]

function discsOf(molecule: Molecule, frame: Float32Array, view: StillView, colorOf: ColorOf): readonly StillShape[] {
  const { pointAt, distances, scaleAt } = projected(frame, view)
  const isDrawn = (kind: number): boolean => !isSolvent(kind) && (kind !== POLYMER || !hasBackbone(molecule))
  return molecule.names.flatMap((_, atom): readonly StillShape[] => {
    const distance = isDrawn(molecule.kinds[atom] ?? 0) ? distances[atom] : undefined
    const radius = (molecule.radii[atom] ?? 0) * scaleAt(atom)
    if (distance === undefined || !(distance > NEAR) || !(radius > 0)) return []
    return [{ points: [pointAt(atom)], radius, color: colorOf(atom), distance }]
  })
}

/** The faces of the cartoon that are turned to the eye. */
function facesOf(molecule: Molecule, frame: Float32Array, view: StillView, colorOf: ColorOf): readonly StillShape[] {
  const cartoon = cartoonOf(molecule.polymers, MANY_RESIDUES)
  if (cartoon === undefined) return []
  const { corners, triangles, atoms, place } = cartoon
  const [places, normals] = [new Float32Array(corners * 3), new Float32Array(corners * 3)]
  place(frame, places, normals)
  const { pointAt, distances } = projected(places, view)
  const lights = lightsOf(normals, view.camera)
  const shapes: StillShape[] = []
  for (let at = 0; at + 2 < triangles.length; at += 3) {
    const [a = 0, b = 0, c = 0] = [triangles[at], triangles[at + 1], triangles[at + 2]]
    const light = ((lights[a] ?? 0) + (lights[b] ?? 0) + (lights[c] ?? 0)) / 3
    const distance = ((distances[a] ?? NaN) + (distances[b] ?? NaN) + (distances[c] ?? NaN)) / 3
    if (!(distance > NEAR) || !(light > 0)) continue
    const color = colorOf(atoms[a] ?? 0).map(channel => Math.min(255, channel * light))
    shapes.push({ points: [pointAt(a), pointAt(b), pointAt(c)], radius: 0, color, distance })
  }
  return shapes
}

/** Faces that are seen from the side are drawn too, so that edges have no gaps. */
const TURNED_AWAY = -0.2
/** Towards the light, in view space: from the upper left, before the molecule. */
const LIGHT = [-0.42, 0.56, 0.71] as const
const AMBIENT = 0.5
const DIFFUSE = 0.62

/** How bright each corner is; 0 where it is turned away. */
function lightsOf(normals: Float32Array, { rotation }: Camera): Float32Array {
  const m = rotationMatrix(rotation)
  return Float32Array.from({ length: normals.length / 3 }, (_, corner) => {
    const [x, y, z] = turned(m, normals, corner, [0, 0, 0])
    return z > TURNED_AWAY ? AMBIENT + DIFFUSE * Math.max(0, x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2]) : 0
  })
}

type Vector = readonly [x: number, y: number, z: number]

/** A place or a direction of a list, in view space. */
function turned(m: readonly number[], list: Float32Array, at: number, [cx, cy, cz]: Vector): Vector {
  const [x, y, z] = [(list[at * 3] ?? NaN) - cx, (list[at * 3 + 1] ?? NaN) - cy, (list[at * 3 + 2] ?? NaN) - cz]
  const row = (index: 0 | 1 | 2): number => (m[index] ?? 0) * x + (m[index + 3] ?? 0) * y + (m[index + 6] ?? 0) * z
  return [row(0), row(1), row(2)]
}

export type StillView = {
  readonly camera: Camera
  readonly ball: Ball
  /** Pixels. */
  readonly size: readonly [number, number]
  readonly theme: Theme
}

/** Where places are in the picture. Distances are from the eye, in ångström; NaN for a place that is not known. */
function projected(
  places: Float32Array,
  { camera: { rotation, pan, distance }, ball: { center, radius }, size: [width, height] }: StillView,
) {
  const m = rotationMatrix(rotation)
  const [wide, high] = lensOf(width, height)
  const count = places.length / 3
  const [points, distances] = [new Float32Array(count * 2), new Float32Array(count)]
  for (let at = 0; at < count; at++) {
    const [x, y, z] = turned(m, places, at, center)
    const away = distance * radius - z
    points[at * 2] = (((x + pan[0] * radius) / away / wide + 1) / 2) * width
    points[at * 2 + 1] = ((1 - (y + pan[1] * radius) / away / high) / 2) * height
    distances[at] = away
  }
  return {
    pointAt: (at: number): Point => [points[at * 2] ?? NaN, points[at * 2 + 1] ?? NaN],
    distances,
    /** Pixels an ångström. */
    scaleAt: (at: number): number => height / 2 / high / (distances[at] ?? NaN),
  }
}

function colorsOf(molecule: Molecule, theme: Theme): ColorOf {
  const bytes = atomBytes(molecule, 'element', theme, { isCartoon: true })
  return atom => [bytes[atom * 4] ?? 0, bytes[atom * 4 + 1] ?? 0, bytes[atom * 4 + 2] ?? 0]
}

/** Share of the color of the farthest shape; the rest is gray. */
const FAINTEST = 0.45
const GRAY = 0x88

export function drawStill(context: CanvasRenderingContext2D, shapes: readonly StillShape[]): void {
  const [far = 1, near = 0] = [shapes[0]?.distance, shapes.at(-1)?.distance]
  const { width, height } = context.canvas
  context.clearRect(0, 0, width, height)
  context.lineJoin = 'round'
  for (const { points, radius, color, distance } of shapes) {
    const share = FAINTEST + (1 - FAINTEST) * (far > near ? (far - distance) / (far - near) : 1)
    const mixed = `rgb(${color.map(channel => Math.round(channel * share + GRAY * (1 - share))).join(' ')})`
    const [[x, y] = [0, 0], ...others] = points
    context.beginPath()
    context.fillStyle = context.strokeStyle = mixed
    if (others.length === 0) {
      context.arc(x, y, radius, 0, 2 * Math.PI)
      context.strokeStyle = 'rgb(0 0 0 / 35%)'
      context.lineWidth = Math.max(0.5, radius / 10)
    } else {
      context.moveTo(x, y)
      for (const point of others) context.lineTo(...point)
      context.closePath()
      // An edge of the same color closes the seam to the next face.
      context.lineWidth = 0.8
    }
    context.fill()
    context.stroke()
  }
}
