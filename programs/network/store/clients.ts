import type { Selectable } from 'kysely'
import type { SimulatedClientTable } from './schema.ts'
import type { Store } from './store.ts'

export type SimulatedClientRow = Selectable<SimulatedClientTable>

export function simulatedClients(store: Store, count: number): Promise<SimulatedClientRow[]> {
  return store.selectFrom('simulated_clients').selectAll().where('slot', '<', count).orderBy('slot').execute()
}

export async function addSimulatedClients(
  store: Store,
  rows: readonly Omit<SimulatedClientRow, 'state' | 'saved'>[],
): Promise<void> {
  if (rows.length === 0) return
  const saved = new Date().toISOString()
  await store
    .insertInto('simulated_clients')
    .values(rows.map(row => ({ ...row, state: null, saved })))
    .execute()
}

export type SavedState = { slot: number; name: string; token: string; state: string }

/** In one transaction, to write to the disk once. */
export async function saveSimulatedClients(store: Store, states: readonly SavedState[]): Promise<void> {
  if (states.length === 0) return
  const saved = new Date().toISOString()
  await store.transaction().execute(async transaction => {
    for (const { slot, ...rest } of states) {
      await transaction
        .updateTable('simulated_clients')
        .set({ ...rest, saved })
        .where('slot', '=', slot)
        .execute()
    }
  })
}

/** Deletes the clients' state, but not their keys, names and links. */
export async function clearStates(store: Store): Promise<void> {
  await store.updateTable('simulated_clients').set({ state: null }).execute()
}
