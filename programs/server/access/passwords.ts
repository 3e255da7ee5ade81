import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createTurns } from '../../../src/folding/shared/turns.ts'

/** Memory in KiB, passes and lanes: what OWASP recommends, so that a guess costs as much as a login. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const

/** Computes hashes on other threads. Loaded on demand: it is compiled for each system, and an installed package may lack it. */
export function loadArgon2() {
  return import('@node-rs/argon2')
}

const LONGEST_PASSWORD = 1024

/** The hash of a password for the settings, in PHC format. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await loadArgon2()
  return hash(password, COST)
}

/** Salt and hash have as many bytes as RFC 9106 demands at least. */
const LEAST_SALT = 8
const LEAST_HASH = 4
const MOST_LANES = 64
/** Memory in KiB times passes: a login takes that long, and others wait for it. */
export const MOST_COST = 40_960

/** Whether a text is a hash that passwords can be compared with: argon2id in PHC format. */
export function isPasswordHash(text: string): boolean {
  const parts =
    /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z\d+/]{1,100})\$([A-Za-z\d+/]{1,200})$/.exec(text)
  if (parts === null) return false
  const [memory = 0, passes = 0, lanes = 0] = parts.slice(1, 4).map(Number)
  const [salt = 0, hash = 0] = parts.slice(4).map(base64Bytes)
  const isWithin = memory * passes <= MOST_COST && passes >= 1 && lanes >= 1 && lanes <= MOST_LANES
  return isWithin && memory >= 8 * lanes && salt >= LEAST_SALT && hash >= LEAST_HASH
}

/** 0 for a length that base64 cannot have. */
function base64Bytes(text: string): number {
  return text.length % 4 === 1 ? 0 : Math.floor((text.length * 3) / 4)
}

/** `isKnown`: false for a hash that only takes the time of another one. */
export type VerifyPassword = (password: string, hash: string | undefined, isKnown: boolean) => Promise<boolean | 'busy'>

/**
 * Compares passwords, one after another, and `busy` when too many wait: what strangers can make this computer do is
 * limited.
 */
export function createVerifier(mostWaiting = 8): VerifyPassword {
  let waiting = 0
  const inTurn = createTurns()
  const compare = async (password: string, hash: string | undefined, isKnown: boolean): Promise<boolean> => {
    if (hash === undefined) return false
    const { verify } = await loadArgon2()
    const isSame = await verify(hash, password).catch(() => false)
    return isSame && isKnown
  }
  return async (password, hash, isKnown) => {
    if (waiting >= mostWaiting) return 'busy'
    if (password === '' || password.length > LONGEST_PASSWORD) return false
    waiting++
    try {
      return await inTurn(() => compare(password, hash, isKnown))
    } finally {
      waiting--
    }
  }
}

/** A new token or session id: 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a token or session: SHA-256 in hexadecimal. Secrets of 256 bits need no slow hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

export function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
