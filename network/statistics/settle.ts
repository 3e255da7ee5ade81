import { ensureDonors } from '../store/credits.ts'
import type { Store } from '../store/store.ts'
import { addTeam } from '../store/teams.ts'
import type { Population } from './population.ts'

/** Gives the people of the seed their numbers and their teams; who is there already stays. */
export const savePopulation = async (store: Store, { members, teams }: Population): Promise<void> => {
  await ensureDonors(
    store,
    members.map(({ name }) => name),
  )
  for (const team of teams) await addTeam(store, null, team)
}
