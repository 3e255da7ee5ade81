/*
 * A smooth surface around atoms: where the sum of their Gaussian densities is that of a single atom at its van der Waals
 * radius. The density is computed on a grid; the surface passes once through each cell of the grid that it cuts.
 * Methods: J. A. Grant and B. T. Pickup, Journal of Physical Chemistry 99 (1995), 3503–3510; S. F. F. Gibson, "Constrained
 * elastic surface nets" (MICCAI 1998).
 */

export type Surface = {
  /** x, y and z a corner: place in ångström, and normal of length 1. */
  readonly places: Float32Array
  readonly normals: Float32Array
  /** Per corner, the atom that is nearest to it. */
  readonly atoms: Uint32Array
  /** Three corners a triangle, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array
}

/** How fast the density of an atom falls: the smaller, the smoother. */
const FALL = 1.7
/** The share of the density at the surface below which an atom is left out. */
const LEAST = 0.03
const REACH = Math.sqrt(1 - Math.log(LEAST) / FALL)

/** Ångström between points of the grid, for few atoms and for many. */
const FINEST = 0.65
const COARSEST = 3
const FEW_ATOMS = 2500
const MOST_POINTS = 2_500_000

/** Atoms between two pauses. */
const ATOMS_PER_STEP = 24

/**
 * Computes the surface of some of the atoms in short steps. Undefined when none of them has a place and a radius.
 *
 * @param frame x, y and z of each atom, in ångström
 */
export function* surfaceOf(
  frame: Float32Array,
  radii: Float32Array,
  wanted: Uint32Array,
): Generator<undefined, Surface | undefined> {
  const atoms = wanted.filter(
    atom =>
      (radii[atom] ?? 0) > 0 &&
      Math.abs(frame[atom * 3] ?? NaN) + Math.abs(frame[atom * 3 + 1] ?? NaN) + Math.abs(frame[atom * 3 + 2] ?? NaN) <
        1e5,
  )
  if (atoms.length === 0) return undefined
  const grid = gridAround(frame, radii, atoms)
  for (let at = 0; at < atoms.length; at++) {
    const atom = atoms[at] ?? 0
    addDensity(grid, frame, atom, radii[atom] ?? 0)
    if (at % ATOMS_PER_STEP === 0) yield undefined
  }
  const net = createNet(grid)
  for (let z = 0; z + 1 < grid.size[2]; z++) {
    net.addLayer(z)
    yield undefined
  }
  return net.surface()
}

type Grid = {
  /** Points along each axis. */
  readonly size: readonly [number, number, number]
  readonly origin: readonly [number, number, number]
  readonly spacing: number
  readonly density: Float32Array
  /** The largest share of an atom in the density, and which atom. */
  readonly most: Float32Array
  readonly owners: Uint32Array
}

const gridAround = (frame: Float32Array, radii: Float32Array, atoms: Uint32Array): Grid => {
  const low: [number, number, number] = [Infinity, Infinity, Infinity]
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity]
  for (const atom of atoms) {
    const reach = (radii[atom] ?? 0) * REACH
    for (const axis of [0, 1, 2] as const) {
      const place = frame[atom * 3 + axis] ?? 0
      low[axis] = Math.min(low[axis], place - reach)
      high[axis] = Math.max(high[axis], place + reach)
    }
  }
  const volume = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2])
  const spacing = Math.max(
    Math.min(COARSEST, FINEST * Math.max(1, Math.cbrt(atoms.length / FEW_ATOMS))),
    Math.cbrt(volume / MOST_POINTS),
  )
  const size = [0, 1, 2].map(axis => Math.ceil(((high[axis] ?? 0) - (low[axis] ?? 0)) / spacing) + 3)
  const [wide = 1, deep = 1, tall = 1] = size
  const points = wide * deep * tall
  return {
    size: [wide, deep, tall],
    origin: [low[0] - spacing, low[1] - spacing, low[2] - spacing],
    spacing,
    density: new Float32Array(points),
    most: new Float32Array(points),
    owners: new Uint32Array(points),
  }
}

/** The Gaussian of a place along one axis, at the points of the grid that it reaches. */
const falloff = (grid: Grid, axis: 0 | 1 | 2, place: number, radius: number) => {
  const { origin, spacing, size } = grid
  const from = Math.max(0, Math.ceil((place - radius * REACH - origin[axis]) / spacing))
  const to = Math.min(size[axis] - 1, Math.floor((place + radius * REACH - origin[axis]) / spacing))
  const values = new Float64Array(Math.max(0, to - from + 1))
  for (let at = 0; at < values.length; at++) {
    const away = (origin[axis] + (from + at) * spacing - place) / radius
    values[at] = Math.exp(-FALL * away * away)
  }
  return { from, values }
}

const addDensity = (grid: Grid, frame: Float32Array, atom: number, radius: number): void => {
  const { density, most, owners, size } = grid
  const along = ([0, 1, 2] as const).map(axis => falloff(grid, axis, frame[atom * 3 + axis] ?? 0, radius))
  const [x, y, z] = along
  if (x === undefined || y === undefined || z === undefined) return
  const height = Math.exp(FALL)
  for (let k = 0; k < z.values.length; k++)
    for (let j = 0; j < y.values.length; j++) {
      const plane = height * (z.values[k] ?? 0) * (y.values[j] ?? 0)
      if (plane < LEAST) continue
      const row = ((z.from + k) * size[1] + y.from + j) * size[0] + x.from
      for (let i = 0; i < x.values.length; i++) {
        const value = plane * (x.values[i] ?? 0)
        if (value < LEAST) continue
        const point = row + i
        density[point] = (density[point] ?? 0) + value
        if (value <= (most[point] ?? 0)) continue
        most[point] = value
        owners[point] = atom
      }
    }
}

