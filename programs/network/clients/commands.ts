import { isAble } from '../../../src/protocol/client/client-abilities.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/protocol/json.ts'
import type { CommandTimes } from './command-time.ts'
import { commandConfig, commandState, type Outcome } from './group-commands.ts'
import type { History } from './history.ts'
import type { ReaderConnection } from './reader-connection.ts'
import type { ClientHooks } from './types.ts'
import { sendToUnit } from './unit/unit-driver.ts'
import { textOf } from './wire-value.ts'
import { logClient, type ClientContext } from './client-context.ts'

export type CommandTargets = {
  readonly context: ClientContext
  readonly times: CommandTimes
  readonly history: History
  readonly hooks: ClientHooks
}

/** Whether the command's time is accepted. A rejected command has no effect; some are logged as warnings. */
function isInTime({ context, times }: CommandTargets, word: string, time: Json | undefined): boolean {
  const verdict = times.check(word, time, context.schedule.now())
  if (verdict === 'unreadable')
    logClient(context, 'W', `Ignoring command '${word}' with invalid time '${textOf(time)}'`)
  if (verdict === 'too-far-ahead')
    logClient(context, 'W', `Ignoring command '${word}' with time in the future '${textOf(time)}'`)
  if (verdict === 'accepted') context.changed()
  return verdict === 'accepted'
}

function state(parts: CommandTargets, message: JsonObject): Outcome {
  const word = message['state']
  if (typeof word !== 'string') return 'close'
  if (isInTime(parts, 'state', message['time'])) commandState(parts.context, word, message['group'])
  return 'ok'
}

function config(parts: CommandTargets, message: JsonObject): Outcome {
  const requested = message['config']
  if (!isJsonObject(requested)) return 'close'
  return isInTime(parts, 'config', message['time']) ? commandConfig(parts.context, requested) : 'ok'
}

/** Short commands for all groups; they carry no time, so the client's own clock counts. */
function shortState(parts: CommandTargets, word: 'fold' | 'pause' | 'finish'): Outcome {
  if (isInTime(parts, 'state', undefined)) commandState(parts.context, word, undefined)
  return 'ok'
}

function dump({ context }: CommandTargets, message: JsonObject): Outcome {
  const id = message['unit']
  const unit = typeof id === 'string' ? context.units.find(each => each.wire['id'] === id) : undefined
  if (unit === undefined) return 'close'
  sendToUnit(context, unit, { type: 'unit.dump', at: context.schedule.now() })
  return 'ok'
}

function view(port: ReaderConnection, message: JsonObject): Outcome {
  const { unit, frame } = message
  port.view(typeof unit === 'string' ? unit : '', typeof frame === 'number' ? frame : 0)
  return 'ok'
}

const forbiddenInNames = /[<>;&'"]/

function link({ context, hooks }: CommandTargets, message: JsonObject): Outcome {
  const { token, name } = message
  if (typeof token !== 'string' || typeof name !== 'string') return 'close'
  const { length } = Array.from(name)
  if (length < 1 || length > 64 || forbiddenInNames.test(name)) return 'close'
  logClient(context, 'I1', 'Linking account')
  hooks.onLink?.({ token, name })
  return 'ok'
}

function restart({ context, hooks }: CommandTargets): Outcome {
  logClient(context, 'I1', 'Restarting account connection')
  hooks.onRestart?.()
  return 'ok'
}

const loneSurrogate = /\p{Surrogate}/u

function hasLoneSurrogate(value: Json): boolean {
  if (typeof value === 'string') return loneSurrogate.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, each]) => loneSurrogate.test(key) || hasLoneSurrogate(each))
}

/** Runs one command of one reader (docs/protocol.md §5 and §9). */
export function runCommand(parts: CommandTargets, port: ReaderConnection, message: Json): Outcome {
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
      if (!isAble(parts.context.profile.version, 'history')) break
      port.setHistory(Boolean(enable), () =>
        parts.history.newestFirst().map(row => parts.context.doc.reportedUnit({ ...row })),
      )
      return 'ok'
    case 'viz':
      return view(port, message)
    case 'link':
      return link(parts, message)
    case 'restart':
      return restart(parts)
    default:
  }
  logClient(parts.context, 'W', `Received unsupported command '${typeof cmd === 'string' ? cmd : ''}'`)
  return 'ok'
}

/** A command to all clients of the account. The signature has been verified by the caller (docs/protocol.md §11.4). */
export function runBroadcast(parts: CommandTargets, payload: Json): void {
  if (!isJsonObject(payload)) return
  const { cmd } = payload
  if (cmd === 'state') state(parts, payload)
  else if (cmd === 'config') config(parts, payload)
  else if (cmd === 'restart') {
    if (isInTime(parts, 'restart', payload['time'])) restart(parts)
  } else logClient(parts.context, 'W', `Received unsupported broadcast '${typeof cmd === 'string' ? cmd : ''}'`)
}
