/** A scene that an address opens: `?tour=forty`. */
export type Tour = {
  readonly machines: number
  /** What is shown first. */
  readonly path: string
  /** The one machine of this computer, without the account. */
  readonly isAlone?: boolean
  /** A molecule in the viewer. */
  readonly hasMolecule?: boolean
}

const USUAL: Tour = { machines: 6, path: '' }

const TOURS: Readonly<Record<string, Tour>> = {
  one: { ...USUAL, isAlone: true },
  forty: { machines: 40, path: 'machines?layout=grid' },
  failing: { ...USUAL, path: 'attention' },
  molecule: { ...USUAL, isAlone: true, hasMolecule: true },
}

/** What a reload continues with. */
const KEPT = 'foldboard-demo-machines'

/** The tour of the address, without which a tab goes on with the machines that it has. */
export function tourOf({ search }: Pick<Location, 'search'>, storage: Storage): Tour {
  const name = new URLSearchParams(search).get('tour') ?? ''
  const tour = Object.hasOwn(TOURS, name) ? TOURS[name] : undefined
  const machines = tour?.machines ?? (Number(storage.getItem(KEPT)) || USUAL.machines)
  storage.setItem(KEPT, String(machines))
  return { ...USUAL, ...tour, machines }
}
