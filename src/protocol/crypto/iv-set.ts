/** The most IVs per key. */
export const MAX_IVS = 1_000_000

export const IV_BYTES = 16

export type IvSet = {
  readonly size: number
  /** `reused`: already in the set; `full`: new, but the limit is reached. */
  add(iv: Uint8Array): 'added' | 'reused' | 'full'
}

const FIRST_CAPACITY = 16

/**
 * The IVs used with one key, 8 bytes each: IVs are random, so their first 64 bits suffice (the probability of a collision
 * among a million is 3 in 100 million). A hash set with open addressing that doubles at a load of 3/4.
 */
export function createIvSet(limit = MAX_IVS): IvSet {
  let slots = new Uint32Array(2 * FIRST_CAPACITY)
  let size = 0

  const slotOf = (table: Uint32Array, high: number, low: number): number => {
    const capacity = table.length / 2
    let at = mix(high, low) & (capacity - 1)
    while (isTaken(table, at) && (table[2 * at] !== high || table[2 * at + 1] !== low)) at = (at + 1) & (capacity - 1)
    return at
  }

  const grow = () => {
    const next = new Uint32Array(slots.length * 2)
    for (let at = 0; at < slots.length / 2; at++) {
      if (isTaken(slots, at)) put(next, slots[2 * at] ?? 0, slots[2 * at + 1] ?? 0)
    }
    slots = next
  }

  const put = (table: Uint32Array, high: number, low: number) => {
    const at = slotOf(table, high, low)
    table[2 * at] = high
    table[2 * at + 1] = low
  }

  return {
    get size() {
      return size
    },
    add(iv) {
      // Two zero words mark a free slot; such an IV is stored with the low word 1.
      const high = wordOf(iv, 0)
      const low = wordOf(iv, 4) || (high === 0 ? 1 : 0)
      if (isTaken(slots, slotOf(slots, high, low))) return 'reused'
      if (size >= limit) return 'full'
      if ((size + 1) * 8 > slots.length * 3) grow()
      put(slots, high, low)
      size++
      return 'added'
    },
  }
}

function isTaken(table: Uint32Array, at: number) {
  return table[2 * at] !== 0 || table[2 * at + 1] !== 0
}

function wordOf(iv: Uint8Array, at: number): number {
  return (((iv[at] ?? 0) << 24) | ((iv[at + 1] ?? 0) << 16) | ((iv[at + 2] ?? 0) << 8) | (iv[at + 3] ?? 0)) >>> 0
}

function mix(high: number, low: number): number {
  const mixed = Math.imul(high ^ (low >>> 15), 0x9e3779b1) ^ Math.imul(low, 0x85ebca6b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
