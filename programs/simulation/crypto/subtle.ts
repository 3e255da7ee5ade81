import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  KeyObject,
  pbkdf2Sync,
  privateDecrypt,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import { uuidBy, type Chance } from '../time/chance.ts'
import { encryptOaep, rsaPairOf } from './rsa.ts'

type Bytes = ArrayBuffer | ArrayBufferView

type Parameters = {
  readonly name: string
  readonly iv: Bytes
  readonly additionalData: Bytes
  readonly tagLength: number
  readonly salt: Bytes
  readonly iterations: number
  readonly hash: string | { readonly name: string }
  readonly length: number
  readonly modulusLength: number
}
/** An algorithm as WebCrypto takes it: a name, or a name with parameters. */
type Algorithm = string | (Partial<Parameters> & { readonly name: string })

function bytesOf(data: Bytes): Buffer {
  return data instanceof ArrayBuffer ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

/** A copy in a buffer of its own, as WebCrypto returns it. */
function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}

function nameOf(algorithm: Algorithm): string {
  return (typeof algorithm === 'string' ? algorithm : algorithm.name).toUpperCase()
}

function parametersOf(algorithm: Algorithm): Partial<Parameters> {
  return typeof algorithm === 'string' ? {} : algorithm
}

function hashOf(algorithm: Algorithm): string {
  const { hash } = parametersOf(algorithm)
  return (typeof hash === 'string' ? hash : (hash?.name ?? '')).replace('-', '').toLowerCase()
}

function hashOfKey(key: CryptoKey): string {
  return 'hash' in key.algorithm ? hashOf(key.algorithm as Algorithm & object) : ''
}

function failed(): DOMException {
  return new DOMException('The operation failed', 'OperationError')
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('A parameter of the algorithm is missing.')
  return value
}

const TAG_BYTES = 16

function seal(algorithm: Algorithm, key: CryptoKey, data: Bytes, chance: Chance): Buffer {
  const { iv, additionalData } = parametersOf(algorithm)
  const secret = KeyObject.from(key)
  const bits = (secret.symmetricKeySize ?? 0) * 8
  switch (nameOf(algorithm)) {
    case 'AES-CBC': {
      const cipher = createCipheriv(`aes-${bits}-cbc`, secret, bytesOf(required(iv)))
      return Buffer.concat([cipher.update(bytesOf(data)), cipher.final()])
    }
    case 'AES-GCM': {
      const cipher = createCipheriv(`aes-${bits}-gcm` as 'aes-256-gcm', secret, bytesOf(required(iv)))
      if (additionalData !== undefined) cipher.setAAD(bytesOf(additionalData))
      return Buffer.concat([cipher.update(bytesOf(data)), cipher.final(), cipher.getAuthTag()])
    }
    case 'RSA-OAEP':
      return encryptOaep(secret, bytesOf(data), chance)
    default:
      throw new DOMException(`${nameOf(algorithm)} is not simulated`, 'NotSupportedError')
  }
}

function open(algorithm: Algorithm, key: CryptoKey, data: Bytes): Buffer {
  const { iv, additionalData } = parametersOf(algorithm)
  const secret = KeyObject.from(key)
  const bits = (secret.symmetricKeySize ?? 0) * 8
  const bytes = bytesOf(data)
  switch (nameOf(algorithm)) {
    case 'AES-CBC': {
      const cipher = createDecipheriv(`aes-${bits}-cbc`, secret, bytesOf(required(iv)))
      return Buffer.concat([cipher.update(bytes), cipher.final()])
    }
    case 'AES-GCM': {
      const cipher = createDecipheriv(`aes-${bits}-gcm` as 'aes-256-gcm', secret, bytesOf(required(iv)))
      if (additionalData !== undefined) cipher.setAAD(bytesOf(additionalData))
      cipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([cipher.update(bytes.subarray(0, -TAG_BYTES)), cipher.final()])
    }
    case 'RSA-OAEP':
      return privateDecrypt({ key: secret, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: hashOfKey(key) }, bytes)
    default:
      throw new DOMException(`${nameOf(algorithm)} is not simulated`, 'NotSupportedError')
  }
}

function allow(key: CryptoKey, algorithm: Algorithm, usage: KeyUsage): void {
  if (!key.usages.includes(usage) || key.algorithm.name.toUpperCase() !== nameOf(algorithm))
    throw new DOMException(`The key may not ${usage} with ${nameOf(algorithm)}`, 'InvalidAccessError')
}

function signed(algorithm: Algorithm, key: CryptoKey, data: Bytes): Buffer {
  const secret = KeyObject.from(key)
  return nameOf(algorithm) === 'HMAC'
    ? createHmac(hashOfKey(key), secret).update(bytesOf(data)).digest()
    : sign(hashOfKey(key), bytesOf(data), secret)
}

