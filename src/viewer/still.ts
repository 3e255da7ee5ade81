/*
 * A still picture of a molecule, computed without a graphics card: the backbone as a cartoon, other atoms as discs, what is
 * farther fainter.
 */
import { cartoonOf } from '../folding/molecule/cartoon.ts'
import { isSolvent, POLYMER } from '../folding/molecule/kinds.ts'
import { drawnColoring, hasBackbone } from '../folding/molecule/molecule.ts'
import { CARTOON } from '../folding/molecule/molecule-style.ts'
import { minus, pointAt, rotationMatrix, turned } from '../folding/molecule/vectors.ts'
import type { Ball } from './ball.ts'
import { lensOf } from './camera.ts'
import { atomBytes } from './colors.ts'
import { createRaster, type RasterPoint } from './raster.ts'
import { moveOf } from './space.ts'
import type { Camera, Molecule, Theme } from './viewer.types.ts'

export type StillView = {
  readonly camera: Camera
  readonly ball: Ball
  /** Pixels. */
  readonly size: readonly [number, number]
  readonly theme: Theme
}

/** Of the cartoon; about half of them are turned to the eye. */
const MOST_FACES = 10_000
const NEAR = 1

/** Red, green, blue and opacity of each pixel, row by row from the top. */
export function drawStill(molecule: Molecule, frame: Float32Array, view: StillView): Uint8ClampedArray<ArrayBuffer> {
  const faces = facesOf(molecule, frame, view)
  const discs = discsOf(molecule, frame, view)
  const coloring = drawnColoring(undefined, CARTOON, molecule)
  const atomColors = atomBytes(molecule, { coloring, theme: view.theme, frame, isCartoon: true })
  const shareAt = fading([...faces.distances, ...discs.atoms.map(atom => discs.distances[atom] ?? NaN)])
  const pointOf = ({ points, distances }: Places, at: number, atom: number, light: number): RasterPoint => {
    const distance = distances[at] ?? NaN
    const share = shareAt(distance)
    const channel = (index: number): number =>
      Math.min(255, (atomColors[atom * 4 + index] ?? 0) * light) * share + GRAY * (1 - share)
    return {
      x: points[at * 2] ?? NaN,
      y: points[at * 2 + 1] ?? NaN,
      nearness: 1 / distance,
      color: [channel(0), channel(1), channel(2)],
    }
  }
  const raster = createRaster(...view.size)
  const corner = (at = -1): RasterPoint => pointOf(faces, at, faces.atoms[at] ?? 0, faces.lights[at] ?? 0)
  for (let at = 0; at + 2 < faces.triangles.length; at += 3)
    raster.fillTriangle(corner(faces.triangles[at]), corner(faces.triangles[at + 1]), corner(faces.triangles[at + 2]))
  for (const atom of discs.atoms) {
    const radius = (molecule.radii[atom] ?? 0) * discs.scaleAt(atom)
    raster.fillDisc(pointOf(discs, atom, atom, 1), radius, Math.max(0.5, radius / 10))
  }
  return raster.pixels()
}

/** The atoms outside the cartoon that are drawn. */
function discsOf(molecule: Molecule, frame: Float32Array, view: StillView) {
  const places = projected(frame, view)
  const isDrawn = (kind = 0): boolean => !isSolvent(kind) && (kind !== POLYMER || !hasBackbone(molecule))
  const atoms = [...molecule.names.keys()].filter(
    atom => isDrawn(molecule.kinds[atom]) && (molecule.radii[atom] ?? 0) > 0,
  )
  return { ...places, atoms }
}

/** The faces of the cartoon, three corners each, and how bright each corner is. */
function facesOf({ polymers }: Molecule, frame: Float32Array, view: StillView) {
  const cartoon = cartoonOf(polymers, MOST_FACES)
  const corners = cartoon?.atoms.length ?? 0
  const [places, normals] = [new Float32Array(corners * 3), new Float32Array(corners * 3)]
  Array.from(cartoon?.place(frame, places, normals) ?? [])
  return {
    ...projected(places, view),
    atoms: cartoon?.atoms ?? [],
    lights: lightsOf(normals, view.camera),
    triangles: cartoon?.triangles ?? [],
  }
}

/** Towards the light, in view space: from the upper left, before the molecule. */
const LIGHT = [-0.42, 0.56, 0.71] as const
const AMBIENT = 0.5
const DIFFUSE = 0.62

function lightsOf(normals: Float32Array, { rotation }: Camera): Float32Array {
  const m = rotationMatrix(rotation)
  return Float32Array.from({ length: normals.length / 3 }, (_, corner) => {
    const [x, y, z] = turned(m, pointAt(normals, corner))
    return AMBIENT + DIFFUSE * Math.max(0, x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2])
  })
}

type Places = ReturnType<typeof projected>

/** Where places are in the picture: nowhere, NaN, where they are not known or not before the eye. */
function projected(places: Float32Array, { camera, ball: { center, radius }, size: [width, height] }: StillView) {
  const m = rotationMatrix(camera.rotation)
  const move = moveOf(camera, radius)
  const [wide, high] = lensOf(width, height)
  const count = places.length / 3
  const [points, distances] = [new Float32Array(count * 2), new Float32Array(count)]
  for (let at = 0; at < count; at++) {
    const [x, y, z] = turned(m, minus(pointAt(places, at), center))
    const away = -move[2] - z > NEAR ? -move[2] - z : NaN
    points[at * 2] = (((x + move[0]) / away / wide + 1) / 2) * width
    points[at * 2 + 1] = ((1 - (y + move[1]) / away / high) / 2) * height
    distances[at] = away
  }
  return {
    /** x and y of each, pixels from the top left. */
    points,
    /** From the eye, in ångström. */
    distances,
    /** Pixels an ångström. */
    scaleAt: (at: number): number => height / 2 / high / (distances[at] ?? NaN),
  }
}

/** Share of the color of what is farthest; the rest is gray. */
const FAINTEST = 0.45
const GRAY = 0x88

/** The share of the color at a distance, among these. */
function fading(distances: readonly number[]): (distance: number) => number {
  let [near, far] = [Infinity, -Infinity]
  for (const distance of distances) {
    if (distance < near) near = distance
    if (distance > far) far = distance
  }
  return distance => FAINTEST + (1 - FAINTEST) * (far > near ? (far - distance) / (far - near) : 1)
}
