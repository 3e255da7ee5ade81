import { demoProfiles, fleetProfile, localProfile } from '../clients/index.ts'
import type { NamedProfile } from '../clients/index.ts'
import { LOCAL_SLOT } from './slots.ts'

/** Who sits where: decided by the slot and the world's seed alone. */
export type ProfileFor = (slot: number) => NamedProfile

/** The six of the demo first, then as many of the same kind as are wanted; `uniform`: only those. */
export const createProfiles =
  (seed: number, uniform: boolean): ProfileFor =>
  slot => {
    if (slot === LOCAL_SLOT) return localProfile
    return (uniform ? undefined : demoProfiles[slot]) ?? fleetProfile(slot, seed)
  }
