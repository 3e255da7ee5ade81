/** `classes`: an `AtomClass` per atom. `bonds`: flat pairs of atom indexes. */
export type BondedClasses = { readonly classes: Uint8Array; readonly bonds: Uint32Array }

/** The atoms bonded to each atom: those of atom `i` are `partners[starts[i]]` to `partners[starts[i + 1] - 1]`. */
export type Bonded = { readonly starts: Uint32Array; readonly partners: Uint32Array }

const known = new WeakMap<Uint32Array, Bonded>()

/** @param bonds flat pairs of atom indexes; pairs outside `atoms` are ignored */
export function bondedAtoms(atoms: number, bonds: Uint32Array): Bonded {
  const found = known.get(bonds)
  if (found?.starts.length === atoms + 1) return found
  const made = bondedOf(atoms, bonds)
  known.set(bonds, made)
  return made
}

function bondedOf(atoms: number, bonds: Uint32Array): Bonded {
  const starts = new Uint32Array(atoms + 1)
  const eachEnd = (visit: (atom: number, partner: number) => void): void => {
    for (let at = 0; at < bonds.length; at++) {
      const atom = bonds[at] ?? atoms
      const partner = bonds[at ^ 1] ?? atoms
      if (atom < atoms && partner < atoms) visit(atom, partner)
    }
  }
  eachEnd(atom => (starts[atom + 1] = (starts[atom + 1] ?? 0) + 1))
  for (let atom = 0; atom < atoms; atom++) starts[atom + 1] = (starts[atom + 1] ?? 0) + (starts[atom] ?? 0)
  const partners = new Uint32Array(starts[atoms] ?? 0)
  const next = starts.slice()
  eachEnd((atom, partner) => {
    const place = next[atom] ?? 0
    partners[place] = partner
    next[atom] = place + 1
  })
  return { starts, partners }
}

export function partnersOf({ starts, partners }: Bonded, atom: number): Uint32Array {
  return partners.subarray(starts[atom], starts[atom + 1])
}
