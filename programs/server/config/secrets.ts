import { isRecord } from '../../../src/folding/shared/read.ts'
import { statSync } from 'node:fs'
import { channelKinds } from '../alerts/channels/channel-kinds.ts'

/** Settings whose values are secrets: a password, a token, or an address that has one. Hashes are none. */
const SECRET_KEYS: Readonly<Record<string, readonly string[]>> = {
  cluster: ['secret'],
  mqtt: ['password'],
  store: ['url'],
}
const OF_OTHERS = 0o077

function isSecret(key: string, value: unknown): boolean {
  if (typeof value !== 'string' || value === '') return false
  // That of a database has one only with a password.
  return key !== 'store.url' || (URL.canParse(value) && new URL(value).password !== '')
}

/** The paths of the secrets in the settings of a file. */
export function secretsOf(table: Readonly<Record<string, unknown>>): readonly Path[] {
  const found: Path[] = []
  for (const [section, keys] of Object.entries(SECRET_KEYS)) {
    const content = table[section]
    if (isRecord(content))
      for (const key of keys) if (isSecret(`${section}.${key}`, content[key])) found.push([section, key])
  }
  const { channels } = table
  if (Array.isArray(channels))
    (channels as readonly unknown[]).forEach((channel, at) => {
      if (!isRecord(channel)) return
      for (const key of channelKinds.find(({ kind }) => kind === channel['kind'])?.secrets ?? [])
        if (isSecret(`channels.${key}`, channel[key])) found.push(['channels', at, key])
    })
  return found
}

/** What to say of the secrets in a file that other users of this computer can read. */
export function readableSecrets(
  path: string,
  secrets: readonly { readonly where: string; readonly name: string }[],
): readonly string[] {
  // Windows has no such permissions.
  if (process.platform === 'win32' || secrets.length === 0 || (statSync(path).mode & OF_OTHERS) === 0) return []
  return secrets.map(
    ({ where, name }) => `${where}: ${name} is a secret, and others can read the file. Forbid that: chmod 600 ${path}`,
  )
}
export type Path = readonly (string | number)[]
