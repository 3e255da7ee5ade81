import type { Network } from '../programs/network/index.ts'
import { readConfig } from '../programs/server/config/read-config.ts'
import { QUICK_NETWORK } from './headless-app.ts'

export const SMALL = { ...QUICK_NETWORK, uniform: true } as const

/** Settings of a server with the account of a network, whose machines may be sent `commands`. */
export function configOf({ apiUrl }: Pick<Network, 'apiUrl'>, commands: readonly string[]) {
  const text = `[listen]\nport = 0\n[account]\napi-url = "${apiUrl}"\nplain-node = true\ntags = ["account"]\ncommands = ${JSON.stringify(commands)}\n`
  const read = readConfig({ file: { path: 'test.toml', text } })
  if (!read.ok) throw new Error(JSON.stringify(read.mistakes))
  return read.config
}

export const ALWAYS = {
  id: 'all',
  name: 'Always',
  isEnabled: true,
  targets: [{ kind: 'tag', name: 'account' }],
  timeZone: 'UTC',
  rules: [],
  finishMinutes: 0,
}

export type Listed = {
  readonly number: number
  readonly name: string
  readonly connected: boolean
  readonly units: number
}
