import { isJsonList, type Json } from '../../../src/protocol/json.ts'
import { createMoleculeModel, type MoleculeModel } from './model.ts'

export type MoleculeSpec = {
  /** Name of a structure, such as 'crambin', which also replaces an unknown one. */
  readonly molecule: string
  /** Approximate number of atoms: those of the structure, or of it in water. */
  readonly atoms: number
  readonly seed: number
}

export type MoleculeCache = ReturnType<typeof createMoleculeCache>

/** Maximum number of cached coordinates, as atoms × frames: about 60 MB. */
const MAX_CACHED_ATOMS = 600_000

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

/**
 * Molecules by name and size, computed on request. Topologies are cached, and frames up to a limit, so that many
 * readers of one molecule cost little more than one.
 */
export function createMoleculeCache() {
  const models = new Map<string, { readonly model: MoleculeModel; readonly topology: Json }>()
  const frames = new Map<string, Json>()
  let cachedAtoms = 0

  const find = ({ molecule, atoms }: MoleculeSpec) => {
    const key = `${molecule} ${atoms}`
    const cached = models.get(key)
    if (cached !== undefined) return cached
    const model = createMoleculeModel(molecule, atoms)
    const made = { model, topology: model.topology() }
    models.set(key, made)
    return made
  }

  const store = (key: string, frame: Json, atoms: number): void => {
    frames.set(key, frame)
    cachedAtoms += atoms
    for (const [oldest, old] of frames) {
      if (cachedAtoms <= MAX_CACHED_ATOMS || oldest === key) return
      frames.delete(oldest)
      cachedAtoms -= isJsonList(old) ? old.length : 0
    }
  }

  return {
    /** `{atoms: [[name, charge, radius, mass, element number] …], bonds: [[a, b] …]}`, as a client sends it. */
    topology: (spec: MoleculeSpec): Json => find(spec).topology,
    /** `[[x, y, z] …]` in ångström, three decimals. `index` counts from 0. */
    frame: (spec: MoleculeSpec, index: number): Json => {
      const key = `${spec.molecule} ${spec.atoms} ${spec.seed} ${index}`
      const cached = frames.get(key)
      if (cached !== undefined) return cached
      const positions = find(spec).model.positions(index, spec.seed)
      const frame = positions.map(([x, y, z]) => [round(x), round(y), round(z)])
      store(key, frame, positions.length)
      return frame
    },
  }
}
