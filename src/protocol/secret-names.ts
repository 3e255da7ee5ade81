import { isJsonList, isJsonObject, type Json } from './json.ts'

/** Whatever goes by one of these names, on the wire or in an event, is never written down. */
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

/** The same document without what goes by such a name. */
export const withoutSecrets = (json: Json): Json => {
  if (isJsonList(json)) return json.map(withoutSecrets)
  if (!isJsonObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => (SECRET_NAMES.has(name) ? [] : [[name, withoutSecrets(value)]])),
  )
}
