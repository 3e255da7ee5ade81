/*
 * How deep each point of a grid lies below where the center of a water molecule can be. Where that is as deep as water is wide, the
 * water touches the atoms: the surface that excludes it. Method: M. L. Connolly, Journal of Applied Crystallography 16 (1983), 548–558:
 * water rolls over balls, and around the circles in which it touches two of them.
 */

/** The radius of a water molecule in ångström. */
export const PROBE = 1.4

/** Ångström between points of the grid, for few atoms and for many. */
const FINEST = 0.6
const COARSEST = 3
const FEW_ATOMS = 2500
const MOST_POINTS = 2_500_000
/** Ångström between two places of water on a circle. */
const STEP = 0.3

export type Grid = {
  /** Points along each axis. */
  readonly size: readonly [number, number, number]
  readonly origin: readonly [number, number, number]
  readonly spacing: number
  /** Ångström to the nearest place of a water's center; 0 outside, and exact up to one step of the grid below the surface. */
  readonly depths: Float32Array
  /** The nearest atom, up to the depth of 0, and the square of how far it is. */
  readonly owners: Uint32Array
  readonly squares: Float32Array
}

/** An atom on its way through the list: its center, and how near to it the center of a water comes. */
type Ball = { readonly center: readonly [number, number, number]; readonly reach: number }

/** An empty grid with room for these atoms and the water around them. */
function gridAround(balls: readonly Ball[]): Grid {
  const low = [0, 1, 2].map(axis =>
    balls.reduce((least, { center, reach }) => Math.min(least, (center[axis] ?? 0) - reach), Infinity),
  )
  const sides = low.map((from, axis) =>
    balls.reduce((most, { center, reach }) => Math.max(most, (center[axis] ?? 0) + reach - from), 0),
  )
  const spacing = Math.max(
    Math.min(COARSEST, FINEST * Math.max(1, Math.cbrt(balls.length / FEW_ATOMS))),
    Math.cbrt(sides.reduce((volume, side) => volume * side, 1) / MOST_POINTS),
  )
  const [wide = 1, deep = 1, tall = 1] = sides.map(side => Math.ceil(side / spacing) + 3)
  const [x = 0, y = 0, z = 0] = low.map(from => from - spacing)
  const points = wide * deep * tall
  return {
    size: [wide, deep, tall],
    origin: [x, y, z],
    spacing,
    depths: new Float32Array(points),
    owners: new Uint32Array(points),
    squares: new Float32Array(points).fill(Infinity),
  }
}

/**
 * @param frame x, y and z of each atom, in ångström
 * @param radii of all atoms, in ångström
 * @param atoms those that have the surface; at least one
 * @param report gets the share that is done
 */
export function probeField(
  frame: Float32Array,
  radii: Float32Array,
  atoms: Uint32Array,
  report: (share: number) => void,
): Grid {
  const balls = Array.from(atoms, (atom): Ball => {
    const [x = NaN, y = NaN, z = NaN] = frame.subarray(atom * 3, atom * 3 + 3)
    return { center: [x, y, z], reach: (radii[atom] ?? 0) + PROBE }
  })
  const grid = gridAround(balls)
  const neighbors = neighborsOf(balls)
  balls.forEach((ball, at) => {
    const near = neighbors(at)
    addBall(grid, balls, ball, atoms[at] ?? 0, near)
    for (const other of near) if (other > at) addCircle(grid, balls, at, other, near)
    if (at % 64 === 0) report(at / balls.length)
  })
  return grid
}

/** The balls that cross a ball, by cells of a size that no two crossing balls are two cells apart. */
function neighborsOf(balls: readonly Ball[]): (at: number) => readonly number[] {
  const side = 2 * balls.reduce((most, { reach }) => Math.max(most, reach), 0)
  const cellOf = (place: number): number => Math.floor(place / side)
  const keyOf = (x: number, y: number, z: number): number => (x * 4096 + y) * 4096 + z
  const cells = new Map<number, number[]>()
  balls.forEach(({ center: [x, y, z] }, at) => {
    const key = keyOf(cellOf(x), cellOf(y), cellOf(z))
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, [at])
    else cell.push(at)
  })
  return at => {
    const ball = balls[at]
    if (ball === undefined) return []
    const [x, y, z] = ball.center
    const found: number[] = []
    for (let near = 0; near < 27; near++)
      for (const other of cells.get(
        keyOf(
          cellOf(x) + (near % 3) - 1,
          cellOf(y) + (Math.floor(near / 3) % 3) - 1,
          cellOf(z) + Math.floor(near / 9) - 1,
        ),
      ) ?? [])
        if (other !== at && squareTo(balls[other], x, y, z) < (ball.reach + (balls[other]?.reach ?? 0)) ** 2)
          found.push(other)
    return found
  }
}

