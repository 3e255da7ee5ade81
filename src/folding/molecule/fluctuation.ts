/*
 * How far each atom moves around its mean place in a trajectory, as the root of the mean square (RMSF). One pass, so that frames can
 * be added: B. P. Welford, Technometrics 4 (1962), 419–420.
 */

/**
 * The function returned gets superposed frames (x, y and z of each atom in ångström) and returns ångström by atom; NaN where fewer
 * than two frames have a place for it. Frames that are added to those of the last call are all that costs time.
 */
export function createFluctuation(atoms: number) {
  let counted: readonly Float32Array[] = []
  const counts = new Uint16Array(atoms)
  const means = new Float64Array(atoms * 3)
  const squares = new Float64Array(atoms)

  const add = (frame: Float32Array): void => {
    for (let atom = 0, at = 0; atom < atoms; atom++, at += 3) {
      const [x = NaN, y = NaN, z = NaN] = [frame[at], frame[at + 1], frame[at + 2]]
      if (!Number.isFinite(x + y + z)) continue
      const [mx = 0, my = 0, mz = 0] = [means[at], means[at + 1], means[at + 2]]
      const count = (counts[atom] ?? 0) + 1
      const [dx, dy, dz] = [x - mx, y - my, z - mz]
      counts[atom] = count
      means[at] = mx + dx / count
      means[at + 1] = my + dy / count
      means[at + 2] = mz + dz / count
      squares[atom] = (squares[atom] ?? 0) + (dx * dx + dy * dy + dz * dz) * (1 - 1 / count)
    }
  }

  return (frames: readonly Float32Array[]): Float32Array => {
    if (counted.some((frame, at) => frames[at] !== frame)) {
      for (const sums of [counts, means, squares]) sums.fill(0)
      counted = []
    }
    for (const frame of frames.slice(counted.length)) add(frame)
    counted = frames
    return Float32Array.from(counts, (count, atom) => (count < 2 ? NaN : Math.sqrt((squares[atom] ?? NaN) / count)))
  }
}
