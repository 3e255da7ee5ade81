import type { Store } from './store.ts'

export const setting = async (store: Store, name: string): Promise<string | undefined> => {
  const row = await store.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

export const setSetting = async (store: Store, name: string, value: string): Promise<void> => {
  await store
    .insertInto('settings')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
