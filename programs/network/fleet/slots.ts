import { createPrivateKey } from 'node:crypto'
import { cpus } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { createConcurrencyLimit } from '../../../src/protocol/concurrency-limit.ts'
import { parseMessage, type Json } from '../../../src/protocol/json.ts'
import { generateRsaKey, type RsaKey } from '../keys.ts'
import { addSimulatedClients, simulatedClients, type SimulatedClientRow } from '../store/clients.ts'
import type { Store } from '../store/store.ts'

/** A slot of the fleet: its number, and the key and stored state of its client. */
export type Slot = {
  slot: number
  key: RsaKey
  name: string
  token: string
  state: Json | undefined
}

/** The slot of the local client, which is not linked at first. Slots from 0 belong to the demo account. */
export const LOCAL_SLOT = -1

/** What new slots are made of. */
export type Keys = {
  bits: number
  nameOf: (slot: number) => string
}

export type SlotOptions = Keys & {
  store: Store
  /** The slot of the local client. */
  local: Slot
  /** Number of clients of the account, without the local client. */
  count: number
  /** Account token with which new clients link themselves. */
  token: string
}

const BATCH_SIZE = 32
/** Stored slots that are read before yielding to other tasks: reading a key takes half a millisecond. */
const SLOTS_PER_TURN = 16

function readState(text: string | null): Json | undefined {
  if (text === null) return undefined
  const parsed = parseMessage(text)
  return parsed.ok ? parsed.value : undefined
}

function slotOf(row: SimulatedClientRow): Slot {
  return {
    slot: row.slot,
    key: {
      privateKey: createPrivateKey({ key: Buffer.from(row.private_key, 'base64'), format: 'der', type: 'pkcs8' }),
      publicKey: row.public_key,
      id: row.machine_id,
    },
    name: row.name,
    token: row.token,
    state: readState(row.state),
  }
}

async function addSlots(store: Store, slots: readonly Slot[]): Promise<void> {
  await addSimulatedClients(
    store,
    slots.map(({ slot, key, name, token }) => ({
      slot,
      name,
      token,
      machine_id: key.id,
      public_key: key.publicKey,
      private_key: key.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    })),
  )
}

async function makeSlot({ bits, nameOf }: Keys, slot: number, token: string): Promise<Slot> {
  return { slot, key: await generateRsaKey(bits), name: nameOf(slot), token, state: undefined }
}

/** The slot of the local client: the stored one, or a new one. */
export async function localSlot(store: Store | undefined, keys: Keys): Promise<Slot> {
  const [row] = store === undefined ? [] : await simulatedClients(store, LOCAL_SLOT + 1)
  return row === undefined ? makeSlot(keys, LOCAL_SLOT, '') : slotOf(row)
}

/**
 * Stores the local slot if it is new. Calls `onSlot` for the stored slots of the account at once, then for new ones as their keys are generated, a few in parallel.
 * Keys are stored in batches.
 */
export async function fillSlots(
  options: SlotOptions,
  onSlot: (slot: Slot) => void,
  isStopped: () => boolean,
): Promise<void> {
  const { store, local, count, token } = options
  const stored = await simulatedClients(store, count)
  const rows = stored.filter(({ slot }) => slot !== LOCAL_SLOT)
  if (rows.length === stored.length) await addSlots(store, [local])
  for (const [index, row] of rows.entries()) {
    if (isStopped()) return
    onSlot(slotOf(row))
    if (index % SLOTS_PER_TURN === SLOTS_PER_TURN - 1) await setImmediate()
  }

  const usedSlots = new Set(rows.map(row => row.slot))
  const missing = Array.from({ length: count }, (_, slot) => slot).filter(slot => !usedSlots.has(slot))
  const inParallel = createConcurrencyLimit(Math.max(1, Math.min(4, cpus().length)))
  for (let at = 0; at < missing.length && !isStopped(); at += BATCH_SIZE) {
    const batch = missing.slice(at, at + BATCH_SIZE)
    const made = await Promise.all(
      batch.map(slot => inParallel(async () => (isStopped() ? undefined : makeSlot(options, slot, token)))),
    )
    if (isStopped()) return
    const slots = made.filter(slot => slot !== undefined)
    await addSlots(store, slots)
    for (const slot of slots) onSlot(slot)
  }
}
