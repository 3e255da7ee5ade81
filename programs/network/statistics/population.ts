import { chance, chanceBetween, pick } from '../clients/random.ts'
import { ensureDonors } from '../store/credits.ts'
import type { Store } from '../store/store.ts'
import { addTeam } from '../store/teams.ts'
import type { ScoreCurve } from './score-curve.ts'

export type Member = { name: string; team: number; curve: ScoreCurve; active7: number; active50: number }
export type SeedTeam = { team: number; name: string; url: string; logo: string; wus: number; score: number }

/** The donors and teams of the seed, besides the clients of this network. */
export type Population = {
  members: readonly Member[]
  teams: readonly SeedTeam[]
  /** Points of a team's other members together, by team. */
  unnamedMembers: ReadonlyMap<number, ScoreCurve>
}

export const DEMO_TEAM = 4_242
export const DEMO_EMPTY_TEAM = 4_243
export const DEMO_USER = 'Demo_Donor'

const DEMO_START = Date.UTC(2025, 2, 14, 9)
const FIRST_START = Date.UTC(2021, 0, 1)
const YEARS = 5
const YEAR_MS = 365 * 24 * 3_600_000
const AVERAGE_UNIT = 96_000
const DONORS = 48

const TEAM_NAMES = [
  'Night Bakers',
  'Harbor Lights',
  'Physics Corridor B',
  'The Slow Cookers',
  'Attic Computing',
  'Lindenhof School',
  'Grandmothers of Silicon',
  'Tram 14',
  'Foldwater Alumni',
  'Quiet Fans',
] as const
const FIRST = [
  'Amber',
  'Bruno',
  'Cleo',
  'Dag',
  'Edda',
  'Farid',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Kaya',
  'Lev',
] as const
const LAST = ['folds', 'Lab', 'rig', 'Station', 'at home', '2000', 'Server', 'Ångström'] as const

function demoMember(seed: number): Member {
  return {
    name: DEMO_USER,
    team: DEMO_TEAM,
    active7: 0,
    active50: 0,
    curve: { seed, key: DEMO_USER, start: DEMO_START, rate: 58_000, perUnit: AVERAGE_UNIT },
  }
}

function otherMember(seed: number, index: number, teams: readonly number[]): Member {
  const first = pick(FIRST, seed, 'donor', index, 'first')
  const name = `${first} ${pick(LAST, seed, 'donor', index, 'last')} ${index + 1}`
  const rate = 10 ** chanceBetween(1.5, 6.2, seed, 'donor', index, 'rate')
  const active50 = Math.round(chanceBetween(1, 2 + Math.log10(rate) * 6, seed, 'donor', index, 'active'))
  return {
    name,
    team: chance(seed, 'donor', index, 'alone') < 0.2 ? 0 : pick(teams, seed, 'donor', index, 'team'),
    curve: {
      seed,
      key: name,
      start: FIRST_START + YEARS * YEAR_MS * chance(seed, 'donor', index, 'start'),
      rate,
      perUnit: AVERAGE_UNIT,
    },
    active7: Math.floor(active50 * chance(seed, 'donor', index, 'recent')),
    active50,
  }
}

function team(number: number, name: string): SeedTeam {
  return {
    team: number,
    name,
    url: `https://foldboard.example/teams/${number}`,
    logo: '',
    wus: 0,
    score: 0,
  }
}

/** The same seed gives the same population. */
export function createPopulation(seed: number): Population {
  const others = TEAM_NAMES.map((name, index) => team(101 + index * 37, name))
  const numbers = [DEMO_TEAM, ...others.map(({ team: number }) => number)]
  const unnamedMembers = others.map(({ team: number }): [number, ScoreCurve] => [
    number,
    {
      seed,
      key: `crowd of ${number}`,
      start: FIRST_START,
      rate: 10 ** chanceBetween(3, 7, seed, 'crowd', number),
      perUnit: AVERAGE_UNIT,
    },
  ])
  return {
    members: [demoMember(seed), ...Array.from({ length: DONORS }, (_, index) => otherMember(seed, index, numbers))],
    teams: others,
    unnamedMembers: new Map([
      ...unnamedMembers,
      [DEMO_TEAM, { seed, key: 'friends', start: DEMO_START, rate: 21_000, perUnit: AVERAGE_UNIT }],
    ]),
  }
}

/** Adds donors and teams to the store unless they exist. */
export async function savePopulation(store: Store, { members, teams }: Population): Promise<void> {
  await ensureDonors(
    store,
    members.map(({ name }) => name),
  )
  for (const team of teams) await addTeam(store, null, team)
}
