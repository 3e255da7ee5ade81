import { createHash } from 'node:crypto'

/** A sequence of random decisions about one subject. */
export type Chance = {
  /** From 0 to 1, without 1. */
  readonly roll: () => number
  readonly between: (low: number, high: number) => number
  /** A whole number, with both ends. */
  readonly whole: (low: number, high: number) => number
  readonly isTrue: (share: number) => boolean
  /** Undefined for an empty list. */
  readonly oneOf: <T>(list: readonly T[]) => T | undefined
  readonly fill: (bytes: Uint8Array) => void
}

/** sfc32, by Chris Doty-Humphrey: small, fast, and passes PractRand. */
function sfc32(state: Uint32Array): () => number {
  let [a = 0, b = 0, c = 0, d = 0] = state
  return () => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
}

/**
 * All randomness of a world. Each subject has a sequence of its own, which depends on the seed and its name alone, so that
 * what is added, left out or done in another order elsewhere does not change it.
 */
export function createChances(seed: number) {
  return (...subject: readonly (string | number)[]): Chance => {
    const hash = createHash('sha256')
      .update([seed, ...subject].join('\n'))
      .digest()
    const next = sfc32(Uint32Array.from({ length: 4 }, (_, at) => hash.readUInt32LE(4 * at)))
    const roll = (): number => next() / 0x1_0000_0000
    const whole = (low: number, high: number): number => low + Math.floor(roll() * (high - low + 1))
    return {
      roll,
      between: (low, high) => low + roll() * (high - low),
      whole,
      isTrue: share => roll() < share,
      oneOf: list => list[whole(0, list.length - 1)],
      fill: bytes => {
        for (let at = 0; at < bytes.length; at++) bytes[at] = next() & 0xff
      },
    }
  }
}

/** A random UUID, version 4. */
export function uuidBy({ fill }: Pick<Chance, 'fill'>): string {
  const bytes = Buffer.alloc(16)
  fill(bytes)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export type Chances = ReturnType<typeof createChances>
