import type { Store } from './store.ts'

export type BroadcastRow = { account: string; cmd: string; time: number; message: string }

/** Broadcasts of existing accounts; others are deleted. */
export async function storedBroadcasts(store: Store): Promise<BroadcastRow[]> {
  await store
    .deleteFrom('broadcasts')
    .where('account_key', 'not in', store.selectFrom('accounts').select('key_id'))
    .execute()
  return store.selectFrom('broadcasts').select(['account_key as account', 'cmd', 'time', 'message']).execute()
}

export async function saveBroadcast(store: Store, { account, cmd, time, message }: BroadcastRow): Promise<void> {
  await store
    .insertInto('broadcasts')
    .values({ account_key: account, cmd, time, message })
    .onConflict(conflict => conflict.columns(['account_key', 'cmd']).doUpdateSet({ time, message }))
    .execute()
}
