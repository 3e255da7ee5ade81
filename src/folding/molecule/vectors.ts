export type Vector = readonly [x: number, y: number, z: number]

/** The place of an atom in a frame; NaN where it has none. */
export function pointAt(frame: Float32Array | Float64Array, atom: number): Vector {
  return [frame[atom * 3] ?? NaN, frame[atom * 3 + 1] ?? NaN, frame[atom * 3 + 2] ?? NaN]
}

export function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
export function scaled(a: Vector, factor: number): Vector {
  return [a[0] * factor, a[1] * factor, a[2] * factor]
}
export function distance(a: Vector, b: Vector): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/** The vector with length 1; the fallback for one without a length. */
export function unit(a: Vector, fallback: Vector): Vector {
  const length = Math.hypot(...a)
  return length > 1e-6 ? scaled(a, 1 / length) : fallback
}

export function mix(a: Vector, b: Vector, share: number): Vector {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]
}

/** The mean place of atoms. */
export function centerOf(frame: Float32Array, atoms: Uint32Array): Vector {
  const sum: [number, number, number] = [0, 0, 0]
  for (const atom of atoms) for (const axis of [0, 1, 2] as const) sum[axis] += frame[atom * 3 + axis] ?? NaN
  return scaled(sum, 1 / atoms.length)
}

/** Of a unit quaternion; column-major, as in WebGL. */
export function rotationMatrix([x, y, z, w]: readonly [x: number, y: number, z: number, w: number]): readonly number[] {
  return [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    ...[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    ...[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ]
}

/** The product of a matrix, column-major, and a vector. */
export function turned(m: readonly number[], [x, y, z]: Vector): Vector {
  const row = (at: 0 | 1 | 2): number => (m[at] ?? 0) * x + (m[at + 3] ?? 0) * y + (m[at + 6] ?? 0) * z
  return [row(0), row(1), row(2)]
}
