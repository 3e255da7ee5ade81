/**
 * How far each atom moves around its mean place in a trajectory, as the root of the mean square (RMSF). The function returned gets
 * superposed frames (x, y and z of each atom in ångström) and returns ångström by atom; NaN where fewer than two frames have a place for
 * it. Frames that are added to those of the last call are all that costs time.
 */
export function createFluctuation(atoms: number) {
  let counted: readonly Float32Array[] = []
  const counts = new Uint16Array(atoms)
  const sums = new Float64Array(atoms * 3)
  const squares = new Float64Array(atoms)

  const add = (frame: Float32Array): void => {
    for (let atom = 0, at = 0; atom < atoms; atom++, at += 3) {
      const [x = NaN, y = NaN, z = NaN] = [frame[at], frame[at + 1], frame[at + 2]]
      if (!Number.isFinite(x + y + z)) continue
      counts[atom] = (counts[atom] ?? 0) + 1
      sums[at] = (sums[at] ?? 0) + x
      sums[at + 1] = (sums[at + 1] ?? 0) + y
      sums[at + 2] = (sums[at + 2] ?? 0) + z
      squares[atom] = (squares[atom] ?? 0) + x * x + y * y + z * z
    }
  }

  return (frames: readonly Float32Array[]): Float32Array => {
    if (counted.some((frame, at) => frames[at] !== frame)) {
      for (const list of [counts, sums, squares]) list.fill(0)
      counted = []
    }
    for (const frame of frames.slice(counted.length)) add(frame)
    counted = frames
    return Float32Array.from(counts, (count, atom) => {
      const ofMean = sums.subarray(atom * 3, atom * 3 + 3).reduce((total, sum) => total + (sum * sum) / count, 0)
      return count < 2 ? NaN : Math.sqrt(Math.max(0, (squares[atom] ?? 0) - ofMean) / count)
    })
  }
}
