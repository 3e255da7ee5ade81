/*
 * How deep each point of a grid lies below where the center of a water molecule can be. Where that is as deep as water is wide, the
 * water touches the atoms: the surface that excludes it. Method: M. L. Connolly, Journal of Applied Crystallography 16 (1983), 548–558:
 * water rolls over balls, and around the circles in which it touches two of them.
 */
import { nearPlaces } from './near-places.ts'
import { cross, scaled, unit } from './vectors.ts'

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

/** Around an atom, where the center of a water cannot be. */
type Ball = {
  readonly atom: number
  readonly x: number
  readonly y: number
  readonly z: number
  readonly reach: number
}

/** An empty grid with room for these atoms and the water around them. */
function gridAround(balls: readonly Ball[]): Grid {
  const axes = ['x', 'y', 'z'] as const
  const low = axes.map(axis => balls.reduce((least, ball) => Math.min(least, ball[axis] - ball.reach), Infinity))
  const sides = axes.map((axis, at) =>
    balls.reduce((most, ball) => Math.max(most, ball[axis] + ball.reach - (low[at] ?? 0)), 0),
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
    return { atom, x, y, z, reach: (radii[atom] ?? 0) + PROBE }
  })
  const grid = gridAround(balls)
  const neighborsAt = neighborsOf(balls)
  balls.forEach((ball, at) => {
    const near = neighborsAt(ball)
    addBall(grid, ball, near)
    for (const other of [...near]) if (other.atom > ball.atom) addCircle(grid, ball, other, near)
    if (at % 64 === 0) report(at / balls.length)
  })
  level(grid)
  return grid
}

/** A point is at most one step deeper than those beside it: places of water in narrow clefts may be missed on circles. */
function level({ depths, size: [wide, deep], spacing }: Grid): void {
  const lower = (point: number, beside: number): void => {
    const most = (depths[beside] ?? 0) + spacing
    if ((depths[point] ?? 0) > most) depths[point] = most
  }
  const steps = [1, wide, wide * deep]
  for (let point = 0; point < depths.length; point++) for (const step of steps) lower(point, point - step)
  for (let point = depths.length - 1; point >= 0; point--) for (const step of steps) lower(point, point + step)
}

/** The other balls that cross a ball: two that cross are not two cells apart. */
function neighborsOf(balls: readonly Ball[]): (ball: Ball) => Ball[] {
  const side = 2 * balls.reduce((most, { reach }) => Math.max(most, reach), 0)
  const visitNear = nearPlaces(Float64Array.from(balls.flatMap(({ x, y, z }) => [x, y, z])), side)
  return ball => {
    const found: Ball[] = []
    visitNear([ball.x, ball.y, ball.z], index => {
      const other = balls[index]
      if (other === undefined || other === ball) return
      if (squareTo(other, ball.x, ball.y, ball.z) < (ball.reach + other.reach) ** 2) found.push(other)
    })
    return found
  }
}

function squareTo(ball: Ball, x: number, y: number, z: number): number {
  const [dx, dy, dz] = [ball.x - x, ball.y - y, ball.z - z]
  return dx * dx + dy * dy + dz * dz
}

/** Whether water cannot be at a place because of one of these balls, which then comes first: it is likely to be in the way again. */
function isTaken(near: Ball[], x: number, y: number, z: number, except?: Ball): boolean {
  for (let at = 0; at < near.length; at++) {
    const ball = near[at]
    if (ball === undefined || ball === except || squareTo(ball, x, y, z) >= ball.reach * ball.reach - 1e-4) continue
    near[at] = near[0] ?? ball
    near[0] = ball
    return true
  }
  return false
}

/** Visits the points of the grid around a place: their number, what leads to them from the place, and the square of its length. */
function around(
  { origin, spacing, size: [wide, deep, tall] }: Grid,
  { x, y, z, reach }: Pick<Ball, 'x' | 'y' | 'z' | 'reach'>,
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
function addBall(grid: Grid, ball: Ball, near: Ball[]): void {
  const { depths, owners, squares, spacing } = grid
  const { atom, x, y, z, reach } = ball
  const deepest = PROBE + spacing
  around(grid, ball, (point, dx, dy, dz, square) => {
    if (square < (squares[point] ?? 0)) {
      squares[point] = square
      owners[point] = atom
    }
    const length = Math.sqrt(square)
    const depth = reach - length
    if (depths[point] === 0) depths[point] = deepest
    if (depth >= (depths[point] ?? 0)) return
    const out = reach / length
    if (!isTaken(near, x + dx * out, y + dy * out, z + dz * out)) depths[point] = depth
  })
}

/** Water that touches two atoms: its center is on the circle in which their balls cross. */
function addCircle(grid: Grid, a: Ball, b: Ball, near: Ball[]): void {
  const { depths, spacing } = grid
  const length = Math.sqrt(squareTo(b, a.x, a.y, a.z))
  const way = scaled([b.x - a.x, b.y - a.y, b.z - a.z], 1 / length)
  const along = (length * length + a.reach ** 2 - b.reach ** 2) / (2 * length)
  const radius = Math.sqrt(a.reach ** 2 - along * along)
  if (!(radius > 0)) return
  // At right angles to the way from one to the other.
  const [ux, uy, uz] = unit(cross(way, Math.abs(way[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]), way)
  const [vx, vy, vz] = cross(way, [ux, uy, uz])
  const steps = Math.ceil((2 * Math.PI * radius) / STEP)
  for (let step = 0; step < steps; step++) {
    const angle = (step / steps) * 2 * Math.PI
    const [cosine, sine] = [Math.cos(angle) * radius, Math.sin(angle) * radius]
    const x = a.x + way[0] * along + ux * cosine + vx * sine
    const y = a.y + way[1] * along + uy * cosine + vy * sine
    const z = a.z + way[2] * along + uz * cosine + vz * sine
    if (isTaken(near, x, y, z, b)) continue
    around(grid, { x, y, z, reach: PROBE + spacing }, (point, _dx, _dy, _dz, square) => {
      const depth = depths[point] ?? 0
      if (square < depth * depth) depths[point] = Math.sqrt(square)
    })
  }
}
