import type { StoredStructure } from '../network/molecules/stored-structure.ts'
import type { structureByName as find } from '../network/molecules/structures.ts'

/* In place of programs/network/molecules/structures.ts, which is the larger half of the network: it comes when it is needed. */

let loaded: typeof find | undefined

export async function loadStructures(): Promise<void> {
  loaded ??= (await import('../network/molecules/structures.ts')).structureByName
}

export function structureByName(name: string): StoredStructure {
  if (loaded === undefined) throw new Error('The structures of molecules are not loaded.')
  return loaded(name)
}
