/*
 * From front to back: what is drawn first hides the rest, which then costs nothing.
 */

const BUCKETS = 4096

/**
 * Writes the numbers of all atoms into `order`, those farthest along `towards` (a direction from the ball's middle to
 * the eye) first; to within 1/4096 of the ball. Atoms without a place come last. One pass to count, one to place.
 */
export const orderAtoms = (
  positions: Float32Array, towards: readonly [number, number, number], reach: number, centre: readonly [number, number, number], order: Float32Array,
): void => {
  const atoms = order.length
  const [tx, ty, tz] = towards
  const factor = (BUCKETS - 2) / (2 * Math.max(reach, 1e-6))
  const base = (BUCKETS - 2) / 2 + (tx * centre[0] + ty * centre[1] + tz * centre[2]) * factor
  const [fx, fy, fz] = [tx * factor, ty * factor, tz * factor]
  const buckets = keysFor(atoms)
  const starts = new Uint32Array(BUCKETS + 1)
  for (let atom = 0, at = 0; atom < atoms; atom++, at += 3) {
    const key = base - (fx * (positions[at] ?? Number.NaN) + fy * (positions[at + 1] ?? Number.NaN) + fz * (positions[at + 2] ?? Number.NaN))
    const bucket = key >= 0 ? (key < BUCKETS - 1 ? key | 0 : BUCKETS - 1) : key < 0 ? 0 : BUCKETS - 1
    buckets[atom] = bucket
    starts[bucket + 1] = (starts[bucket + 1] ?? 0) + 1
  }
  for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1] = (starts[bucket + 1] ?? 0) + (starts[bucket] ?? 0)
  for (let atom = 0; atom < atoms; atom++) {
    const bucket = buckets[atom] ?? 0
    const place = starts[bucket] ?? 0
    order[place] = atom
    starts[bucket] = place + 1
  }
}

let keys = new Uint16Array(0)

const keysFor = (atoms: number): Uint16Array => {
  if (keys.length < atoms) keys = new Uint16Array(atoms)
  return keys
}
