import { createPrivateKey } from 'node:crypto'
import { cpus } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { createGate } from '../../src/protocol/concurrency-limit.ts'
import { parseMessage } from '../../src/protocol/json.ts'
import type { Json } from '../../src/protocol/json.ts'
import { generateRsaKey } from '../keys.ts'
import type { RsaKey } from '../keys.ts'
import { addSimulatedClients, simulatedClients } from '../store/clients.ts'
import type { SimulatedClientRow } from '../store/clients.ts'
import type { Store } from '../store/store.ts'

/** A place in the fleet: its number, its key, and what was stored of the client that sits there. */
export type Seat = {
  seat: number
  key: RsaKey
  name: string
  token: string
  state: Json | undefined
}

/** The client on this computer, which nobody has linked yet. The others are the demo account's, from 0 up. */
export const LOCAL_SEAT = -1

export type SeatOptions = {
  store: Store
  /** Machines of the account; the local client comes on top. */
  count: number
  bits: number
  nameOf: (seat: number) => string
  /** Told to machines that are new here, so that they link themselves. */
  token: string
}

const SAVE_EACH = 32
/** Stored seats that are taken before others have their turn: reading a key costs half a millisecond. */
const TAKE_AT_ONCE = 16

const readState = (text: string | null): Json | undefined => {
  if (text === null) return undefined
  const parsed = parseMessage(text)
  return parsed.ok ? parsed.value : undefined
}

const seatOf = (row: SimulatedClientRow): Seat => ({
  seat: row.seat,
  key: {
    privateKey: createPrivateKey({ key: Buffer.from(row.private_key, 'base64'), format: 'der', type: 'pkcs8' }),
    publicKey: row.public_key,
    id: row.machine_id,
  },
  name: row.name,
  token: row.token,
  state: readState(row.state),
})

/** Yields the stored seats at once and the new ones as their keys are made, a few in parallel; keys are stored in batches. */
export const fillSeats = async (
  options: SeatOptions,
  take: (seat: Seat) => void,
  isStopped: () => boolean,
): Promise<void> => {
  const { store, count, bits, nameOf, token } = options
  const rows = await simulatedClients(store, count)
  for (const [index, row] of rows.entries()) {
    if (isStopped()) return
    take(seatOf(row))
    if (index % TAKE_AT_ONCE === TAKE_AT_ONCE - 1) await setImmediate()
  }

  const taken = new Set(rows.map(row => row.seat))
  const missing = [LOCAL_SEAT, ...Array.from({ length: count }, (_, seat) => seat)].filter(seat => !taken.has(seat))
  const inParallel = createGate(Math.max(1, Math.min(4, cpus().length)))

  const make = async (seat: number): Promise<Seat | undefined> => {
    if (isStopped()) return undefined
    return {
      seat,
      key: await generateRsaKey(bits),
      name: nameOf(seat),
      token: seat === LOCAL_SEAT ? '' : token,
      state: undefined,
    }
  }

  for (let at = 0; at < missing.length && !isStopped(); at += SAVE_EACH) {
    const batch = missing.slice(at, at + SAVE_EACH)
    const made = (await Promise.all(batch.map(seat => inParallel(() => make(seat))))).filter(seat => seat !== undefined)
    if (isStopped()) return
    await addSimulatedClients(
      store,
      made.map(({ seat, key, name, token: told }) => ({
        seat,
        name,
        token: told,
        machine_id: key.id,
        public_key: key.publicKey,
        private_key: key.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      })),
    )
    for (const seat of made) take(seat)
  }
}
