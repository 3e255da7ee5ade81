import { donorName, nobody, type DonorConfig } from '../../../folding/account/donor.ts'
import { teamKey, userKey } from '../../../folding/shared/resource-keys.ts'
import type { DonorSnapshot } from './donor.machine.ts'

const selectDonor = ({ context: { account, local } }: DonorSnapshot): DonorConfig => account ?? local ?? nobody

/** The name that points are counted for; undefined for who folds anonymously. */
export const selectDonorName = (snapshot: DonorSnapshot): string | undefined => donorName(selectDonor(snapshot))
/** The number of the team that is folded for; 0 is none. */
export const selectTeam = (snapshot: DonorSnapshot): number => selectDonor(snapshot).team
export const selectPasskey = (snapshot: DonorSnapshot): string => selectDonor(snapshot).secrets.passkey

/** What the donor's statistics are known by; undefined for who has none. */
export const selectUserKey = (snapshot: DonorSnapshot): ReturnType<typeof userKey> | undefined => {
  const { team } = selectDonor(snapshot)
  const name = selectDonorName(snapshot)
  return name === undefined ? undefined : userKey(name, team)
}

/** What the team's statistics are known by; undefined without a team. */
export const selectTeamKey = (snapshot: DonorSnapshot): ReturnType<typeof teamKey> | undefined => {
  const team = selectTeam(snapshot)
  return team === 0 ? undefined : teamKey(team)
}
