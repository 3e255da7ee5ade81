/*
 * The movement that lays chosen atoms of a frame on those of another. Method: B. K. P. Horn, Journal of the Optical Society
 * of America A 4 (1987), 629–642: the rotation is the eigenvector of a symmetric matrix.
 */
import { centerOf, distance, minus, pointAt, rotationMatrix, type Vector } from './vectors.ts'

export type Superposition = {
  /** Ångström between the chosen atoms before, as the root of the mean square. */
  readonly distance: number
  readonly applied: (frame: Float32Array) => Float32Array
}

/** Atoms without a place in one of the frames are left out; without any, nothing moves. */
export function superposition(frame: Float32Array, onto: Float32Array, chosen: Uint32Array): Superposition {
  const atoms = chosen.filter(atom => isPlaced(frame, atom) && isPlaced(onto, atom))
  if (atoms.length === 0) return { distance: 0, applied: points => points }
  const [from, to] = [centerOf(frame, atoms), centerOf(onto, atoms)]
  // Row by row: sums of products of the coordinates.
  const sums = new Float64Array(9)
  let squares = 0
  for (const atom of atoms) {
    const [one, other] = [pointAt(frame, atom), pointAt(onto, atom)]
    squares += distance(one, other) ** 2
    minus(one, from).forEach((value, row) =>
      minus(other, to).forEach((beside, column) => {
        sums[row * 3 + column] = (sums[row * 3 + column] ?? 0) + value * beside
      }),
    )
  }
  const [w = 1, x = 0, y = 0, z = 0] = largestEigenvector(hornMatrix(sums))
  const rotation = rotationMatrix([x, y, z, w])
  return { distance: Math.sqrt(squares / atoms.length), applied: points => moved(points, from, rotation, to) }
}

function isPlaced(frame: Float32Array, atom: number): boolean {
  return pointAt(frame, atom).every(Number.isFinite)
}

/** Four by four. */
function hornMatrix(sums: Float64Array): Float64Array {
  const [xx = 0, xy = 0, xz = 0, yx = 0, yy = 0, yz = 0, zx = 0, zy = 0, zz = 0] = sums
  return Float64Array.of(
    ...[xx + yy + zz, yz - zy, zx - xz, xy - yx],
    ...[yz - zy, xx - yy - zz, xy + yx, zx + xz],
    ...[zx - xz, xy + yx, yy - xx - zz, yz + zy],
    ...[xy - yx, zx + xz, yz + zy, zz - xx - yy],
  )
}

const SQUARINGS = 40

/** Of a symmetric matrix, by squaring it: after that its columns are multiples of the eigenvector. */
export function largestEigenvector(matrix: Float64Array): readonly number[] {
  const side = Math.sqrt(matrix.length)
  const indexes = [...Array(side).keys()]
  // Shifted, so that no eigenvalue is negative.
  const shift = Math.hypot(...matrix)
  let power = matrix.map((value, at) => (at % (side + 1) === 0 ? value + shift : value))
  for (let step = 0; step < SQUARINGS; step++) {
    const size = Math.hypot(...power)
    if (size === 0) return [1, 0, 0, 0].slice(0, side)
    const normalized = power.map(value => value / size)
    power = normalized.map((_, at) => {
      const [row, column] = [Math.floor(at / side), at % side]
      return indexes.reduce(
        (sum, k) => sum + (normalized[row * side + k] ?? 0) * (normalized[k * side + column] ?? 0),
        0,
      )
    })
  }
  const columns = indexes.map(column => indexes.map(row => power[row * side + column] ?? 0))
  const [best = []] = columns.toSorted((a, b) => Math.hypot(...b) - Math.hypot(...a))
  const length = Math.hypot(...best)
  return best.map(value => value / length)
}

function moved(frame: Float32Array, from: Vector, m: readonly number[], to: Vector): Float32Array {
  const [a = 1, d = 0, g = 0, b = 0, e = 1, h = 0, c = 0, f = 0, i = 1] = m
  const result = new Float32Array(frame.length)
  for (let at = 0; at + 2 < frame.length; at += 3) {
    const x = (frame[at] ?? NaN) - from[0]
    const y = (frame[at + 1] ?? NaN) - from[1]
    const z = (frame[at + 2] ?? NaN) - from[2]
    result[at] = a * x + b * y + c * z + to[0]
    result[at + 1] = d * x + e * y + f * z + to[1]
    result[at + 2] = g * x + h * y + i * z + to[2]
  }
  return result
}