function squareTo(ball: Ball | undefined, x: number, y: number, z: number): number {
  const [a = NaN, b = NaN, c = NaN] = ball?.center ?? []
  return (a - x) ** 2 + (b - y) ** 2 + (c - z) ** 2
}

/** Whether water cannot be at a place because of one of these balls; the one that was found last is asked first. */
function isTaken(
  balls: readonly Ball[],
  near: number[] | readonly number[],
  except: number,
  x: number,
  y: number,
  z: number,
): boolean {
  for (const at of near) {
    const ball = balls[at]
    if (ball !== undefined && at !== except && squareTo(ball, x, y, z) < ball.reach ** 2 - 1e-4) return true
  }
  return false
}

/** Visits the points of the grid around a place: their number, what leads to them from the place, and the square of its length. */
function around(
  { origin, spacing, size: [wide, deep, tall] }: Grid,
  [x, y, z]: readonly [number, number, number],
  reach: number,
  visit: (point: number, dx: number, dy: number, dz: number, square: number) => void,
): void {
  const first = (place: number, axis: 0 | 1 | 2): number =>
    Math.max(0, Math.ceil((place - reach - origin[axis]) / spacing))
  const last = (place: number, axis: 0 | 1 | 2, most: number): number =>
    Math.min(most - 1, Math.floor((place + reach - origin[axis]) / spacing))
  const [fromX, toX] = [first(x, 0), last(x, 0, wide)]
  const [fromY, toY] = [first(y, 1), last(y, 1, deep)]
  const [fromZ, toZ] = [first(z, 2), last(z, 2, tall)]
  for (let k = fromZ; k <= toZ; k++) {
    const dz = origin[2] + k * spacing - z
    for (let j = fromY; j <= toY; j++) {
      const dy = origin[1] + j * spacing - y
      const rest = reach * reach - dz * dz - dy * dy
      if (rest <= 0) continue
      for (let i = fromX; i <= toX; i++) {
        const dx = origin[0] + i * spacing - x
        if (dx * dx < rest) visit((k * deep + j) * wide + i, dx, dy, dz, dx * dx + dy * dy + dz * dz)
      }
    }
  }
}

/** Water that touches one atom: its center is on a ball, straight out from the atom. */
function addBall(
  grid: Grid,
  balls: readonly Ball[],
  { center, reach }: Ball,
  atom: number,
  near: readonly number[],
): void {
  const { depths, owners, squares, spacing } = grid
  const deepest = PROBE + spacing
  const [x, y, z] = center
  around(grid, center, reach, (point, dx, dy, dz, square) => {
    if (square < (squares[point] ?? 0)) {
      squares[point] = square
      owners[point] = atom
    }
    const length = Math.sqrt(square)
    const depth = reach - length
    if (depths[point] === 0) depths[point] = deepest
    if (depth >= (depths[point] ?? 0)) return
    const out = reach / length
    if (!isTaken(balls, near, -1, x + dx * out, y + dy * out, z + dz * out)) depths[point] = depth
  })
}

/** Water that touches two atoms: its center is on the circle in which their balls cross. */
function addCircle(grid: Grid, balls: readonly Ball[], at: number, other: number, near: readonly number[]): void {
  const [a, b] = [balls[at], balls[other]]
  if (a === undefined || b === undefined) return
  const { depths, spacing } = grid
  const [ax, ay, az] = a.center
  const length = Math.sqrt(squareTo(b, ax, ay, az))
  const [nx, ny, nz] = [(b.center[0] - ax) / length, (b.center[1] - ay) / length, (b.center[2] - az) / length]
  const along = (length * length + a.reach ** 2 - b.reach ** 2) / (2 * length)
  const radius = Math.sqrt(a.reach ** 2 - along * along)
  if (!(radius > 0)) return
  // At right angles to the way from one to the other.
  const [px, py, pz] = Math.abs(nx) < 0.6 ? [0, nz, -ny] : [-nz, 0, nx]
  const size = Math.hypot(px, py, pz)
  const [ux, uy, uz] = [px / size, py / size, pz / size]
  const [vx, vy, vz] = [ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux]
  const steps = Math.ceil((2 * Math.PI * radius) / STEP)
  for (let step = 0; step < steps; step++) {
    const angle = (step / steps) * 2 * Math.PI
    const [cosine, sine] = [Math.cos(angle) * radius, Math.sin(angle) * radius]
    const x = ax + nx * along + ux * cosine + vx * sine
    const y = ay + ny * along + uy * cosine + vy * sine
    const z = az + nz * along + uz * cosine + vz * sine
    if (isTaken(balls, near, other, x, y, z)) continue
    around(grid, [x, y, z], PROBE + spacing, (point, _dx, _dy, _dz, square) => {
      if (square < (depths[point] ?? 0) ** 2) depths[point] = Math.sqrt(square)
    })
  }
}
