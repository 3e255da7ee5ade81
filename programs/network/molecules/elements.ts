/** Van der Waals radii: Bondi, J. Phys. Chem. 68 (1964) 441 (hydrogen 1.2); masses: IUPAC. */
const ELEMENTS: Readonly<Record<string, readonly [number: number, radius: number, mass: number]>> = {
  H: [1, 1.2, 1.008],
  C: [6, 1.7, 12.011],
  N: [7, 1.55, 14.007],
  O: [8, 1.52, 15.999],
  P: [15, 1.8, 30.974],
  S: [16, 1.8, 32.06],
  ZN: [30, 1.39, 65.38],
  SE: [34, 1.9, 78.971],
  CD: [48, 1.58, 112.414],
}

const BY_NUMBER = new Map(Object.values(ELEMENTS).map(element => [element[0], element]))

/** The atomic number of a symbol in capitals. */
export function elementNumber(symbol: string): number {
  const [number] = ELEMENTS[symbol] ?? []
  if (number === undefined) throw new Error(`The element ${symbol} is not known.`)
  return number
}

/** In ångström, and in daltons. */
export function elementFacts(number: number): { readonly radius: number; readonly mass: number } {
  const [, radius = 1.7, mass = 12.011] = BY_NUMBER.get(number) ?? []
  return { radius, mass }
}
