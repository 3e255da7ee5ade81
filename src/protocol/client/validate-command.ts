import { utf8Bytes } from '../crypto/bytes.ts'
import type { ClientData } from './client-data.ts'
import { type Command, type ConfigPatch, textsIn } from './commands.ts'
import { type Json, isJsonObject } from '../json.ts'
import { settingJsonTypes } from './settings-table.ts'

/**
 * A client that refuses a message closes the connection; over a relay, the connections of all sessions
 * (docs/protocol.md §9, §11.5). The limit leaves room for encryption and base64 below the client's 1 MiB.
 */
const MAX_COMMAND_BYTES = 700_000

const LONE_SURROGATE = /\p{Surrogate}/u
const UNLINKABLE = /[<>;&'"\p{Cc}]/u
const STATES: readonly unknown[] = ['fold', 'pause', 'finish']

/** Why a command must not be sent. */
export type CommandFault =
  | { readonly kind: 'lone-surrogate' | 'too-large' }
  | { readonly kind: 'unknown-state' }
  | { readonly kind: 'unknown-group' | 'incomplete-group'; readonly group: string }
  | { readonly kind: 'wrong-setting'; readonly setting: string }
  | { readonly kind: 'unknown-unit' | 'unassigned-unit' | 'unpaused-unit' }
  | { readonly kind: 'unknown-frame' }
  | { readonly kind: 'no-token' | 'name-length' | 'name-characters' }

/**
 * Why a command must not be sent; `undefined` when it may. `data`: the newest of the client. Commands come from forms and
 * from recordings too, so their types are checked.
 */
export function validateCommand(command: Command, data: ClientData | undefined): CommandFault | undefined {
  return textFault(command) ?? kindFault(command, data)
}

function textFault(command: Json): CommandFault | undefined {
  if (textsIn(command).some(text => LONE_SURROGATE.test(text))) return { kind: 'lone-surrogate' }
  return utf8Bytes(JSON.stringify(command)).length > MAX_COMMAND_BYTES ? { kind: 'too-large' } : undefined
}

function kindFault(command: Command, data: ClientData | undefined): CommandFault | undefined {
  switch (command.cmd) {
    case 'state':
      return stateFault(command.state, command.group, data)
    case 'config':
      return configFault(command.config)
    case 'dump':
      return dumpFault(command.unit, data)
    case 'link':
      return linkFault(command.token, command.name)
    case 'viz':
      return Number.isInteger(command.frame) && command.frame >= 0 ? undefined : { kind: 'unknown-frame' }
    case 'log':
    case 'wus':
    case 'restart':
      return undefined
  }
}

function stateFault(state: unknown, group: string | undefined, data: ClientData | undefined): CommandFault | undefined {
  if (!STATES.includes(state)) return { kind: 'unknown-state' }
  // The client would make a group of that name.
  const isUnknown = group !== undefined && group !== '' && data !== undefined && !Object.hasOwn(data.groups, group)
  return isUnknown ? { kind: 'unknown-group', group } : undefined
}

const TYPES = new Map(settingJsonTypes).set('groups', 'object')

function configFault(config: ConfigPatch): CommandFault | undefined {
  const groups: [string, Json][] = Object.entries(config.groups ?? {})
  const broken = groups.find(([, patch]) => patch !== null && !isJsonObject(patch))
  if (broken) return { kind: 'incomplete-group', group: broken[0] }
  // The client ignores a value of another type and reports nothing.
  const settings = [config, ...groups.map(([, patch]) => patch)].flatMap(settingsIn)
  const wrong = settings.find(([key, value]) => TYPES.has(key) && !isOfType(value, TYPES.get(key)))
  return wrong && { kind: 'wrong-setting', setting: wrong[0] }
}

function settingsIn(part: Json): [string, Json][] {
  return isJsonObject(part) ? Object.entries(part) : []
}

function isOfType(value: unknown, type: string | undefined): boolean {
  if (type === 'object') return isJsonObject(value)
  return typeof value === type && (typeof value !== 'number' || Number.isFinite(value))
}

function dumpFault(id: string, data: ClientData | undefined): CommandFault | undefined {
  const unit = data?.units.find(each => each.id === id)
  if (!unit || id === '') return { kind: 'unknown-unit' }
  // Its id changes with every attempt, and a dump with an old id closes the connection.
  if (unit.state === 'ASSIGN') return { kind: 'unassigned-unit' }
  return unit.pause_reason === undefined && unit.paused !== true ? { kind: 'unpaused-unit' } : undefined
}

function linkFault(token: string, name: string): CommandFault | undefined {
  if (token === '') return { kind: 'no-token' }
  if (name === '' || utf8Bytes(name).length > 64) return { kind: 'name-length' }
  return UNLINKABLE.test(name) ? { kind: 'name-characters' } : undefined
}
