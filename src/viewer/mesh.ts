/**
 * Triangle corners, three numbers each, of an icosahedron whose sides are divided in four. It just encloses the unit
 * sphere.
 */
export function roundMesh(): Float32Array {
  const golden = (1 + Math.sqrt(5)) / 2
  const corners: readonly Corner[] = [
    [-1, golden, 0],
    [1, golden, 0],
    [-1, -golden, 0],
    [1, -golden, 0],
    [0, -1, golden],
    [0, 1, golden],
    [0, -1, -golden],
    [0, 1, -golden],
    [golden, 0, -1],
    [golden, 0, 1],
    [-golden, 0, -1],
    [-golden, 0, 1],
  ]
  const triangles = SIDES.flatMap(([a, b, c]) => cut(at(corners, a), at(corners, b), at(corners, c)))
  return Float32Array.from(triangles.flat().flatMap(corner => outward(corner, MESH_ROOM)))
}

type Corner = readonly [number, number, number]

/** The factor by which the corners are farther from the center than the sides. */
const MESH_ROOM = 1.07

const SIDES: readonly (readonly [number, number, number])[] = [
  [0, 11, 5],
  [0, 5, 1],
  [0, 1, 7],
  [0, 7, 10],
  [0, 10, 11],
  [1, 5, 9],
  [5, 11, 4],
  [11, 10, 2],
  [10, 7, 6],
  [7, 1, 8],
  [3, 9, 4],
  [3, 4, 2],
  [3, 2, 6],
  [3, 6, 8],
  [3, 8, 9],
  [4, 9, 5],
  [2, 4, 11],
  [6, 2, 10],
  [8, 6, 7],
  [9, 8, 1],
]

function at(corners: readonly Corner[], index: number): Corner {
  return corners[index] ?? [0, 0, 0]
}

function cut(a: Corner, b: Corner, c: Corner): readonly (readonly Corner[])[] {
  const [ab, bc, ca] = [between(a, b), between(b, c), between(c, a)]
  return [
    [a, ab, ca],
    [ab, b, bc],
    [ca, bc, c],
    [ab, bc, ca],
  ]
}

function between(a: Corner, b: Corner): Corner {
  return outward([a[0] + b[0], a[1] + b[1], a[2] + b[2]], Math.hypot(...a))
}

function outward(corner: Corner, length: number): Corner {
  const share = length / Math.hypot(...corner)
  return [corner[0] * share, corner[1] * share, corner[2] * share]
}
