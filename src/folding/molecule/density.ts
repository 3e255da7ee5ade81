/*
 * The sum of the Gaussian densities of atoms, on a grid. Method: J. A. Grant and B. T. Pickup, Journal of Physical Chemistry 99
 * (1995), 3503–3510.
 */

/** How fast the density of an atom falls: the smaller, the smoother. */
const FALL = 2.4
/** The share of the density at the surface below which an atom is left out. */
const LEAST = 0.03
const REACH = Math.sqrt(1 - Math.log(LEAST) / FALL)

/** Ångström between points of the grid, for few atoms and for many. */
const FINEST = 0.6
const COARSEST = 3
const FEW_ATOMS = 2500
const MOST_POINTS = 2_500_000

export type Grid = {
  /** Points along each axis. */
  readonly size: readonly [number, number, number]
  readonly origin: readonly [number, number, number]
  readonly spacing: number
  readonly density: Float32Array
  /** The largest share of an atom in the density, and which atom. */
  readonly most: Float32Array
  readonly owners: Uint32Array
}

/** An empty grid with room for these atoms. */
export function gridAround(frame: Float32Array, radii: Float32Array, atoms: Uint32Array): Grid {
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
function falloff(grid: Grid, axis: 0 | 1 | 2, place: number, radius: number) {
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

/** Adds the Gaussian of an atom: 1 at its radius (ångström). */
export function addDensity(grid: Grid, frame: Float32Array, atom: number, radius: number): void {
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
