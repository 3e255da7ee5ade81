/**
 * Splits the atoms of `drawn` by visibility: writes the numbers of visible ones to the beginning of `front`, the others to
 * `hidden`, and returns the number of visible ones. `seen` has four integers per pixel: the first is the atom's number from 1, 0 for
 * none; higher numbers are bonds.
 */
export function splitVisible(seen: Uint32Array, drawn: Uint32Array, front: Float32Array, hidden: Float32Array): number {
  const atoms = front.length
  const marks = new Uint8Array(atoms)
  for (let at = 0; at < seen.length; at += 4) {
    const number = seen[at] ?? 0
    if (number !== 0 && number <= atoms) marks[number - 1] = 1
  }
  let [shown, others] = [0, 0]
  for (const atom of drawn) {
    if (marks[atom] === 1) front[shown++] = atom
    else hidden[others++] = atom
  }
  return shown
}
