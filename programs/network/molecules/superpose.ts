import { add, cross, dot, scale, subtract, unit } from './vector.ts'
import type { Vector } from './vector.ts'

export function centroid(points: readonly Vector[]): Vector {
  return scale(
    points.reduce<Vector>((sum, point) => add(sum, point), [0, 0, 0]),
    1 / Math.max(1, points.length),
  )
}

type Quaternion = readonly [w: number, x: number, y: number, z: number]

/**
 * The rotation that fits `points` to `target` best (both centered): the eigenvector of Horn's 4 × 4 matrix (J. Opt.
 * Soc. Am. A 4 (1987) 629) with the largest eigenvalue, by power iteration on the shifted matrix.
 */
function bestRotation(points: readonly Vector[], target: readonly Vector[]): Quaternion {
  const sums = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ]
  for (const [index, point] of points.entries()) {
    const other = target[index] ?? point
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        const line = sums[row]
        if (line !== undefined) line[column] = (line[column] ?? 0) + (point[row] ?? 0) * (other[column] ?? 0)
      }
    }
  }
  const s = (row: number, column: number): number => sums[row]?.[column] ?? 0
  const matrix = [
    [s(0, 0) + s(1, 1) + s(2, 2), s(1, 2) - s(2, 1), s(2, 0) - s(0, 2), s(0, 1) - s(1, 0)],
    [s(1, 2) - s(2, 1), s(0, 0) - s(1, 1) - s(2, 2), s(0, 1) + s(1, 0), s(2, 0) + s(0, 2)],
    [s(2, 0) - s(0, 2), s(0, 1) + s(1, 0), s(1, 1) - s(0, 0) - s(2, 2), s(1, 2) + s(2, 1)],
    [s(0, 1) - s(1, 0), s(2, 0) + s(0, 2), s(1, 2) + s(2, 1), s(2, 2) - s(0, 0) - s(1, 1)],
  ]
  return largestEigenvector(matrix)
}

function largestEigenvector(matrix: readonly (readonly number[])[]): Quaternion {
  const shift = Math.max(...matrix.map(row => row.reduce((sum, value) => sum + Math.abs(value), 0)))
  let vector: readonly number[] = [1, 0.01, 0.02, 0.03]
  for (let step = 0; step < 200; step++) {
    const current = vector
    const next = matrix.map((row, index) =>
      row.reduce((sum, value, column) => sum + value * (current[column] ?? 0), shift * (current[index] ?? 0)),
    )
    const length = Math.hypot(...next)
    if (length === 0) return [1, 0, 0, 0]
    vector = next.map(value => value / length)
  }
  const [w = 1, x = 0, y = 0, z = 0] = vector
  return [w, x, y, z]
}

function rotate(point: Vector, [w, x, y, z]: Quaternion): Vector {
  const axis: Vector = [x, y, z]
  const twice = scale(cross(axis, point), 2)
  return add(point, add(scale(twice, w), cross(axis, twice)))
}

/** Moves all points so that the chosen ones fit `target` best; `target` is centered on the origin. */
export function superpose(
  points: readonly Vector[],
  chosen: readonly number[],
  target: readonly Vector[],
): readonly Vector[] {
  const some = chosen.map(index => points[index] ?? ([0, 0, 0] as const))
  const center = centroid(some)
  const rotation = bestRotation(
    some.map(point => subtract(point, center)),
    target,
  )
  return points.map(point => rotate(subtract(point, center), rotation))
}

/** The chosen points relative to their center, as a target for `superpose`. */
export function centered(points: readonly Vector[], chosen: readonly number[]): readonly Vector[] {
  const some = chosen.map(index => points[index] ?? ([0, 0, 0] as const))
  const center = centroid(some)
  return some.map(point => subtract(point, center))
}

/** The points relative to their center, rotated so that the chain's ends lie along x. */
export function alignedToX(points: readonly Vector[]): readonly Vector[] {
  const center = centroid(points)
  const first = points[0] ?? center
  const last = points.at(-1) ?? center
  const axis = unit(subtract(last, first))
  const side = unit(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [0, 1, 0]))
  const up = cross(axis, side)
  return points.map(point => {
    const from = subtract(point, center)
    return [dot(from, axis), dot(from, side), dot(from, up)]
  })
}
