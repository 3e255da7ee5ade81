import crambin from './structures/1CRN.json' with { type: 'json' }
import sh3 from './structures/1CKB.json' with { type: 'json' }
import gal4 from './structures/1D66.json' with { type: 'json' }
import gfp from './structures/1EMA.json' with { type: 'json' }
import rhodopsin from './structures/1U19.json' with { type: 'json' }
import src from './structures/2SRC.json' with { type: 'json' }
import type { StoredStructure } from './stored-structure.ts'

export const structures: Readonly<Record<string, StoredStructure>> = { crambin, sh3, gal4, gfp, rhodopsin, src }

/** The structure of this name; crambin for an unknown one. */
export function structureByName(name: string): StoredStructure {
  return (Object.hasOwn(structures, name) ? structures[name] : undefined) ?? crambin
}
