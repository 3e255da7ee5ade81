import * as v from 'valibot'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import type { Command, ConfigPatch } from '../../../src/protocol/client/commands.ts'
import { isJsonObject, parseMessage, type Json, type JsonObject } from '../../../src/protocol/json.ts'
import { settingJsonTypes } from '../../../src/protocol/client/settings-table.ts'
import { validateCommand } from '../../../src/protocol/client/validate-command.ts'

/** Commands that change a client. Which of them the server forwards is set for each client. */
export const CONTROL_COMMANDS = ['state', 'config', 'dump', 'link', 'restart'] as const
export type ControlCommand = (typeof CONTROL_COMMANDS)[number]

/** What a page may ask of any client that it sees. The server answers these itself. */
export type StreamRequest =
  | { readonly cmd: 'log' | 'wus'; readonly enable: boolean }
  | { readonly cmd: 'viz'; readonly unit: string; readonly frame: number }

export type ControlRequest = Extract<Command, { readonly cmd: ControlCommand }>

/** `ignored`: an unknown command. `invalid`: a real client would close the connection (docs/protocol.md §9). */
export type PageMessage =
  | { readonly kind: 'stream'; readonly request: StreamRequest }
  | { readonly kind: 'control'; readonly request: ControlRequest }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'invalid' }

const foldingState = v.picklist(['fold', 'pause', 'finish'])
// Times are left out: the server stamps what it sends.
const control = v.variant('cmd', [
  v.object({ cmd: v.literal('state'), state: foldingState, group: v.optional(v.nullable(v.string())) }),
  v.object({ cmd: v.literal('config'), config: v.custom<ConfigPatch>(isJsonObject) }),
  v.object({ cmd: v.literal('dump'), unit: v.string() }),
  v.object({ cmd: v.literal('link'), token: v.string(), name: v.string() }),
  v.object({ cmd: v.literal('restart') }),
])
/** Deprecated forms of `state`, for all groups (docs/protocol.md §5). */
const OLD_STATES = { pause: 'pause', unpause: 'fold', finish: 'finish' } as const

/**
 * A message of a page, which says what it says to a client: a `config` command names all groups that stay. `data`: the newest state of the client, against which control commands are checked. Never throws.
 */
export function readPageMessage(text: string, data: ClientData | undefined): PageMessage {
  const parsed = parseMessage(text)
  if (!parsed.ok) return { kind: 'invalid' }
  const message = readPageContent(parsed.value, data)
  return message.kind === 'control' ? { ...message, request: withDeletions(message.request, data) } : message
}

/** The groups that a page leaves out are deleted, by name: another page may add one before the command is sent. */
function withDeletions(request: ControlRequest, data: ClientData | undefined): ControlRequest {
  if (request.cmd !== 'config' || request.config.groups === undefined) return request
  const { groups } = request.config
  const deleted = Object.keys(data?.groups ?? {}).filter(name => name !== '' && !Object.hasOwn(groups, name))
  const edits = Object.fromEntries([...Object.entries(groups), ...deleted.map(name => [name, null] as const)])
  return { ...request, config: { ...request.config, groups: edits } }
}

/** A command as the HTTP API has it: of groups, those that are named change, and the others stay. */
export function readPageContent(content: Json, data: ClientData | undefined): PageMessage {
  if (!isJsonObject(content)) return { kind: 'invalid' }
  const { cmd } = content
  if (cmd === 'log' || cmd === 'wus') return { kind: 'stream', request: { cmd, enable: Boolean(content['enable']) } }
  if (cmd === 'viz') {
    const { unit, frame = 0 } = content
    if (typeof unit !== 'string' || typeof frame !== 'number' || !(frame >= 0)) return { kind: 'invalid' }
    return { kind: 'stream', request: { cmd, unit, frame: Math.floor(frame) } }
  }
  if (cmd === 'pause' || cmd === 'unpause' || cmd === 'finish')
    return checked({ cmd: 'state', state: OLD_STATES[cmd] }, data)
  if (!CONTROL_COMMANDS.some(allowed => allowed === cmd)) return { kind: 'ignored' }
  const result = v.safeParse(control, content)
  if (!result.success) return { kind: 'invalid' }
  const { output } = result
  // A client closes the connection.
  if (output.cmd === 'config' && Object.values(output.config.groups ?? {}).includes(null)) return { kind: 'invalid' }
  if (output.cmd === 'config') return checked({ cmd: 'config', config: knownSettings(output.config) }, data)
  if (output.cmd !== 'state') return checked(output, data)
  const { group } = output
  return checked({ cmd: 'state', state: output.state, ...(typeof group === 'string' ? { group } : {}) }, data)
}

const SETTINGS: ReadonlySet<string> = new Set(['groups', ...settingJsonTypes.keys()])

/** Clients ignore settings that they do not know: these are not passed on. */
function knownSettings(config: ConfigPatch): ConfigPatch {
  const knownEntries = ([key, value]: readonly [string, Json]): readonly [string, Json][] => {
    if (key !== 'groups' || !isJsonObject(value)) return SETTINGS.has(key) ? [[key, value]] : []
    const groups = Object.entries(value).map(([name, patch]) => [name, isJsonObject(patch) ? only(patch) : patch])
    return [[key, Object.fromEntries(groups)]]
  }
  const only = (patch: JsonObject): JsonObject => Object.fromEntries(Object.entries(patch).flatMap(knownEntries))
  return only(config)
}

/** One bad command of one page would close the connection that all pages share, so none is forwarded. */
function checked(request: ControlRequest, data: ClientData | undefined): PageMessage {
  return validateCommand(request, data) === undefined ? { kind: 'control', request } : { kind: 'invalid' }
}

/** What a command does, for the record of actions: without values of settings, tokens and passkeys. */
export function describeCommand(request: ControlRequest): string {
  switch (request.cmd) {
    case 'state':
      return request.group === undefined ? request.state : `${request.state}, group "${request.group}"`
    case 'config': {
      const { groups, ...rest } = request.config
      const names = Object.entries(groups ?? {}).flatMap(([name, patch]) =>
        patch === null ? [`group "${name}" deleted`] : Object.keys(patch).map(key => `group "${name}" ${key}`),
      )
      return `config: ${[...Object.keys(rest), ...names].join(', ')}`.slice(0, 500)
    }
    case 'dump':
      return `dump ${request.unit}`
    case 'link':
      return 'link to an account'
    case 'restart':
      return 'restart'
  }
}
