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

export type SlotOptions = {
  store: Store
  /** Number of clients of the account, without the local client. */
  count: number
  bits: number
  nameOf: (slot: number) => string
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

/**
 * Calls `onSlot` for the stored slots at once, then for new ones as their keys are generated, a few in parallel. Keys
 * are stored in batches.
 */
export async function fillSlots(
  options: SlotOptions,
  onSlot: (slot: Slot) => void,
  isStopped: () => boolean,
): Promise<void> {
  const { store, count, bits, nameOf, token } = options
  const rows = await simulatedClients(store, count)
  for (const [index, row] of rows.entries()) {
    if (isStopped()) return
    onSlot(slotOf(row))
    if (index % SLOTS_PER_TURN === SLOTS_PER_TURN - 1) await setImmediate()
  }

  const usedSlots = new Set(rows.map(row => row.slot))
  const missing = [LOCAL_SLOT, ...Array.from({ length: count }, (_, slot) => slot)].filter(slot => !usedSlots.has(slot))
  const inParallel = createConcurrencyLimit(Math.max(1, Math.min(4, cpus().length)))

  const make = async (slot: number): Promise<Slot | undefined> => {
    if (isStopped()) return undefined
    return {
      slot,
      key: await generateRsaKey(bits),
      name: nameOf(slot),
      token: slot === LOCAL_SLOT ? '' : token,
      state: undefined,
    }
  }

  for (let at = 0; at < missing.length && !isStopped(); at += BATCH_SIZE) {
    const batch = missing.slice(at, at + BATCH_SIZE)
    const newSlots = (await Promise.all(batch.map(slot => inParallel(() => make(slot))))).filter(
      slot => slot !== undefined,
    )
    if (isStopped()) return
    await addSimulatedClients(
      store,
      newSlots.map(({ slot, key, name, token: slotToken }) => ({
        slot,
        name,
        token: slotToken,
        machine_id: key.id,
        public_key: key.publicKey,
        private_key: key.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      })),
    )
    for (const slot of newSlots) onSlot(slot)
  }
}
