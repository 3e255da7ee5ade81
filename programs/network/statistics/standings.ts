import { activeMachines, donorByName, passkeyId, creditSums } from '../store/credits.ts'
import type { Store } from '../store/store.ts'
import { allTeams, type Team } from '../store/teams.ts'
import { add, scoreAt, NOTHING, type Sum } from './score-curve.ts'
import type { Population } from './population.ts'
import { donorRank, teamRank } from './ranks.ts'

type Table = {
  teams: ReadonlyMap<number, Team & Sum>
  donors: ReadonlyMap<string, { total: Sum; byTeam: ReadonlyMap<number, Sum> }>
}

const DAY_MS = 24 * 3_600_000
/** Team number of donors without a team. */
const ALONE = 0

function addSum<Key>(totals: Map<Key, Sum>, key: Key, sum: Sum): void {
  totals.set(key, add(totals.get(key) ?? NOTHING, sum))
}

async function contributions(
  store: Store,
  { members }: Population,
  at: number,
): Promise<(Sum & { donor: string; team: number })[]> {
  return [
    ...members.map(({ name, team, curve }) => ({ donor: name, team, ...scoreAt(curve, at) })),
    ...(await creditSums(store)),
  ]
}

async function tableAt(store: Store, population: Population, at: number): Promise<Table> {
  const [contributed, teams] = await Promise.all([contributions(store, population, at), allTeams(store)])
  const byTeam = new Map<number, Sum>(teams.map(({ team, score, wus }) => [team, { score, wus }]))
  for (const [team, growth] of population.unnamedMembers) addSum(byTeam, team, scoreAt(growth, at))
  const donors = new Map<string, { total: Sum; byTeam: Map<number, Sum> }>()
  for (const { donor, team, ...sum } of contributed) {
    addSum(byTeam, team, sum)
    const donorSums = donors.get(donor) ?? { total: NOTHING, byTeam: new Map<number, Sum>() }
    addSum(donorSums.byTeam, team, sum)
    donors.set(donor, { ...donorSums, total: add(donorSums.total, sum) })
  }
  return { donors, teams: new Map(teams.map(team => [team.team, { ...team, ...byTeam.get(team.team) }])) }
}

function rankOfTeam(table: Table, score: number): number {
  return teamRank(
    score,
    [...table.teams.values()].map(other => other.score),
  )
}

function donorTeams(table: Table, sumsByTeam: ReadonlyMap<number, Sum>, asked: number | undefined) {
  const wanted = new Set([...sumsByTeam.keys(), ...(asked === undefined ? [] : [asked])])
  return [...wanted]
    .flatMap(number => {
      const found = number === ALONE ? undefined : table.teams.get(number)
      if (found === undefined) return []
      const { name, logo, url, score, wus } = found
      return [
        {
          team: number,
          name,
          logo,
          url,
          trank: rankOfTeam(table, score),
          tscore: score,
          twus: wus,
          ...(sumsByTeam.get(number) ?? NOTHING),
        },
      ]
    })
    .sort((one, other) => other.score - one.score)
}

/** Points and ranks of donors and teams, from the seed's population and the credits of this network. */
export function createStandings(store: Store, population: Population, now: () => number) {
  const table = (): Promise<Table> => tableAt(store, population, now())

  const active = async (donor: number, name: string, days: 7 | 50): Promise<number> => {
    const member = population.members.find(candidate => candidate.name === name)
    const elsewhere = days === 7 ? member?.active7 : member?.active50
    return (elsewhere ?? 0) + (await activeMachines(store, donor, new Date(now() - days * DAY_MS).toISOString()))
  }

  return {
    team: async (team: number) => {
      const standings = await table()
      const found = standings.teams.get(team)
      if (found === undefined) return undefined
      const { name, score, wus, logo, url } = found
      return { id: team, name, score, wus, rank: rankOfTeam(standings, score), logo, url }
    },
    donor: async ({ name, team, passkey }: { name: string; team: number | undefined; passkey: string }) => {
      const found = await donorByName(store, name)
      if (found === undefined) return undefined
      const standings = await table()
      const donorSums = standings.donors.get(name)
      const { score, wus } = donorSums?.total ?? NOTHING
      return {
        id: found.id,
        pid: await passkeyId(store, found.id, passkey),
        name,
        rank: donorRank(
          score,
          [...standings.donors.values()].map(({ total }) => total.score),
        ),
        score,
        wus,
        active_7: await active(found.id, name, 7),
        active_50: await active(found.id, name, 50),
        teams: donorTeams(standings, donorSums?.byTeam ?? new Map<number, Sum>(), team),
      }
    },
    /** The given teams with their current points. */
    withScores: async (teams: readonly Team[]): Promise<Team[]> => {
      if (teams.length === 0) return []
      const standings = await table()
      return teams.map(team => ({
        ...team,
        score: standings.teams.get(team.team)?.score ?? team.score,
        wus: standings.teams.get(team.team)?.wus ?? team.wus,
      }))
    },
  }
}

export type Standings = ReturnType<typeof createStandings>
