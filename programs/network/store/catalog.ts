import type { Selectable } from 'kysely'
import type { ProjectTable } from './schema.ts'
import type { Store } from './store.ts'

export type Project = Selectable<ProjectTable>

/** In the order of the API: the first is 'unspecified'. */
export async function causes(store: Store): Promise<string[]> {
  const rows = await store.selectFrom('causes').select('name').orderBy('position').execute()
  return rows.map(row => row.name)
}

export function projectById(store: Store, id: number): Promise<Project | undefined> {
  return store.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Adds or updates the causes and projects of this version; deletes none. */
export async function seedCatalog(
  store: Store,
  catalog: { causes: readonly string[]; projects: readonly Project[] },
): Promise<void> {
  await store.transaction().execute(async transaction => {
    for (const [position, name] of catalog.causes.entries()) {
      await transaction
        .insertInto('causes')
        .values({ position, name })
        .onConflict(conflict => conflict.column('position').doUpdateSet({ name }))
        .execute()
    }
    for (const { id, ...rest } of catalog.projects) {
      await transaction
        .insertInto('projects')
        .values({ id, ...rest })
        .onConflict(conflict => conflict.column('id').doUpdateSet(rest))
        .execute()
    }
  })
}
