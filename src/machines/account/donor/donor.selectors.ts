import { donorName, noDonor, type DonorConfig } from '../../../folding/account/donor.ts'
import { teamKey, userKey } from '../../../folding/shared/resource-keys.ts'
import type { DonorSnapshot } from './donor.machine.ts'

const selectDonor = ({ context: { account, local } }: DonorSnapshot): DonorConfig => account ?? local ?? noDonor

/** The donor's name; undefined when folding anonymously. */
export const selectDonorName = (snapshot: DonorSnapshot): string | undefined => donorName(selectDonor(snapshot))
/** The team number; 0 for none. */
export const selectTeam = (snapshot: DonorSnapshot): number => selectDonor(snapshot).team
export const selectPasskey = (snapshot: DonorSnapshot): string => selectDonor(snapshot).secrets.passkey

/** Key of the donor's statistics; undefined for an anonymous donor. */
export const selectUserKey = (snapshot: DonorSnapshot): ReturnType<typeof userKey> | undefined => {
  const { team } = selectDonor(snapshot)
  const name = selectDonorName(snapshot)
  return name === undefined ? undefined : userKey(name, team)
}

/** Key of the team's statistics; undefined without a team. */
export const selectTeamKey = (snapshot: DonorSnapshot): ReturnType<typeof teamKey> | undefined => {
  const team = selectTeam(snapshot)
  return team === 0 ? undefined : teamKey(team)
}