function fits(algorithm: Algorithm, key: CryptoKey, signature: Bytes, data: Bytes): boolean {
  if (nameOf(algorithm) !== 'HMAC')
    return verify(hashOfKey(key), bytesOf(data), KeyObject.from(key), bytesOf(signature))
  const expected = createHmac(hashOfKey(key), KeyObject.from(key)).update(bytesOf(data)).digest()
  return expected.length === signature.byteLength && timingSafeEqual(expected, bytesOf(signature))
}

/** What is derived from a password depends on its input alone, and takes 30 ms. */
const derived = new Map<string, ArrayBuffer>()

function derive(algorithm: Algorithm, key: CryptoKey, bits: number): ArrayBuffer {
  const { salt, iterations } = parametersOf(algorithm)
  const password = KeyObject.from(key).export()
  const asked = [password.toString('hex'), bytesOf(required(salt)).toString('hex'), iterations, hashOf(algorithm), bits]
  const found =
    derived.get(asked.join()) ??
    bufferOf(pbkdf2Sync(password, bytesOf(required(salt)), required(iterations), bits / 8, hashOf(algorithm)))
  derived.set(asked.join(), found)
  return found.slice(0)
}

function exported(format: string, key: CryptoKey): ArrayBuffer | JsonWebKey {
  if (!key.extractable) throw new DOMException('The key is not extractable', 'InvalidAccessError')
  const object = KeyObject.from(key)
  if (format === 'jwk') return object.export({ format: 'jwk' })
  if (format === 'raw') return bufferOf(object.export())
  return bufferOf(object.export({ format: 'der', type: format === 'pkcs8' ? 'pkcs8' : 'spki' }))
}

/**
 * WebCrypto without threads: Node's synchronous functions, so that results come in the order in which they were asked for.
 * The keys are WebCrypto's own. `real` imports keys, which takes no thread either.
 */
export function createSubtle(real: SubtleCrypto, chance: Chance) {
  const settle = async <T>(work: () => T): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof DOMException || error instanceof TypeError ? error : failed()
    }
  }

  const generateRsa = async (
    algorithm: RsaHashedImportParams & { readonly modulusLength: number },
    isExtractable: boolean,
    usages: readonly KeyUsage[],
  ): Promise<CryptoKeyPair> => {
    const { publicKey, privateKey } = rsaPairOf(algorithm.modulusLength, chance)
    const isPublic = (usage: KeyUsage): boolean => usage === 'verify' || usage === 'encrypt' || usage === 'wrapKey'
    return {
      privateKey: await real.importKey(
        'pkcs8',
        bufferOf(privateKey.export({ format: 'der', type: 'pkcs8' })),
        algorithm,
        isExtractable,
        usages.filter(usage => !isPublic(usage)),
      ),
      publicKey: await real.importKey(
        'spki',
        bufferOf(publicKey.export({ format: 'der', type: 'spki' })),
        algorithm,
        true,
        usages.filter(isPublic),
      ),
    }
  }

  return {
    digest: (algorithm: Algorithm, data: Bytes) =>
      settle(() =>
        bufferOf(createHash(nameOf(algorithm).replace('-', '').toLowerCase()).update(bytesOf(data)).digest()),
      ),
    encrypt: (algorithm: Algorithm, key: CryptoKey, data: Bytes) =>
      settle(() => {
        allow(key, algorithm, 'encrypt')
        return bufferOf(seal(algorithm, key, data, chance))
      }),
    decrypt: (algorithm: Algorithm, key: CryptoKey, data: Bytes) =>
      settle(() => {
        allow(key, algorithm, 'decrypt')
        return bufferOf(open(algorithm, key, data))
      }),
    sign: (algorithm: Algorithm, key: CryptoKey, data: Bytes) =>
      settle(() => {
        allow(key, algorithm, 'sign')
        return bufferOf(signed(algorithm, key, data))
      }),
    verify: (algorithm: Algorithm, key: CryptoKey, signature: Bytes, data: Bytes) =>
      settle(() => {
        allow(key, algorithm, 'verify')
        return fits(algorithm, key, signature, data)
      }),
    deriveBits: (algorithm: Algorithm, key: CryptoKey, bits: number) => settle(() => derive(algorithm, key, bits)),
    exportKey: (format: string, key: CryptoKey) => settle(() => exported(format, key)),
    importKey: real.importKey.bind(real),
    generateKey: (
      algorithm: RsaHashedImportParams & { readonly modulusLength: number; readonly length: number },
      isExtractable: boolean,
      usages: readonly KeyUsage[],
    ): Promise<CryptoKey | CryptoKeyPair> => {
      if (nameOf(algorithm).startsWith('RSA')) return generateRsa(algorithm, isExtractable, usages)
      const bytes = new Uint8Array(algorithm.length / 8)
      chance.fill(bytes)
      return real.importKey('raw', bytes, algorithm, isExtractable, [...usages])
    },
  }
}

/** `crypto` of a realm. */
export function createCrypto(real: Crypto, chance: Chance) {
  return {
    subtle: createSubtle(real.subtle, chance),
    randomUUID: () => uuidBy(chance),
    getRandomValues: <Values extends ArrayBufferView>(values: Values): Values => {
      chance.fill(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
      return values
    },
  }
}
