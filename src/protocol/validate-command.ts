import { utf8Bytes } from './crypto/bytes.ts'
import type { ClientData } from './client-data.ts'
import type { Command, ConfigPatch } from './commands.ts'
import { textsIn } from './commands.ts'
import type { Json } from './json.ts'
import { isJsonObject } from './json.ts'
import { settingJsonTypes } from './settings-table.ts'

/**
 * A client that dislikes a message drops the connection, and over a relay that of everybody
 * (docs/protocol.md §9, §11.5). The limit leaves room for encryption and base64 below the client's 1 MiB.
 */
const MAX_COMMAND_BYTES = 700_000

const CONTROL = /\p{Cc}/u
const LONE_SURROGATE = /\p{Surrogate}/u
const UNLINKABLE = /[<>;&'"]/
const STATES: readonly unknown[] = ['fold', 'pause', 'finish']

/**
 * Why a command must not be sent, in words for a person; `undefined` when it may. `data`: the newest of the client.
 * Commands come from forms and from journals too, so their types are not taken on trust.
 */
export const validateCommand = (command: Command, data: ClientData | undefined): string | undefined =>
  textRefusal(command) ?? refusalOfKind(command, data)

const textRefusal = (command: Json): string | undefined => {
  const texts = textsIn(command)
  if (texts.some(text => CONTROL.test(text))) return 'The text holds control characters, which the machine refuses.'
  if (texts.some(text => LONE_SURROGATE.test(text)))
    return 'The text holds half a character, which the machine refuses.'
  if (utf8Bytes(JSON.stringify(command)).length > MAX_COMMAND_BYTES)
    return 'This is more than the machine takes at once.'
  return undefined
}

const refusalOfKind = (command: Command, data: ClientData | undefined): string | undefined => {
  switch (command.cmd) {
    case 'state':
      return stateRefusal(command.state, command.group, data)
    case 'config':
      return configRefusal(command.config)
    case 'dump':
      return dumpRefusal(command.unit, data)
    case 'link':
      return linkRefusal(command.token, command.name)
    case 'viz':
      return Number.isInteger(command.frame) && command.frame >= 0 ? undefined : 'There is no such frame.'
    case 'log':
    case 'wus':
    case 'restart':
      return undefined
  }
}

const stateRefusal = (state: unknown, group: string | undefined, data: ClientData | undefined): string | undefined => {
  if (!STATES.includes(state)) return 'The machine knows no such state.'
  // The client would make a group of that name.
  if (group !== undefined && group !== '' && data && !Object.hasOwn(data.groups, group)) {
    return `The machine has no resource group "${group}".`
  }
  return undefined
}

const TYPES = new Map(settingJsonTypes).set('groups', 'object')

const configRefusal = (config: ConfigPatch): string | undefined => {
  const groups: [string, Json][] = Object.entries(config.groups ?? {})
  const broken = groups.find(([, patch]) => patch !== null && !isJsonObject(patch))
  if (broken) return `The settings of the resource group "${broken[0]}" are not complete.`
  // A value of another kind is ignored without a word.
  const settings = [config, ...groups.map(([, patch]) => patch)].flatMap(settingsIn)
  const wrong = settings.find(([key, value]) => TYPES.has(key) && !isOfType(value, TYPES.get(key)))
  return wrong && `The setting "${wrong[0]}" has a value that the machine would ignore.`
}

const settingsIn = (part: Json): [string, Json][] => (isJsonObject(part) ? Object.entries(part) : [])

const isOfType = (value: unknown, type: string | undefined): boolean => {
  if (type === 'object') return isJsonObject(value)
  return typeof value === type && (typeof value !== 'number' || Number.isFinite(value))
}

const dumpRefusal = (id: string, data: ClientData | undefined): string | undefined => {
  const unit = data?.units.find(each => each.id === id)
  if (!unit || id === '') return 'The machine does not hold this work unit any more.'
  // Its id changes with every try, and a dump with an old id costs the connection.
  if (unit.state === 'ASSIGN') return 'This work unit is not assigned yet: there is nothing to dump.'
  if (unit.pause_reason === undefined && unit.paused !== true) return 'Only a paused work unit can be dumped.'
  return undefined
}

const linkRefusal = (token: string, name: string): string | undefined => {
  if (token === '') return 'There is no account token to link with.'
  if (name === '' || utf8Bytes(name).length > 64) return 'A machine name has 1 to 64 characters.'
  return UNLINKABLE.test(name) ? 'A machine name cannot contain any of the following: < > ; & \' "' : undefined
}
