/** A scene that an address opens: `?tour=forty`. `path`: what is shown first; a molecule when there is one. */
type Tour = { readonly machines: number; readonly path: string; readonly hasMolecule?: boolean }

const USUAL: Tour = { machines: 6, path: '' }

const TOURS: Readonly<Record<string, Tour>> = {
  forty: { machines: 40, path: 'machines?view=grid' },
  failing: { ...USUAL, path: 'attention' },
  molecule: { ...USUAL, path: 'machines', hasMolecule: true },
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
