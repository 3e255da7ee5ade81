import { isJsonList, isJsonObject, type Json } from './json.ts'

/** Names of secrets, on the wire and in events. Their values are never recorded or shown. */
export const SECRET_NAMES: ReadonlySet<string> = new Set([
  'secrets',
  'secret',
  'passkey',
  'passphrase',
  'passphraseAgain',
  'password',
  'token',
  'session',
  'sid',
  'authorization',
  'account-token',
  'account_token',
  'accountToken',
  'privateKey',
  'private_key',
])

/** The document without secrets. */
export function withoutSecrets(json: Json): Json {
  if (isJsonList(json)) return json.map(withoutSecrets)
  if (!isJsonObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => (SECRET_NAMES.has(name) ? [] : [[name, withoutSecrets(value)]])),
  )
}
