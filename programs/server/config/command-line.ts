import { parseArgs } from 'node:util'
import { SCOPES, type Scope } from './schema.ts'
import type { CommandLineSettings } from './read-config.ts'

/** What the command line asks for. */
export type CommandLine =
  | {
      readonly kind: 'start'
      readonly config: string | undefined
      readonly settings: CommandLineSettings
      readonly demo: boolean
    }
  | {
      readonly kind: 'check'
      readonly config: string | undefined
      readonly settings: CommandLineSettings
      readonly demo: boolean
    }
  | {
      readonly kind: 'backup' | 'restore'
      readonly file: string
      readonly config: string | undefined
      readonly settings: CommandLineSettings
    }
  | { readonly kind: 'enroll'; readonly config: string | undefined; readonly settings: CommandLineSettings }
  | { readonly kind: 'new-token'; readonly name: string; readonly scopes: readonly Scope[]; readonly days: number }
  | { readonly kind: 'hash-password' | 'schema' | 'help' }
  | { readonly kind: 'wrong'; readonly message: string }

export const USAGE = `npm run server -- [command] [options]

  (no command)               starts the server
  hash-password              reads a password, prints its hash for [[users]]
  enroll                     asks for email and passphrase of an account once, and keeps its key, encrypted
  new-token NAME [SCOPE …]   prints a token, and its entry for [[tokens]]; scopes: ${SCOPES.join(', ')}
  backup FILE                writes a copy of the database; the server may run
  restore FILE               replaces the database by such a copy; the server must not run

  --config FILE              the file of settings (TOML); default: foldboard-server.toml, if it exists
  --check-config             checks the settings and ends
  --schema                   prints the JSON schema of the settings
  --client HOST[:PORT]       a client to connect to; repeat it for several
  --allow COMMAND,…          commands that may be sent to these clients: state, config, dump, link, restart
  --listen ADDRESS           IP address to listen at (127.0.0.1)
  --port N                   port (7400)
  --data DIR                 folder of the database (.foldboard/server)
  --demo                     starts the embedded network too, and connects to its simulated client
  --days N                   of new-token: days until it expires (365)
  --help                     this text

Environment variables set what the file can: FOLDBOARD_LISTEN_PORT is port of [listen], and so on for [proxy], [store]
and [log]; FOLDBOARD_CONFIG names the file; FOLDBOARD_CLIENTS and FOLDBOARD_COMMANDS are lists with commas. See
docs/server.md.
`

/** What the words of the command line ask for. Never throws. */
export function readCommandLine(words: readonly string[]): CommandLine {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        config: { type: 'string' },
        'check-config': { type: 'boolean' },
        schema: { type: 'boolean' },
        client: { type: 'string', multiple: true },
        allow: { type: 'string' },
        listen: { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string' },
        demo: { type: 'boolean' },
        days: { type: 'string' },
        help: { type: 'boolean' },
      },
    })
    if (values.help === true) return { kind: 'help' }
    if (values.schema === true) return { kind: 'schema' }
    const settings: CommandLineSettings = {
      listen: {
        ...(values.listen === undefined ? {} : { address: values.listen }),
        ...(values.port === undefined ? {} : { port: numberOf(values.port, '--port') }),
      },
      store: values.data === undefined ? {} : { folder: values.data },
      clients: values.client ?? [],
      ...(values.allow === undefined ? {} : { commands: values.allow.split(',').map(text => text.trim()) }),
    }
    const { config, demo = false } = values
    const [command, ...rest] = positionals
    switch (command) {
      case undefined:
        return { kind: values['check-config'] === true ? 'check' : 'start', config, settings, demo }
      case 'hash-password':
        return { kind: command }
      case 'enroll':
        return { kind: command, config, settings }
      case 'backup':
      case 'restore':
        if (rest.length !== 1) return { kind: 'wrong', message: `${command} needs the name of one file.` }
        return { kind: command, file: rest[0] ?? '', config, settings }
      case 'new-token':
        return readNewToken(rest, values.days === undefined ? 365 : numberOf(values.days, '--days'))
      default:
        return { kind: 'wrong', message: `There is no command ${command}.` }
    }
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : 'The options cannot be read.' }
  }
}

function numberOf(text: string, option: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${option} must be a whole number, not ${text}.`)
  return Number(text)
}

function readNewToken([name = '', ...words]: readonly string[], days: number): CommandLine {
  if (!/^[\w.@-]{1,64}$/.test(name)) return { kind: 'wrong', message: 'new-token needs a name of letters and digits.' }
  const scopes = words.flatMap(word => SCOPES.find(scope => scope === word) ?? [])
  if (scopes.length < words.length)
    return { kind: 'wrong', message: `The scopes of a token are ${SCOPES.join(', ')}, not ${words.join(', ')}.` }
  if (days < 1) return { kind: 'wrong', message: '--days must be at least 1.' }
  return { kind: 'new-token', name, scopes: scopes.length === 0 ? ['read'] : scopes, days }
}
