import { donorName, noDonor, type DonorConfig } from '../../../folding/account/donor.ts'
import { teamKey, userKey } from '../../../folding/shared/resource-keys.ts'
import { userToSend } from '../../../folding/shared/validation.ts'
import type { DonorSnapshot } from './donor.machine.ts'

function selectDonor({ context: { account, local } }: DonorSnapshot): DonorConfig {
  return account ?? local ?? noDonor
}

/** The donor's name; undefined when folding anonymously. */
export function selectDonorName(snapshot: DonorSnapshot): string | undefined {
  return donorName(selectDonor(snapshot))
}
/** The team number; 0 for none. */
export function selectTeam(snapshot: DonorSnapshot): number {
  return selectDonor(snapshot).team
}
export function selectPasskey(snapshot: DonorSnapshot): string {
  return selectDonor(snapshot).secrets.passkey
}

/** Key of the donor's statistics; undefined for an anonymous donor without a team (docs/product.md §5). */
export function selectUserKey(snapshot: DonorSnapshot): ReturnType<typeof userKey> | undefined {
  const team = selectTeam(snapshot)
  const name = selectDonorName(snapshot)
  return name === undefined && team === 0 ? undefined : userKey(name ?? userToSend(''), team)
}

/** Key of the team's statistics; undefined without a team. */
export function selectTeamKey(snapshot: DonorSnapshot): ReturnType<typeof teamKey> | undefined {
  const team = selectTeam(snapshot)
  return team === 0 ? undefined : teamKey(team)
}
