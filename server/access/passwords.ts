import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { argon2id, argon2Verify } from 'hash-wasm'

/** Memory in KiB, passes and lanes: what OWASP recommends, so that a guess costs as much as a login. */
const COST = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 } as const

const LONGEST_PASSWORD = 1024

/** The hash of a password for the settings, in PHC format. */
export const hashPassword = (password: string): Promise<string> =>
  argon2id({ ...COST, password, salt: randomBytes(16), outputType: 'encoded' })

export type VerifyPassword = (password: string, hash: string | undefined) => Promise<boolean | 'busy'>

/**
 * Compares passwords, one after another, and `busy` when too many wait: what strangers can make this computer do is
 * limited. An unknown user (no hash) takes as long as a known one.
 */
export const createVerifier = (mostWaiting = 8): VerifyPassword => {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  let unusedHash: Promise<string> | undefined
  const compare = async (password: string, hash: string | undefined): Promise<boolean> => {
    unusedHash ??= hashPassword(randomBytes(16).toString('hex'))
    const isSame = await argon2Verify({ password, hash: hash ?? (await unusedHash) }).catch(() => false)
    return isSame && hash !== undefined
  }
  return async (password, hash) => {
    if (waiting >= mostWaiting) return 'busy'
    if (password === '' || password.length > LONGEST_PASSWORD) return false
    waiting++
    const result = last.then(() => compare(password, hash))
    last = result.catch(() => undefined)
    try {
      return await result
    } finally {
      waiting--
    }
  }
}

/** A new token or session id: 256 random bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** What is stored of a token or session: SHA-256 in hexadecimal. Secrets of 256 bits need no slow hash. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export const isSameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
