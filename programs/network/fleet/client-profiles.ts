import {
  demoProfiles,
  fleetProfile,
  localProfile,
  ofGeneration,
  type Generation,
  type NamedProfile,
} from '../clients/index.ts'
import { LOCAL_SLOT } from './slots.ts'

/** The profile of a slot. It depends on the slot and the seed alone. */
export type ProfileFor = (slot: number) => NamedProfile

/**
 * The six demo profiles first, then fleet profiles; `uniform`: fleet profiles only. `generation`: of all clients; each has its
 * own without it. `pastUnits`: each has so many units that ended, or more.
 */
export function createProfiles(
  seed: number,
  uniform: boolean,
  generation: Generation | undefined,
  pastUnits: number,
): ProfileFor {
  const chosen = (slot: number): NamedProfile =>
    slot === LOCAL_SLOT ? localProfile : ((uniform ? undefined : demoProfiles[slot]) ?? fleetProfile(slot, seed))
  return slot => {
    const { name, profile: usual } = chosen(slot)
    const earlier = Array.from({ length: Math.max(0, pastUnits - usual.history.length) }, () => 'credited' as const)
    const profile = { ...usual, history: [...usual.history, ...earlier] }
    return { name, profile: generation === undefined ? profile : ofGeneration(profile, generation) }
  }
}
