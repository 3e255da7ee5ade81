/** `classes`: an `AtomClass` per atom. `bonds`: flat pairs of atom indexes. */
export type BondedClasses = { readonly classes: Uint8Array; readonly bonds: Uint32Array }

/** The atoms bonded to each atom: those of atom `i` are `partners[starts[i]]` to `partners[starts[i + 1] - 1]`. */
export type Bonded = { readonly starts: Uint32Array; readonly partners: Uint32Array }

/** @param bonds flat pairs of atom indexes; pairs outside `atoms` are ignored */
export function bondedAtoms(atoms: number, bonds: Uint32Array): Bonded {
  const starts = new Uint32Array(atoms + 1)
  const isPair = (at: number): boolean => (bonds[at] ?? atoms) < atoms && (bonds[at + 1] ?? atoms) < atoms
  for (let at = 0; at + 1 < bonds.length; at += 2) {
    if (!isPair(at)) continue
    for (const atom of bonds.subarray(at, at + 2)) starts[atom + 1] = (starts[atom + 1] ?? 0) + 1
  }
  for (let atom = 0; atom < atoms; atom++) starts[atom + 1] = (starts[atom + 1] ?? 0) + (starts[atom] ?? 0)
  const partners = new Uint32Array(starts[atoms] ?? 0)
  const next = starts.slice()
  const add = (atom: number, partner: number): void => {
    const place = next[atom] ?? 0
    partners[place] = partner
    next[atom] = place + 1
  }
  for (let at = 0; at + 1 < bonds.length; at += 2) {
    if (!isPair(at)) continue
    const [a = 0, b = 0] = bonds.subarray(at, at + 2)
    add(a, b)
    add(b, a)
  }
  return { starts, partners }
}

export function partnersOf({ starts, partners }: Bonded, atom: number): Uint32Array {
  return partners.subarray(starts[atom], starts[atom + 1])
}
