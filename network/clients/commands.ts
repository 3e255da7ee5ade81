import { isJsonObject } from '../../src/protocol/json.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import type { CommandTimes } from './command-time.ts'
import { commandConfig, commandState } from './group-commands.ts'
import type { Outcome } from './group-commands.ts'
import type { History } from './history.ts'
import type { Port } from './port.ts'
import type { ClientHooks } from './types.ts'
import { sendToUnit } from './unit/unit-driver.ts'
import { textOf } from './wire-value.ts'
import { say } from './world.ts'
import type { World } from './world.ts'

export type CommandParts = {
  readonly world: World
  readonly times: CommandTimes
  readonly history: History
  readonly hooks: ClientHooks
}

/** Whether the command's time lets it through; what does not is dropped, at most with a warning in the log. */
const isInTime = ({ world, times }: CommandParts, word: string, time: Json | undefined): boolean => {
  const verdict = times.judge(word, time, world.schedule.now())
  if (verdict === 'unreadable') say(world, 'W', `Ignoring command '${word}' with invalid time '${textOf(time)}'`)
  if (verdict === 'too-far-ahead')
    say(world, 'W', `Ignoring command '${word}' with time in the future '${textOf(time)}'`)
  if (verdict === 'accepted') world.changed()
  return verdict === 'accepted'
}

const state = (parts: CommandParts, message: JsonObject): Outcome => {
  const word = message['state']
  if (typeof word !== 'string') return 'close'
  if (isInTime(parts, 'state', message['time'])) commandState(parts.world, word, message['group'])
  return 'ok'
}

const config = (parts: CommandParts, message: JsonObject): Outcome => {
  const wanted = message['config']
  if (!isJsonObject(wanted)) return 'close'
  return isInTime(parts, 'config', message['time']) ? commandConfig(parts.world, wanted) : 'ok'
}

/** Commands of old clients: all groups, and the client's own clock. */
const shortState = (parts: CommandParts, word: 'fold' | 'pause' | 'finish'): Outcome => {
  if (isInTime(parts, 'state', undefined)) commandState(parts.world, word, undefined)
  return 'ok'
}

const dump = ({ world }: CommandParts, message: JsonObject): Outcome => {
  const id = message['unit']
  const life = typeof id === 'string' ? world.lives.find(each => each.wire['id'] === id) : undefined
  if (life === undefined) return 'close'
  sendToUnit(world, life, { type: 'unit.dump', at: world.schedule.now() })
  return 'ok'
}

const view = (port: Port, message: JsonObject): Outcome => {
  const { unit, frame } = message
  port.view(typeof unit === 'string' ? unit : '', typeof frame === 'number' ? frame : 0)
  return 'ok'
}

const forbiddenInNames = /[<>;&'"]/

const link = ({ world, hooks }: CommandParts, message: JsonObject): Outcome => {
  const { token, name } = message
  if (typeof token !== 'string' || typeof name !== 'string') return 'close'
  const { length } = Array.from(name)
  if (length < 1 || length > 64 || forbiddenInNames.test(name)) return 'close'
  say(world, 'I1', 'Linking account')
  hooks.onLink?.({ token, name })
  return 'ok'
}

const restart = ({ world, hooks }: CommandParts): Outcome => {
  say(world, 'I1', 'Restarting account connection')
  hooks.onRestart?.()
  return 'ok'
}

const loneSurrogate = /\p{Surrogate}/u

const hasLoneSurrogate = (value: Json): boolean => {
  if (typeof value === 'string') return loneSurrogate.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, each]) => loneSurrogate.test(key) || hasLoneSurrogate(each))
}

/** One command of one reader, by the rules of docs/protocol.md §5 and §9. */
export const obey = (parts: CommandParts, port: Port, message: Json): Outcome => {
  if (!isJsonObject(message) || hasLoneSurrogate(message)) return 'close'
  const { cmd, enable } = message
  switch (cmd) {
    case 'state':
      return state(parts, message)
    case 'config':
      return config(parts, message)
    case 'pause':
      return shortState(parts, 'pause')
    case 'unpause':
      return shortState(parts, 'fold')
    case 'finish':
      return shortState(parts, 'finish')
    case 'dump':
      return dump(parts, message)
    case 'log':
      port.setLog(Boolean(enable))
      return 'ok'
    case 'wus':
      port.setHistory(Boolean(enable), parts.history.newestFirst)
      return 'ok'
    case 'viz':
      return view(port, message)
    case 'link':
      return link(parts, message)
    case 'restart':
      return restart(parts)
    default:
      say(parts.world, 'W', `Received unsupported command '${typeof cmd === 'string' ? cmd : ''}'`)
      return 'ok'
  }
}

/** A command to all machines of the account, whose signature the peer has verified (docs/protocol.md §11.4). */
export const obeyBroadcast = (parts: CommandParts, payload: Json): void => {
  if (!isJsonObject(payload)) return
  const { cmd } = payload
  if (cmd === 'state') state(parts, payload)
  else if (cmd === 'config') config(parts, payload)
  else if (cmd === 'restart') {
    if (isInTime(parts, 'restart', payload['time'])) restart(parts)
  } else say(parts.world, 'W', `Received unsupported broadcast '${typeof cmd === 'string' ? cmd : ''}'`)
}
