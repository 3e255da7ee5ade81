import { parse, TomlDate, TomlError } from 'smol-toml'
import * as v from 'valibot'
import { formatAddress, parseAddress } from '../../../src/folding/address/address.ts'
import { isUnsafeKey } from '../../../src/protocol/json.ts'
import { admissionMistakes } from '../access/admission.ts'
import { alertContradictions, channelSecrets } from './alert-settings.ts'
import { meterContradictions } from './meter-settings.ts'
import { configSchema, SECTIONS, type Config } from './schema.ts'
import { secretsOf, type Path } from './secrets.ts'

/** A mistake in the settings. `where`: file and line, an environment variable or an option. */
export type ConfigMistake = { readonly where: string; readonly message: string }

export type ConfigSources = {
  /** The file of settings, when there is one. */
  readonly file?: { readonly path: string; readonly text: string } | undefined
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Settings of the command line, by section, and the addresses and commands of its clients. */
  readonly options?: CommandLineSettings
}

export type CommandLineSettings = {
  readonly listen?: { readonly address?: string; readonly port?: number }
  readonly store?: { readonly folder?: string }
  readonly clients?: readonly string[]
  /** Commands that operators may send to these clients. */
  readonly commands?: readonly string[]
}

export type ConfigResult =
  /** `secrets`: those that are in the file. */
  | {
      readonly ok: true
      readonly config: Config
      readonly secrets: readonly { readonly where: string; readonly name: string }[]
    }
  | { readonly ok: false; readonly mistakes: readonly ConfigMistake[] }

type Table = Record<string, unknown>

const MOST_CHARACTERS = 4 * 1_048_576

/** The settings of file, environment and command line, the later ones first. Never throws. */
export function readConfig({ file, environment = {}, options = {} }: ConfigSources): ConfigResult {
  const parsed = file === undefined ? { ok: true as const, table: {} } : readFile(file.path, file.text)
  if (!parsed.ok) return { ok: false, mistakes: [parsed.mistake] }
  const { table } = parsed
  const secrets = secretsOf(table).map(path => ({ where: whereIn(file, path), name: nameOf(path) }))
  const places = new Map<string, string>()
  const set = (path: Path, value: unknown, where: string): void => {
    places.set(path.join('.'), where)
    const [section = '', key = ''] = path.map(String)
    const before = table[section]
    table[section] = { ...(isTable(before) ? before : {}), [key]: value }
  }
  for (const { path, variable, value } of fromEnvironment(environment)) set(path, value, variable)
  for (const section of ['listen', 'store'] as const)
    for (const [key, value] of Object.entries(options[section] ?? {}))
      set([section, key], value, OPTION_NAMES[`${section}.${key}`] ?? 'the command line')
  addClients(table, options, environment, places)
  for (const { index, key, variable, value } of channelSecrets(table['channels'], environment)) {
    places.set(`channels.${index}.${key}`, variable)
    const channel = (table['channels'] as readonly Table[])[index]
    if (channel !== undefined) channel[key] = value
  }

  const mistakes: ConfigMistake[] = []
  const whereIs = (path: Path): string => {
    for (let length = path.length; length > 0; length--) {
      const place = places.get(path.slice(0, length).join('.'))
      if (place !== undefined) return place
    }
    return whereIn(file, path)
  }
  const result = v.safeParse(configSchema, table)
  if (!result.success) {
    for (const issue of result.issues) {
      const path = pathOf(issue)
      mistakes.push({ where: whereIs(path), message: messageOf(issue, path) })
    }
    return { ok: false, mistakes }
  }
  const config = result.output
  for (const { path, message } of contradictions(config)) mistakes.push({ where: whereIs(path), message })
  return mistakes.length === 0 ? { ok: true, config, secrets } : { ok: false, mistakes }
}

function whereIn(file: ConfigSources['file'], path: Path): string {
  return file === undefined ? 'the settings' : `${file.path}:${lineOf(file.text, path)}`
}

