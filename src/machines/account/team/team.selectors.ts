import { ownPicture, safeWebAddress } from '../../../folding/web-address.ts'
import type { TeamSnapshot } from './team.machine.ts'

/** The number of the team that is folded for; 0 is none. */
export const selectTeam = ({ context }: TeamSnapshot): number => context.team
export const selectTeamName = ({ context: { team, stats } }: TeamSnapshot): string => (stats?.name ?? '') || `Team ${team}`
/** Only what is part of the data: a team's picture from elsewhere would tell its owner who looks. */
export const selectTeamLogo = ({ context }: TeamSnapshot): string | undefined => ownPicture(context.stats?.logo)
/** The team's site, if it is one that may be opened. */
export const selectTeamAddress = ({ context }: TeamSnapshot): string | undefined => safeWebAddress(context.stats?.url)
