/*
 * The surface of atoms that excludes water, as closed triangles. It passes once through each cell of the grid that it cuts. Method:
 * S. F. F. Gibson, "Constrained elastic surface nets" (MICCAI 1998).
 */
import { PROBE, probeField, type Grid } from './probe-field.ts'
import { cross, distance, minus, pointAt, unit, type Vector } from './vectors.ts'

export type Surface = {
  /** x, y and z a corner: place in ångström, and normal of length 1. */
  readonly places: Float32Array
  readonly normals: Float32Array
  /** Per corner, the atom that is nearest to it. */
  readonly atoms: Uint32Array
  /** Per corner, another atom whose part of the surface begins beside it; the same one where none does. */
  readonly rivals: Uint32Array
  /** Three corners a triangle, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array
}

/** The share of the time that the grid takes. */
const GRID_SHARE = 0.8

/**
 * Undefined when none of the wanted atoms has a place and a radius.
 *
 * @param frame x, y and z of each atom, in ångström
 * @param radii of all atoms, in ångström
 * @param report gets the share that is done
 */
export function surfaceOf(
  frame: Float32Array,
  radii: Float32Array,
  wanted: Uint32Array,
  report: (share: number) => void = () => undefined,
): Surface | undefined {
  // A frame may have fewer places than the molecule has atoms.
  const atoms = wanted.filter(
    atom =>
      atom * 3 + 2 < frame.length &&
      (radii[atom] ?? 0) > 0 &&
      Math.hypot(...frame.subarray(atom * 3, atom * 3 + 3)) < 1e5,
  )
  if (atoms.length === 0) return undefined
  const grid = probeField(frame, radii, atoms, share => report(share * GRID_SHARE))
  const net = createNet(grid)
  const layers = grid.size[2] - 1
  for (let z = 0; z < layers; z++) {
    addLayer(net, grid, z)
    report(GRID_SHARE + ((z + 1) / layers) * (1 - GRID_SHARE))
  }
  const [places, triangles] = [Float32Array.from(net.places), Uint32Array.from(net.triangles)]
  const owners = Uint32Array.from(net.atoms)
  const rivals = rivalsOf(frame, places, owners, triangles)
  turnTriangles(triangles, owners, rivals)
  return { places, normals: normalsOf(places, triangles), atoms: owners, rivals, triangles }
}

/** The twelve edges of a cell, as pairs of its corners; a corner's bits are its steps along x, y and z. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7].flatMap(corner =>
  [1, 2, 4].filter(bit => (corner & bit) === 0).map(bit => [corner, corner | bit] as const),
)

/** Corners, their atoms and triangles so far. */
type Net = {
  readonly places: number[]
  readonly atoms: number[]
  readonly triangles: number[]
  /** The corner of the surface in each cell of this layer and of the one below; -1 where there is none. */
  current: Int32Array
  below: Int32Array
}

function createNet({ size: [wide, deep] }: Grid): Net {
  const empty = (): Int32Array => new Int32Array(wide * deep).fill(-1)
  return { places: [], atoms: [], triangles: [], current: empty(), below: empty() }
}

/** Adds the corners and triangles of a layer of cells. */
function addLayer(net: Net, grid: Grid, z: number): void {
  const [wide, deep] = grid.size
  const offsets = [0, 1, 2, 3, 4, 5, 6, 7].map(
    corner => (corner & 1) + ((corner >> 1) & 1) * wide + ((corner >> 2) & 1) * wide * deep,
  )
  const values = new Float64Array(8)
  for (let y = 0; y + 1 < deep; y++)
    for (let x = 0; x + 1 < wide; x++) {
      const cell = (z * deep + y) * wide + x
      let inside = 0
      for (let corner = 0; corner < 8; corner++) {
        const value = grid.depths[cell + (offsets[corner] ?? 0)] ?? 0
        values[corner] = value
        if (value >= PROBE) inside |= 1 << corner
      }
      const at = y * wide + x
      net.current[at] = inside === 0 || inside === 255 ? -1 : addCorner(net, grid, [x, y, z], cell, offsets, values)
      if (net.current[at] >= 0) addQuads(net, at, wide, inside)
    }
  ;[net.current, net.below] = [net.below, net.current]
}

/** Adds the corner of a cell, in the middle of where the surface cuts its edges; returns its number. */
function addCorner(
  { places, atoms }: Net,
  { origin, spacing, owners }: Grid,
  [x, y, z]: Vector,
  cell: number,
  offsets: readonly number[],
  values: Float64Array,
): number {
  const [sx, sy, sz] = middleOfCuts(values)
  places.push(origin[0] + (x + sx) * spacing, origin[1] + (y + sy) * spacing, origin[2] + (z + sz) * spacing)
  const nearest = (sx > 0.5 ? 1 : 0) + (sy > 0.5 ? 2 : 0) + (sz > 0.5 ? 4 : 0)
  atoms.push(owners[cell + (offsets[nearest] ?? 0)] ?? 0)
  return atoms.length - 1
}

/** In sides of the cell, whose corners have these values. */
function middleOfCuts(values: Float64Array): Vector {
  let [x, y, z, cuts] = [0, 0, 0, 0]
  for (const [a, b] of EDGES) {
    const [one = 0, other = 0] = [values[a], values[b]]
    if (one >= PROBE === other >= PROBE) continue
    const share = (PROBE - one) / (other - one)
    const bit = a ^ b
    x += (a & 1) + (bit === 1 ? share : 0)
    y += ((a >> 1) & 1) + (bit === 2 ? share : 0)
    z += ((a >> 2) & 1) + (bit === 4 ? share : 0)
    cuts += 1
  }
  return [x / cuts, y / cuts, z / cuts]
}

/** Adds the triangles around the edges from a cell's first corner, each of which has four cells around it. */
function addQuads({ current, below, triangles }: Net, at: number, wide: number, inside: number): void {
  const add = (a: number, b: number, c: number, d: number, isOut: boolean): void => {
    if (isOut) triangles.push(a, b, c, a, c, d)
    else triangles.push(a, c, b, a, d, c)
  }
  const isIn = (inside & 1) !== 0
  const [corner = -1, left = -1, front = -1, leftFront = -1] = [
    current[at],
    current[at - 1],
    current[at - wide],
    current[at - 1 - wide],
  ]
  const [under = -1, leftUnder = -1, frontUnder = -1] = [below[at], below[at - 1], below[at - wide]]
  if (isIn !== ((inside & 2) !== 0)) add(corner, front, frontUnder, under, isIn)
  if (isIn !== ((inside & 4) !== 0)) add(corner, under, leftUnder, left, isIn)
  if (isIn !== ((inside & 16) !== 0)) add(corner, left, leftFront, front, isIn)
}

/** Of the atoms that the corners beside each corner belong to, the nearest that is not its own. */
function rivalsOf(frame: Float32Array, places: Float32Array, atoms: Uint32Array, triangles: Uint32Array): Uint32Array {
  const rivals = atoms.slice()
  const nearest = new Float32Array(atoms.length).fill(Infinity)
  triangles.forEach((corner, at) => {
    for (const step of [1, 2]) {
      const atom = atoms[triangles[at - (at % 3) + (((at % 3) + step) % 3)] ?? 0] ?? 0
      if (atom === atoms[corner]) continue
      const away = distance(pointAt(places, corner), pointAt(frame, atom))
      if (away >= (nearest[corner] ?? 0)) continue
      nearest[corner] = away
      rivals[corner] = atom
    }
  })
  return rivals
}

/** Begins each triangle so that the last corner knows, as its own atom or its rival, those of all three where any does. */
function turnTriangles(triangles: Uint32Array, atoms: Uint32Array, rivals: Uint32Array): void {
  for (let at = 0; at < triangles.length; at += 3) {
    const [a = 0, b = 0, c = 0] = triangles.subarray(at, at + 3)
    const knowsAll = (last: number): boolean =>
      [a, b, c].every(corner => atoms[corner] === atoms[last] || atoms[corner] === rivals[last])
    if (knowsAll(c)) continue
    if (knowsAll(b)) triangles.set([c, a, b], at)
    else if (knowsAll(a)) triangles.set([b, c, a], at)
  }
}

/** The mean of the normals of the triangles around each corner, by their area. */
function normalsOf(places: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(places.length)
  for (let at = 0; at < triangles.length; at += 3) {
    const corners = triangles.subarray(at, at + 3)
    const [a, b, c] = [
      pointAt(places, corners[0] ?? 0),
      pointAt(places, corners[1] ?? 0),
      pointAt(places, corners[2] ?? 0),
    ]
    const normal = cross(minus(b, a), minus(c, a))
    for (const corner of corners)
      for (const axis of [0, 1, 2] as const)
        normals[corner * 3 + axis] = (normals[corner * 3 + axis] ?? 0) + normal[axis]
  }
  for (let corner = 0; corner * 3 < normals.length; corner++)
    normals.set(unit(pointAt(normals, corner), [0, 0, 0]), corner * 3)
  return normals
}
