import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { StartError } from '../../host/start-error.ts'
import { makeFolder } from '../../host/folder.ts'
import { decodeBase64 } from '../../../src/protocol/crypto/base64.ts'

/** What the server keeps of an account: never its passphrase, nor what was derived from it. */
export type EnrolledAccount = {
  /** SPKI, base64. */
  readonly publicKey: string
  /** PKCS#8, base64. */
  readonly privateKey: string
  /** Of the API: reads the list of clients until it ends. */
  readonly session: string
}

const ACCOUNT_FILE = 'account.json'
const KEY_BYTES = 32
const IV_BYTES = 12
const CIPHER = 'aes-256-gcm'
/** Others may neither read nor write. */
export const PRIVATE = 0o600
const OF_OTHERS = 0o077

export function accountPath(folder: string): string {
  return join(folder, ACCOUNT_FILE)
}
export function isEnrolled(folder: string): boolean {
  return existsSync(accountPath(folder))
}

const fileSchema = v.object({ version: v.literal(1), iv: v.string(), tag: v.string(), sealed: v.string() })
const contentSchema = v.object({ publicKey: v.string(), privateKey: v.string(), session: v.string() })

/** Refuses a secret that other users of this computer can read. */
export function refuseReadable(path: string): void {
  // Windows has no such permissions.
  if (process.platform !== 'win32' && (statSync(path).mode & OF_OTHERS) !== 0)
    throw new StartError(`${path} can be read by others. Forbid that: chmod 600 ${path}`)
}

export type KeySource = {
  /** FOLDBOARD_ACCOUNT_KEY. */
  readonly variable: string | undefined
  readonly file: string | undefined
  readonly folder: string
}

/**
 * The key that encrypts the account on disk: 32 bytes in base64, of the environment or a file. `mayMake`: a file that does
 * not exist is made. Throws a StartError when there is none, or when others can read it.
 */
export function readKey({ variable, file, folder }: KeySource, mayMake: boolean): Buffer {
  const path = file ?? join(folder, 'account.key')
  if (variable === undefined && !existsSync(path)) {
    if (!mayMake) throw new StartError(`The key of the account is missing: ${path}. Enroll again, or restore the file.`)
    makeFolder(folder)
    writeFileSync(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: PRIVATE, flag: 'wx' })
  }
  if (variable === undefined) refuseReadable(path)
  const where = variable === undefined ? path : 'FOLDBOARD_ACCOUNT_KEY'
  const bytes = decodeBase64((variable ?? readFileSync(path, 'utf8')).trim())
  if (bytes?.length !== KEY_BYTES)
    throw new StartError(`${where} must have ${KEY_BYTES} bytes in base64, such as \`openssl rand -base64 32\` prints.`)
  return Buffer.from(bytes)
}

/** Writes an account, encrypted. An earlier one is replaced at once. */
export function writeAccount(folder: string, key: Buffer, account: EnrolledAccount): void {
  makeFolder(folder)
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(account), 'utf8'), cipher.final()])
  const text = JSON.stringify({
    version: 1,
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    sealed: sealed.toString('base64'),
  })
  const path = accountPath(folder)
  writeFileSync(`${path}.new`, `${text}\n`, { mode: PRIVATE })
  chmodSync(`${path}.new`, PRIVATE)
  renameSync(`${path}.new`, path)
}

/** The enrolled account. Throws a StartError when it cannot be decrypted, or when others can read it. */
export function readAccount(folder: string, key: Buffer): EnrolledAccount {
  const path = accountPath(folder)
  refuseReadable(path)
  try {
    const { iv, tag, sealed } = v.parse(fileSchema, JSON.parse(readFileSync(path, 'utf8')))
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, 'base64'), { authTagLength: 16 })
    decipher.setAuthTag(Buffer.from(tag, 'base64'))
    const text = Buffer.concat([decipher.update(Buffer.from(sealed, 'base64')), decipher.final()]).toString('utf8')
    return v.parse(contentSchema, JSON.parse(text))
  } catch {
    throw new StartError(`${path} cannot be decrypted: the key is not the one it was enrolled with. Enroll again.`)
  }
}
