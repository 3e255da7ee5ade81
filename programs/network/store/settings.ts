import type { Store } from './store.ts'

export async function setting(store: Store, name: string): Promise<string | undefined> {
  const row = await store.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

export async function setSetting(store: Store, name: string, value: string): Promise<void> {
  await store
    .insertInto('settings')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
