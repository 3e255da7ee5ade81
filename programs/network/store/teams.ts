import type { Store } from './store.ts'

export type TeamForm = { name: string; url: string; logo: string }
/** `wus` and `score` are initial values, without the credits of this network. */
export type Team = TeamForm & { team: number; wus: number; score: number }

const COLUMNS = ['team', 'name', 'url', 'logo', 'wus', 'score'] as const

export function teamsFoundedBy(store: Store, account: number): Promise<Team[]> {
  return store.selectFrom('teams').select(COLUMNS).where('founder', '=', account).orderBy('team').execute()
}

export function allTeams(store: Store): Promise<Team[]> {
  return store.selectFrom('teams').select(COLUMNS).orderBy('team').execute()
}

export function teamById(store: Store, team: number): Promise<Team | undefined> {
  return store.selectFrom('teams').select(COLUMNS).where('team', '=', team).executeTakeFirst()
}

export async function addTeam(store: Store, founder: number | null, team: Team): Promise<void> {
  await store
    .insertInto('teams')
    .values({ ...team, founder })
    .onConflict(conflict => conflict.column('team').doNothing())
    .execute()
}

/** The new team's number, or undefined if the name is taken, in any case. */
export async function foundTeam(store: Store, founder: number, form: TeamForm): Promise<number | undefined> {
  if (await isNameTaken(store, form.name)) return undefined
  const { team } = await store
    .insertInto('teams')
    .values({ ...form, founder, wus: 0, score: 0 })
    .returning('team')
    .executeTakeFirstOrThrow()
  return team
}

export async function editTeam(
  store: Store,
  founder: number,
  team: number,
  form: Partial<TeamForm>,
): Promise<'edited' | 'unknown' | 'taken'> {
  const found = await store
    .selectFrom('teams')
    .select('team')
    .where('team', '=', team)
    .where('founder', '=', founder)
    .executeTakeFirst()
  if (found === undefined) return 'unknown'
  if (form.name !== undefined && (await isNameTaken(store, form.name, team))) return 'taken'
  if (Object.keys(form).length > 0) await store.updateTable('teams').set(form).where('team', '=', team).execute()
  return 'edited'
}

export async function deleteTeam(store: Store, founder: number, team: number): Promise<void> {
  await store.deleteFrom('teams').where('team', '=', team).where('founder', '=', founder).execute()
}

async function isNameTaken(store: Store, name: string, except = -1): Promise<boolean> {
  const wanted = name.toLowerCase()
  const others = await store.selectFrom('teams').select('name').where('team', '!=', except).execute()
  return others.some(other => other.name.toLowerCase() === wanted)
}
