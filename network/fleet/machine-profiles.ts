import { demoProfiles, fleetProfile, localProfile } from '../clients/index.ts'
import type { NamedProfile } from '../clients/index.ts'
import { LOCAL_SEAT } from './slots.ts'

/** Who sits where: decided by the seat and the world's seed alone. */
export type Cast = (seat: number) => NamedProfile

/** The six of the demo first, then as many of the same kind as are wanted; `uniform`: only those. */
export const createCast =
  (seed: number, uniform: boolean): Cast =>
  seat => {
    if (seat === LOCAL_SEAT) return localProfile
    return (uniform ? undefined : demoProfiles[seat]) ?? fleetProfile(seat, seed)
  }
