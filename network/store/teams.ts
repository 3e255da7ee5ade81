import type { Store } from './store.ts'

export type Team = { team: number; name: string; url: string; logo: string; wus: number; score: number }

export const teamsFoundedBy = (store: Store, account: number): Promise<Team[]> =>
  store.selectFrom('teams').select(['team', 'name', 'url', 'logo', 'wus', 'score']).where('founder', '=', account).orderBy('team').execute()

export const addTeam = async (store: Store, founder: number, team: Team): Promise<void> => {
  await store.insertInto('teams').values({ ...team, founder }).execute()
}
