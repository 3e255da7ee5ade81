import type { Store } from './store.ts'

export type KeptBroadcast = { account: string; cmd: string; time: number; message: string }

export const keptBroadcasts = (store: Store): Promise<KeptBroadcast[]> =>
  store.selectFrom('broadcasts').select(['account_key as account', 'cmd', 'time', 'message']).execute()

export const keepBroadcast = async (store: Store, { account, cmd, time, message }: KeptBroadcast): Promise<void> => {
  await store
    .insertInto('broadcasts')
    .values({ account_key: account, cmd, time, message })
    .onConflict(conflict => conflict.columns(['account_key', 'cmd']).doUpdateSet({ time, message }))
    .execute()
}
