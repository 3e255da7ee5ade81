import * as real from 'node:crypto'
import { promisify } from 'node:util'
import { uuidBy, type Chance } from '../time/chance.ts'
import { encryptOaep, rsaPairOf, type RsaPair } from './rsa.ts'

type EncryptOptions = { readonly key: real.KeyObject; readonly padding: number; readonly oaepHash?: string }

function isOaep({ padding, oaepHash }: EncryptOptions): boolean {
  return padding === real.constants.RSA_PKCS1_OAEP_PADDING && oaepHash === 'sha256'
}

/** `node:crypto` of a realm: what is random comes from its chance, and nothing uses a thread. */
export function createNodeCrypto(chance: Chance) {
  const randomBytes = (size: number): Buffer => {
    const bytes = Buffer.alloc(size)
    chance.fill(bytes)
    return bytes
  }
  const pairOf = (type: string, bits: number): RsaPair => {
    if (type !== 'rsa') throw new Error(`Keys of the type ${type} are not simulated.`)
    return rsaPairOf(bits, chance)
  }
  const generateKeyPair = Object.assign(
    () => {
      throw new Error('Only the promise of generateKeyPair is simulated.')
    },
    {
      [promisify.custom]: (type: string, { modulusLength }: { readonly modulusLength: number }): Promise<RsaPair> =>
        Promise.resolve(pairOf(type, modulusLength)),
    },
  )
  return {
    ...real,
    randomBytes,
    randomInt: (limit: number): number => chance.whole(0, limit - 1),
    randomUUID: () => uuidBy(chance),
    generateKeyPair,
    generateKeyPairSync: (type: string, { modulusLength }: { readonly modulusLength: number }): RsaPair =>
      pairOf(type, modulusLength),
    publicEncrypt: (options: EncryptOptions, message: Uint8Array): Buffer => {
      if (!isOaep(options)) throw new Error('Only RSA-OAEP with SHA-256 is simulated.')
      return encryptOaep(options.key, message, chance)
    },
  }
}
