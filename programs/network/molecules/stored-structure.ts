/** A molecule as `scripts/structures.mjs` stores it; lists of numbers as bytes, in Base64. */
export type StoredStructure = {
  readonly title: string
  readonly source: string
  readonly license: string
  /** Of the atoms, with spaces between. */
  readonly names: string
  /** Atomic numbers: a byte each. */
  readonly elements: string
  /** In thousandths of an elementary charge: two bytes each. */
  readonly charges: string
  /** Pairs of atoms: two bytes each. */
  readonly bonds: string
  /** x, y and z of each atom in hundredths of an ångström, the center at the origin: two bytes each. */
  readonly positions: string
  /** Atoms whose motion is known: two bytes each. */
  readonly nodes: string
  /** x, y and z of each node for each motion, in thousandths of an ångström, as the root of the mean square: two bytes each. */
  readonly modes: string
  /** Of each motion, how often it repeats itself in a frame. */
  readonly paces: readonly number[]
}

export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0))
}

/** Two bytes each, the lower first. */
export function integersOf(text: string): Int16Array {
  return new Int16Array(bytesOf(text).buffer)
}
