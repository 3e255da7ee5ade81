import { isoTime } from '../clients/time-text.ts'
import { chance, chanceBetween, pick } from '../clients/random.ts'
import type { Credit, UnitNumbers } from '../store/credits.ts'
import { createPopulation } from './population.ts'

const SHARE = 0.35
const HOUR_MS = 3_600_000

/** Adds to some units the expired credit of another donor, who had the unit before and did not return it. */
export function withExpiredCredits(
  seed: number,
  { project, run, clone, gen }: UnitNumbers,
  credits: readonly Credit[],
): Credit[] {
  const [first] = credits
  const key = [project, run, clone, gen]
  if (first === undefined || chance(seed, 'shared', ...key) >= SHARE) return [...credits]
  const { name, team } = pick(createPopulation(seed).members.slice(1), seed, 'who', ...key)
  const assigned = Date.parse(first.assign_time)
  const other: Credit = {
    code: 'Expired',
    user: name,
    team,
    credit: 0,
    assign_time: isoTime(assigned - chanceBetween(50, 80, seed, 'given', ...key) * HOUR_MS),
    credit_time: isoTime(assigned - chanceBetween(0.1, 2, seed, 'late', ...key) * HOUR_MS),
  }
  return [other, ...credits]
}
