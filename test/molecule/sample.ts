import type { Molecule } from '../../src/viewer/viewer.types.ts'

export type Sample = { readonly molecule: Molecule; readonly frame: Float32Array }

const RADII = [1.7, 1.09, 1.55, 1.52, 1.8, 2]

/** A molecule of atoms at these places, all of one class unless said otherwise. */
export function moleculeOfPlaces(
  places: readonly (readonly [number, number, number])[],
  classes: readonly number[] = [],
  bonds: readonly number[] = [],
): Sample {
  return {
    frame: Float32Array.from(places.flat()),
    molecule: {
      names: places.map((_, atom) => `C${atom}`),
      classes: Uint8Array.from(places, (_, atom) => classes[atom] ?? 0),
      radii: Float32Array.from(places, (_, atom) => RADII[classes[atom] ?? 0] ?? 2),
      charges: new Float32Array(places.length),
      bonds: Uint32Array.from(bonds),
      polymers: { peptides: [], strands: [] },
      kinds: new Uint8Array(places.length),
    },
  }
}

/** As dense as a protein with its hydrogens: atoms an Å³. */
const DENSITY = 0.1

/** A ball of so many atoms, packed as in a protein, bonded along a chain that winds through it. The same each time. */
export function packedBall(atoms: number): Sample {
  const spacing = Math.cbrt(1 / DENSITY)
  const side = Math.ceil(Math.cbrt(atoms * 2))
  const chance = mulberry(atoms)
  const places: [number, number, number, number][] = []
  for (let z = 0; z < side; z++)
    for (let row = 0; row < side; row++)
      for (let column = 0; column < side; column++) {
        // Like an ox at the plough: neighbours in the chain are neighbours in space.
        const y = z % 2 === 0 ? row : side - 1 - row
        const x = (z * side + row) % 2 === 0 ? column : side - 1 - column
        const at = [x, y, z].map(value => (value - (side - 1) / 2 + (chance() - 0.5) * 0.55) * spacing)
        places.push([at[0] ?? 0, at[1] ?? 0, at[2] ?? 0, Math.hypot(...at)])
      }
  const limit = places.map(place => place[3]).sort((a, b) => a - b)[atoms - 1] ?? Infinity
  const chosen = places.filter(place => place[3] <= limit).slice(0, atoms)
  const classes = chosen.map(() => [0, 0, 0, 1, 1, 1, 1, 1, 2, 3, 3, 4][Math.floor(chance() * 11.2)] ?? 0)
  const bonds: number[] = []
  for (let atom = 0; atom + 1 < chosen.length; atom++) {
    const [a, b] = [chosen[atom], chosen[atom + 1]]
    if (a !== undefined && b !== undefined && Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < spacing * 1.8)
      bonds.push(atom, atom + 1)
  }
  return moleculeOfPlaces(
    chosen.map(([x, y, z]) => [x, y, z]),
    classes,
    bonds,
  )
}

/** The same atoms, each a little further along its own way. */
export function stirred(frame: Float32Array, seed: number, most = 1): Float32Array {
  const chance = mulberry(seed)
  return frame.map(value => value + (chance() - 0.5) * 2 * most)
}

/** Even numbers from 0 to 1 from a seed (Tommy Ettinger's mulberry32). */
export function mulberry(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