const OPTION_NAMES: Readonly<Record<string, string>> = {
  'listen.address': '--listen',
  'listen.port': '--port',
  'store.folder': '--data',
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function readFile(path: string, text: string): { ok: true; table: Table } | { ok: false; mistake: ConfigMistake } {
  if (text.length > MOST_CHARACTERS) return { ok: false, mistake: { where: path, message: 'The file is too large.' } }
  try {
    const table = parse(text)
    const unsafe = unsafePath(table)
    if (unsafe !== undefined)
      return {
        ok: false,
        mistake: { where: `${path}:${lineOf(text, unsafe)}`, message: `There is no setting ${nameOf(unsafe)}.` },
      }
    return { ok: true, table: plain(table) as Table }
  } catch (error) {
    const line = error instanceof TomlError ? `${path}:${error.line}` : path
    const [, reason = 'it cannot be read'] =
      /^(?:Invalid TOML document: )?([^\n]*)/.exec(error instanceof Error ? error.message : String(error)) ?? []
    return { ok: false, mistake: { where: line, message: `This is not TOML: ${reason}.` } }
  }
}

/** The first key of a table, at any depth, that could change prototypes. */
function unsafePath(value: unknown): Path | undefined {
  if (typeof value !== 'object' || value === null || value instanceof TomlDate) return undefined
  for (const [name, item] of Object.entries(value)) {
    const key = Array.isArray(value) ? Number(name) : name
    if (typeof key === 'string' && isUnsafeKey(key)) return [key]
    const inner = unsafePath(item)
    if (inner !== undefined) return [key, ...inner]
  }
  return undefined
}

/** Tables of the parser have no prototype, which schemas do not take for objects; dates are of a class of its own. */
function plain(value: unknown): unknown {
  if (value instanceof TomlDate) return new Date(value.getTime())
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (isUnsafeKey(key) ? [] : [[key, plain(item)]])),
  )
}

function fromEnvironment(environment: NonNullable<ConfigSources['environment']>) {
  return Object.entries(SECTIONS).flatMap(([section, { entries }]) =>
    Object.keys(entries).flatMap(key => {
      const variable = `FOLDBOARD_${section}_${key}`.toUpperCase().replaceAll('-', '_')
      const text = environment[variable]
      return text === undefined || text === '' ? [] : [{ path: [section, key], variable, value: valueOf(text) }]
    }),
  )
}

/** A number, `true`, a list in brackets; else the text itself, without quotes. */
function valueOf(text: string): unknown {
  if (/^\d+$/.test(text)) return Number(text)
  if (text === 'true' || text === 'false') return text === 'true'
  if (!text.startsWith('[')) return text
  try {
    return plain(parse(`value = ${text}`)['value'])
  } catch {
    return text
  }
}

/** Clients of `--client` and of FOLDBOARD_CLIENTS come before those of the file. */
function addClients(
  table: Table,
  { clients = [], commands }: CommandLineSettings,
  environment: NonNullable<ConfigSources['environment']>,
  places: Map<string, string>,
): void {
  const named = (environment['FOLDBOARD_CLIENTS'] ?? '').split(',').map(text => text.trim())
  const added = [
    ...clients.map(address => ({ address, where: '--client' })),
    ...named.filter(text => text !== '').map(address => ({ address, where: 'FOLDBOARD_CLIENTS' })),
  ]
  const allowed = commands ?? environment['FOLDBOARD_COMMANDS']?.split(',').map(text => text.trim())
  if (added.length === 0) return
  const listed = table['machines'] ?? []
  // Positions of the file's own clients stay, so that its lines are found.
  if (!Array.isArray(listed)) return
  added.forEach(({ where }, at) => places.set(`machines.${listed.length + at}`, where))
  table['machines'] = [
    ...(listed as unknown[]),
    ...added.map(({ address }) => ({ address, ...(allowed === undefined ? {} : { commands: allowed }) })),
  ]
}

function pathOf(issue: v.BaseIssue<unknown>): Path {
  return (issue.path ?? []).flatMap(({ key }) => (typeof key === 'string' || typeof key === 'number' ? [key] : []))
}

