import type { Account } from './accounts.ts'
import type { Store } from './store.ts'

export type LinkedMachine = { id: string; name: string }

export const machinesOf = (store: Store, account: number): Promise<LinkedMachine[]> =>
  store
    .selectFrom('machines')
    .select(['id', 'name'])
    .where('account', '=', account)
    .orderBy('name')
    .orderBy('id')
    .execute()

/** Links a client, or changes its link to another account or name. */
export const linkMachine = async (
  store: Store,
  machine: { id: string; account: number; name: string; pubkey: string },
): Promise<void> => {
  const { id, ...rest } = machine
  await store
    .insertInto('machines')
    .values({ id, ...rest, linked: new Date().toISOString() })
    .onConflict(conflict => conflict.column('id').doUpdateSet(rest))
    .execute()
}

export const renameMachine = async (store: Store, account: number, id: string, name: string): Promise<boolean> => {
  const result = await store
    .updateTable('machines')
    .set({ name })
    .where('id', '=', id)
    .where('account', '=', account)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export const unlinkMachine = async (store: Store, account: number, id: string): Promise<boolean> => {
  const result = await store
    .deleteFrom('machines')
    .where('id', '=', id)
    .where('account', '=', account)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** For tests: no account has machines any more. */
export const unlinkAllMachines = async (store: Store): Promise<void> => {
  await store.deleteFrom('machines').execute()
}

export const machineWithAccount = async (
  store: Store,
  id: string,
): Promise<{ name: string; account: Account } | undefined> => {
  const machine = await store.selectFrom('machines').selectAll().where('id', '=', id).executeTakeFirst()
  if (machine === undefined) return undefined
  const account = await store.selectFrom('accounts').selectAll().where('id', '=', machine.account).executeTakeFirst()
  return account && { name: machine.name, account }
}