/** The twelve edges of a cell, as pairs of its corners; a corner's bits are its steps along x, y and z. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7].flatMap(corner =>
  [1, 2, 4].filter(bit => (corner & bit) === 0).map(bit => [corner, corner | bit] as const),
)

const createNet = ({ size, origin, spacing, density, owners }: Grid) => {
  const [wide, deep] = size
  const layer = wide * deep
  const offsets = [0, 1, 2, 3, 4, 5, 6, 7].map(
    corner => (corner & 1) + ((corner >> 1) & 1) * wide + ((corner >> 2) & 1) * layer,
  )
  const places: number[] = []
  const atoms: number[] = []
  const triangles: number[] = []
  /** The corner of the surface in each cell of this layer and of the one below. */
  let own = new Int32Array(layer).fill(-1)
  let below = new Int32Array(layer).fill(-1)
  const values = new Float64Array(8)

  const addCorner = (x: number, y: number, z: number, cell: number): number => {
    let [dx, dy, dz, cuts] = [0, 0, 0, 0]
    for (const [a, b] of EDGES) {
      const [one = 0, other = 0] = [values[a], values[b]]
      if (one >= 1 === other >= 1) continue
      const share = (1 - one) / (other - one)
      const bit = a ^ b
      dx += (a & 1) + (bit === 1 ? share : 0)
      dy += ((a >> 1) & 1) + (bit === 2 ? share : 0)
      dz += ((a >> 2) & 1) + (bit === 4 ? share : 0)
      cuts += 1
    }
    const [sx, sy, sz] = [dx / cuts, dy / cuts, dz / cuts]
    places.push(origin[0] + (x + sx) * spacing, origin[1] + (y + sy) * spacing, origin[2] + (z + sz) * spacing)
    const nearest = (sx > 0.5 ? 1 : 0) + (sy > 0.5 ? 2 : 0) + (sz > 0.5 ? 4 : 0)
    atoms.push(owners[cell + (offsets[nearest] ?? 0)] ?? 0)
    return atoms.length - 1
  }

  const addQuad = (a: number, b: number, c: number, d: number, isOut: boolean): void => {
    if (isOut) triangles.push(a, b, c, a, c, d)
    else triangles.push(a, c, b, a, d, c)
  }

  const addLayer = (z: number): void => {
    for (let y = 0; y + 1 < deep; y++)
      for (let x = 0; x + 1 < wide; x++) {
        const cell = (z * deep + y) * wide + x
        let inside = 0
        for (let corner = 0; corner < 8; corner++) {
          const value = density[cell + (offsets[corner] ?? 0)] ?? 0
          values[corner] = value
          if (value >= 1) inside |= 1 << corner
        }
        const at = y * wide + x
        if (inside === 0 || inside === 255) {
          own[at] = -1
          continue
        }
        const corner = addCorner(x, y, z, cell)
        own[at] = corner
        const isIn = (inside & 1) !== 0
        const [left = -1, front = -1, leftFront = -1] = [own[at - 1], own[at - wide], own[at - 1 - wide]]
        const [under = -1, leftUnder = -1, frontUnder = -1] = [below[at], below[at - 1], below[at - wide]]
        // An edge from the cell's first corner has four cells around it.
        if (isIn !== ((inside & 2) !== 0)) addQuad(corner, front, frontUnder, under, isIn)
        if (isIn !== ((inside & 4) !== 0)) addQuad(corner, under, leftUnder, left, isIn)
        if (isIn !== ((inside & 16) !== 0)) addQuad(corner, left, leftFront, front, isIn)
      }
    ;[own, below] = [below, own]
  }

  return {
    addLayer,
    surface: (): Surface => {
      const corners = Float32Array.from(places)
      const faces = Uint32Array.from(triangles)
      return { places: corners, normals: normalsOf(corners, faces), atoms: Uint32Array.from(atoms), triangles: faces }
    },
  }
}

/** The mean of the normals of the triangles around each corner, by their area. */
const normalsOf = (places: Float32Array, triangles: Uint32Array): Float32Array => {
  const normals = new Float32Array(places.length)
  for (let at = 0; at < triangles.length; at += 3) {
    const [a = 0, b = 0, c = 0] = [triangles[at], triangles[at + 1], triangles[at + 2]]
    const [ax = 0, ay = 0, az = 0] = [places[a * 3], places[a * 3 + 1], places[a * 3 + 2]]
    const [ux, uy, uz] = [(places[b * 3] ?? 0) - ax, (places[b * 3 + 1] ?? 0) - ay, (places[b * 3 + 2] ?? 0) - az]
    const [vx, vy, vz] = [(places[c * 3] ?? 0) - ax, (places[c * 3 + 1] ?? 0) - ay, (places[c * 3 + 2] ?? 0) - az]
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
    for (let corner = 0; corner < 3; corner++) {
      const to = (triangles[at + corner] ?? 0) * 3
      normals[to] = (normals[to] ?? 0) + nx
      normals[to + 1] = (normals[to + 1] ?? 0) + ny
      normals[to + 2] = (normals[to + 2] ?? 0) + nz
    }
  }
  for (let at = 0; at < normals.length; at += 3) {
    const [x = 0, y = 0, z = 0] = [normals[at], normals[at + 1], normals[at + 2]]
    const length = Math.sqrt(x * x + y * y + z * z) || 1
    normals[at] = x / length
    normals[at + 1] = y / length
    normals[at + 2] = z / length
  }
  return normals
}
