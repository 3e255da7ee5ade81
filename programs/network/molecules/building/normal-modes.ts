/*
 * The slowest normal modes of an elastic network: every two nodes are joined by a spring that is weaker the farther apart they are. Method:
 * L. Yang, G. Song and R. L. Jernigan, PNAS 106 (2009), 12347–12352 (parameter-free elastic network).
 */
import { dot, minus, type Vector } from '../../../../src/folding/molecule/vectors.ts'

export type Mode = {
  /** Relative to those of the other modes: the stiffer, the faster. */
  readonly stiffness: number
  /** x, y and z of each node; all together of length 1. */
  readonly directions: Float64Array
}

/** Translations and rotations of the whole. */
const RIGID = 6
/** More directions than are wanted let the wanted ones converge. */
const SPARE = 10
const ROUNDS = 80

export function normalModes(nodes: readonly Vector[], wanted: number): readonly Mode[] {
  const size = nodes.length * 3
  const matrix = hessian(nodes, size)
  const lower = cholesky(matrix, size)
  let basis: readonly Float64Array[] = Array.from({ length: RIGID + wanted + SPARE }, (_, at) =>
    Float64Array.from({ length: size }, (_, row) => Math.sin((row + 1) * (at + 1) * 0.7)),
  )
  for (let round = 0; round < ROUNDS; round++) basis = orthonormal(basis.map(vector => solved(lower, vector, size)))
  return basis
    .map(directions => ({ directions, stiffness: energyOf(matrix, directions, size) }))
    .sort((one, other) => one.stiffness - other.stiffness)
    .slice(RIGID, RIGID + wanted)
}

/** Row by row, with a little added to its diagonal, so that it can be inverted. */
function hessian(nodes: readonly Vector[], size: number): Float64Array {
  const matrix = new Float64Array(size * size)
  const add = (row: number, column: number, value: number): void => {
    matrix[row * size + column] = (matrix[row * size + column] ?? 0) + value
  }
  nodes.forEach((a, i) =>
    nodes.slice(0, i).forEach((b, j) => {
      const away = minus(a, b)
      for (const row of [0, 1, 2] as const)
        for (const column of [0, 1, 2] as const) {
          const value = (away[row] * away[column]) / dot(away, away) ** 2
          add(i * 3 + row, j * 3 + column, -value)
          add(j * 3 + row, i * 3 + column, -value)
          add(i * 3 + row, i * 3 + column, value)
          add(j * 3 + row, j * 3 + column, value)
        }
    }),
  )
  for (let row = 0; row < size; row++) add(row, row, 1e-6)
  return matrix
}

/** Lower left. */
function cholesky(matrix: Float64Array, size: number): Float64Array {
  const lower = new Float64Array(size * size)
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column] ?? 0
      for (let k = 0; k < column; k++) sum -= (lower[row * size + k] ?? 0) * (lower[column * size + k] ?? 0)
      lower[row * size + column] = row === column ? Math.sqrt(sum) : sum / (lower[column * size + column] ?? 1)
    }
  return lower
}

function solved(lower: Float64Array, vector: Float64Array, size: number): Float64Array {
  const result = vector.slice()
  for (let row = 0; row < size; row++) {
    let sum = result[row] ?? 0
    for (let k = 0; k < row; k++) sum -= (lower[row * size + k] ?? 0) * (result[k] ?? 0)
    result[row] = sum / (lower[row * size + row] ?? 1)
  }
  for (let row = size - 1; row >= 0; row--) {
    const value = (result[row] ?? 0) / (lower[row * size + row] ?? 1)
    result[row] = value
    for (let k = 0; k < row; k++) result[k] = (result[k] ?? 0) - (lower[row * size + k] ?? 0) * value
  }
  return result
}

/** Modified Gram–Schmidt. */
function orthonormal(vectors: readonly Float64Array[]): readonly Float64Array[] {
  const found: Float64Array[] = []
  for (const vector of vectors) {
    const rest = vector.slice()
    for (const other of found) {
      const share = product(rest, other)
      other.forEach((value, at) => {
        rest[at] = (rest[at] ?? 0) - share * value
      })
    }
    const length = Math.sqrt(product(rest, rest))
    found.push(rest.map(value => value / length))
  }
  return found
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  a.forEach((value, at) => {
    sum += value * (b[at] ?? 0)
  })
  return sum
}

function energyOf(matrix: Float64Array, vector: Float64Array, size: number): number {
  let sum = 0
  for (let row = 0; row < size; row++)
    sum += (vector[row] ?? 0) * product(matrix.subarray(row * size, (row + 1) * size), vector)
  return sum
}
