/** Estimated number of other donors or teams with more points: a steadily falling curve. */
function estimatedAbove(score: number, { count, knee, fall }: { count: number; knee: number; fall: number }): number {
  return Math.floor(count / (1 + score / knee) ** fall)
}

const DONORS = { count: 2_800_000, knee: 2_000, fall: 0.62 } as const
const TEAMS = { count: 230_000, knee: 10_000, fall: 0.6 } as const

function rankAmong(others: typeof DONORS | typeof TEAMS) {
  return (score: number, otherScores: readonly number[]): number =>
    1 + estimatedAbove(score, others) + otherScores.filter(other => other > score).length
}

/** Rank, 1 is best. More points never give a worse rank. */
export const donorRank = rankAmong(DONORS)
export const teamRank = rankAmong(TEAMS)
