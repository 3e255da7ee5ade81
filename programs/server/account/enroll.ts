import { StartError } from '../../host/start-error.ts'
import type { Api } from '../../../src/actors/network/api.ts'
import { decodeAccount, decodeLogin, decodeSecret } from '../../../src/protocol/api/api.ts'
import type { ApiResult } from '../../../src/protocol/api/api-fault.ts'
import { encodeBase64 } from '../../../src/protocol/crypto/base64.ts'
import { deriveSecrets, unwrapSecret } from '../../../src/protocol/crypto/key-derivation.ts'
import { importAccountKeys, isKeyPair } from '../../../src/protocol/crypto/keys.ts'
import type { EnrolledAccount } from './account-file.ts'

export type Enrollment = { readonly account: EnrolledAccount; readonly machines: number }

/**
 * Signs in once with email and passphrase, and decrypts the account's private key. Throws a StartError with the reason;
 * email, passphrase and what is derived from them are not kept.
 */
export async function enroll(api: Api, email: string, passphrase: string): Promise<Enrollment> {
  const address = email.trim().toLowerCase()
  const derived = await deriveSecrets(address, passphrase)
  const login = answerOf(
    await api({ method: 'GET', path: '/login', data: { email: address, password: derived.password } }, decodeLogin),
  )
  if (login.id === undefined) throw new StartError('The API answered without a session.')
  const session = login.id
  const wrapped = answerOf(
    await api({ method: 'GET', path: '/account/secret', data: { password: derived.password }, session }, decodeSecret),
  )
  const account = answerOf(await api({ method: 'GET', path: '/account', session }, decodeAccount))
  const pkcs8 = await unwrapSecret(derived, wrapped)
  const { pubkey, machines: clients = [] } = account
  if (!pkcs8.ok || pubkey === undefined) throw new StartError('The key of the account cannot be decrypted.')
  if (!(await isKeyPair(await importAccountKeys(pkcs8.value, pubkey))))
    throw new StartError('The keys of the account do not belong together.')
  const privateKey = encodeBase64(pkcs8.value)
  pkcs8.value.fill(0)
  return { account: { publicKey: pubkey, privateKey, session }, machines: clients.length }
}

function answerOf<Value>(result: ApiResult<Value>): Value {
  if (result.ok) return result.value
  const { fault } = result
  if (fault.kind === 'refused' && fault.status === 401) throw new StartError('Email or passphrase is wrong.')
  if (fault.kind === 'refused' && fault.status === 429)
    throw new StartError('The API allows no more attempts for now. Try again later.')
  if (fault.kind === 'refused') throw new StartError(`The API answered with status ${fault.status}.`)
  throw new StartError('The API cannot be reached, or its answer cannot be read. Nothing was changed.')
}
