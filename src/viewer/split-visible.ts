/**
 * Which atoms a picture showed: their numbers go to the beginning of `front`, those of all others to the beginning of
 * `hidden`; returns how many were seen. `seen` holds four integers a pixel, of which the first is an atom's number
 * counted from 1, 0 for none; numbers beyond the atoms are bonds.
 */
export const splitVisible = (seen: Uint32Array, front: Float32Array, hidden: Float32Array): number => {
  const atoms = front.length
  const marks = marksFor(atoms)
  for (let at = 0; at < seen.length; at += 4) {
    const number = seen[at] ?? 0
    if (number !== 0 && number <= atoms) marks[number - 1] = 1
  }
  let [shown, others] = [0, 0]
  for (let atom = 0; atom < atoms; atom++) {
    if (marks[atom] === 1) front[shown++] = atom
    else hidden[others++] = atom
  }
  return shown
}

let marks = new Uint8Array(0)

const marksFor = (atoms: number): Uint8Array => {
  if (marks.length < atoms) marks = new Uint8Array(atoms)
  else marks.fill(0, 0, atoms)
  return marks
}
