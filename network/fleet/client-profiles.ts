import { demoProfiles, fleetProfile, localProfile } from '../clients/index.ts'
import type { NamedProfile } from '../clients/index.ts'
import { LOCAL_SLOT } from './slots.ts'

/** The profile of a slot. It depends on the slot and the seed alone. */
export type ProfileFor = (slot: number) => NamedProfile

/** The six demo profiles first, then fleet profiles; `uniform`: fleet profiles only. */
export function createProfiles(seed: number, uniform: boolean): ProfileFor {
  return slot => {
    if (slot === LOCAL_SLOT) return localProfile
    return (uniform ? undefined : demoProfiles[slot]) ?? fleetProfile(slot, seed)
  }
}