function nameOf(path: Path): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key + 1}]` : at === 0 ? key : `.${key}`)).join('')
}

function messageOf(issue: v.BaseIssue<unknown>, path: Path): string {
  const name = nameOf(path)
  if (issue.type === 'strict_object' && issue.expected === 'never') return `There is no setting ${name}.`
  if (issue.received === 'undefined') return `The setting ${name} is missing.`
  if (issue.type === 'strict_object') return `${name} must be a section of settings.`
  return `${name} ${issue.message}.`
}

/** What no schema of one setting can say. */
function contradictions(config: Config): readonly { readonly path: Path; readonly message: string }[] {
  const { listen, proxy, machines: clients, users, tokens, store, cluster, account } = config
  const found: { path: Path; message: string }[] = [...alertContradictions(config, users), ...admissionMistakes(config)]
  if ((listen.certificate === undefined) !== (listen['private-key'] === undefined))
    found.push({
      path: ['listen', listen.certificate === undefined ? 'private-key' : 'certificate'],
      message: 'listen.certificate and listen.private-key need each other.',
    })
  if (proxy['user-header'] !== undefined && proxy.addresses.length === 0)
    found.push({
      path: ['proxy', 'user-header'],
      message: 'proxy.user-header needs proxy.addresses: any other client could send that header.',
    })
  users.forEach((user, at) => {
    if (user.password === undefined && proxy['user-header'] === undefined)
      found.push({
        path: ['users', at],
        message: `users[${at + 1}] cannot sign in: it needs a password, or proxy.user-header.`,
      })
  })
  if (cluster.secret !== undefined && store.url === undefined)
    found.push({
      path: ['cluster', 'secret'],
      message: 'cluster.secret needs store.url: several servers need one database of PostgreSQL.',
    })
  found.push(
    ...meterContradictions(
      config.meters,
      config.mqtt,
      clients.flatMap(({ address, name }) => (name === undefined ? [address] : [address, name])),
    ),
  )
  const canonical = clients.map(({ address }) => {
    const parsed = parseAddress(address)
    return parsed === undefined ? address : formatAddress(parsed)
  })
  for (const [section, names] of Object.entries({
    machines: canonical,
    'account.machines': account.machines.map(client => client.id),
    users: users.map(user => user.name),
    tokens: tokens.map(token => token.name),
    channels: config.channels.map(channel => channel.name),
    alerts: config.alerts.map(rule => rule.name),
    meters: config.meters.map(meter => meter.name),
  })) {
    const places = new Map<string, number>()
    names.forEach((name, at) => {
      const first = places.get(name) ?? at
      places.set(name, first)
      if (first < at)
        found.push({
          path: [...section.split('.'), at],
          message: `${section}[${at + 1}] repeats ${name} of ${section}[${first + 1}].`,
        })
    })
  }
  return found
}

/** The line of a TOML text where a setting is, or the nearest table around it. */
export function lineOf(text: string, path: Path): number {
  const seen = new Map<string, number>()
  let table: Path = []
  let best = { line: 1, depth: 0 }
  const consider = (here: Path, line: number): void => {
    const shared = here.length <= path.length && here.every((key, at) => key === path[at])
    if (shared && here.length > best.depth) best = { line, depth: here.length }
  }
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim()
    const header = /^(\[\[?)\s*([^\]]+?)\s*\]\]?/.exec(line)
    if (header !== null) {
      const names = keysIn(header[2] ?? '')
      if (header[1] === '[[') {
        const count = seen.get(names.join('.')) ?? 0
        seen.set(names.join('.'), count + 1)
        table = [...names, count]
      } else table = names
      consider(table, index + 1)
      return
    }
    const key = /^((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=/.exec(line)
    if (key !== null) consider([...table, ...keysIn(key[1] ?? '')], index + 1)
  })
  return best.line
}

function keysIn(text: string): readonly string[] {
  return text.split('.').map(part => part.trim().replaceAll(/^["']|["']$/g, ''))
}
