import type { Account } from './accounts.ts'
import type { Store } from './store.ts'

export type LinkedMachine = { id: string; name: string }

export function machinesOf(store: Store, account: number): Promise<LinkedMachine[]> {
  return store
    .selectFrom('machines')
    .select(['id', 'name'])
    .where('account', '=', account)
    .orderBy('name')
    .orderBy('id')
    .execute()
}

/** Links a client, or changes its link to another account or name. */
export async function linkMachine(
  store: Store,
  machine: { id: string; account: number; name: string; pubkey: string },
): Promise<void> {
  const { id, ...rest } = machine
  await store
    .insertInto('machines')
    .values({ id, ...rest, linked: new Date().toISOString() })
    .onConflict(conflict => conflict.column('id').doUpdateSet(rest))
    .execute()
}

export async function renameMachine(store: Store, account: number, id: string, name: string): Promise<boolean> {
  const result = await store
    .updateTable('machines')
    .set({ name })
    .where('id', '=', id)
    .where('account', '=', account)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function unlinkMachine(store: Store, account: number, id: string): Promise<boolean> {
  const result = await store
    .deleteFrom('machines')
    .where('id', '=', id)
    .where('account', '=', account)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** For tests: no account has machines any more. */
export async function unlinkAllMachines(store: Store): Promise<void> {
  await store.deleteFrom('machines').execute()
}

export async function machineWithAccount(
  store: Store,
  id: string,
): Promise<{ name: string; account: Account } | undefined> {
  const machine = await store.selectFrom('machines').selectAll().where('id', '=', id).executeTakeFirst()
  if (machine === undefined) return undefined
  const account = await store.selectFrom('accounts').selectAll().where('id', '=', machine.account).executeTakeFirst()
  return account && { name: machine.name, account }
}
