import type { ClientData, Group, GroupConfig } from './client-data.ts'
import { isSameValue } from '../equal.ts'
import { isoTime } from '../iso-time.ts'
import { type Json, type JsonObject, isJsonList, isJsonObject } from '../json.ts'
import type { AccountSettingKey, GroupSettingKey, SettingValue } from './settings-table.ts'

/** A command to a client (docs/protocol.md §5). */
export type Command =
  /** Without `group`: all groups. */
  | { readonly cmd: 'state'; readonly state: FoldingState; readonly group?: string }
  /**
   * `secrets` is merged into `config` when it is sent. `keepsOtherGpus`: GPUs of a group that a patch does not name stay as they
   * are; a client replaces all of them.
   */
  | {
      readonly cmd: 'config'
      readonly config: ConfigPatch
      readonly secrets?: { readonly passkey: string }
      readonly keepsOtherGpus?: true
    }
  | { readonly cmd: 'dump'; readonly unit: string }
  | { readonly cmd: 'log'; readonly enable: boolean }
  | { readonly cmd: 'wus'; readonly enable: boolean }
  /** `unit: ''` stops the stream. Frame 0 includes the topology. */
  | { readonly cmd: 'viz'; readonly unit: string; readonly frame: number }
  | { readonly cmd: 'link'; readonly token: string; readonly name: string }
  | { readonly cmd: 'restart' }

type ConfigCommand = Extract<Command, { readonly cmd: 'config' }>

export type FoldingState = 'fold' | 'pause' | 'finish'

/** Changed settings of one group. */
export type GroupPatch = { readonly [Key in GroupSettingKey]?: SettingValue<Key> }

/** Changed groups by name; `null` deletes one. Groups that are not named stay. */
export type GroupEdits = Readonly<Record<string, GroupPatch | null>>

/** Keys that are not given keep their values. */
export type ConfigPatch = { readonly [Key in AccountSettingKey]?: SettingValue<Key> } & {
  readonly groups?: GroupEdits
}

/** Whether the client accepts only one such command a second (docs/protocol.md §5, time rules). */
export function isTimed(command: Command): boolean {
  return command.cmd === 'state' || command.cmd === 'config'
}

/** The message of a command. `at`: epoch milliseconds by the client's clock. */
export function stampCommand(command: Command, at: number): JsonObject {
  const time = isoTime(at)
  if (command.cmd !== 'config') return { ...command, time }
  return { cmd: command.cmd, config: { ...command.config, ...command.secrets }, time }
}

/** A command to send now, with all groups: a client deletes groups that a `config` command does not name. */
export function completeCommand(command: Command, data: ClientData | undefined): Command {
  if (command.cmd !== 'config' || command.config.groups === undefined || data === undefined) return command
  const changed = command.keepsOtherGpus === true ? withOtherGpus(command.config.groups, data) : command.config.groups
  return { ...command, config: { ...command.config, groups: completeGroups(changed, data) } }
}

/**
 * The groups of a `config` command: every group of the client with its changes. A group changed to `null` is left out,
 * which deletes it; the default group cannot be deleted.
 */
export function completeGroups(changed: GroupEdits, data: ClientData): Readonly<Record<string, GroupPatch>> {
  const groups: [string, GroupPatch][] = []
  for (const name of new Set([...Object.keys(data.groups), ...Object.keys(changed)])) {
    const patch = Object.hasOwn(changed, name) ? changed[name] : {}
    if (patch) groups.push([name, patch])
    else if (name === '') groups.push([name, {}])
  }
  return Object.fromEntries(groups)
}

function withOtherGpus(changed: GroupEdits, data: ClientData): GroupEdits {
  return Object.fromEntries(
    Object.entries(changed).map(([name, patch]) => {
      if (patch?.gpus === undefined) return [name, patch]
      const others = Object.entries(groupOf(data, name)?.config?.gpus ?? {}).map(
        ([id, { enabled = false }]) => [id, { enabled }] as const,
      )
      return [name, { ...patch, gpus: { ...Object.fromEntries(others), ...patch.gpus } }]
    }),
  )
}

/** What two `config` commands set, one after the other. */
export function joinedConfig(earlier: ConfigCommand, later: ConfigCommand): ConfigCommand {
  const before = earlier.config.groups ?? {}
  const groups = Object.entries(later.config.groups ?? {}).flatMap(([name, patch]): [string, GroupPatch | null][] => {
    // It sets nothing.
    if (patch !== null && Object.keys(patch).length === 0) return []
    const was = Object.hasOwn(before, name) ? before[name] : undefined
    const gpus = later.keepsOtherGpus && patch?.gpus && { gpus: { ...was?.gpus, ...patch.gpus } }
    return [[name, patch && { ...was, ...patch, ...gpus }]]
  })
  const config = { ...earlier.config, ...later.config, groups: { ...before, ...Object.fromEntries(groups) } }
  return { ...earlier, ...later, config }
}

/** Whether the client's data show that a command was carried out; always true for commands that change no data. */
export function isConfirmedBy(command: Command, data: ClientData): boolean {
  switch (command.cmd) {
    case 'state':
      return hasState(command.state, targetsOf(command.group, data), data)
    case 'config':
      return hasConfig({ ...command.config, ...command.secrets }, data, command.keepsOtherGpus === true)
    case 'dump':
      return !data.units.some(unit => unit.id === command.unit && unit.state !== 'DUMP' && unit.state !== 'DONE')
    case 'log':
    case 'wus':
    case 'viz':
    case 'link':
    case 'restart':
      return true
  }
}

type Target = { readonly name: string; readonly config: GroupConfig }

// Clients without groups keep the default group's settings in their config.
function targetsOf(group: string | undefined, data: ClientData): readonly Target[] {
  const names =
    group === undefined ? Object.keys(data.groups) : [group].filter(name => Object.hasOwn(data.groups, name))
  const targets = names.map(name => ({ name, config: data.groups[name]?.config ?? {} }))
  return Object.keys(data.groups).length === 0 ? [{ name: '', config: data.config }] : targets
}

function hasState(state: FoldingState, targets: readonly Target[], data: ClientData): boolean {
  return (
    targets.length > 0 &&
    targets.every(({ name, config }) => {
      switch (state) {
        case 'fold':
          return config.paused === false && config.finish !== true
        case 'pause':
          return config.paused === true
        case 'finish':
          // A paused group stays paused, so its units would never finish.
          return config.paused === true ? !data.units.some(unit => (unit.group ?? '') === name) : config.finish === true
      }
    })
  )
}

function hasConfig({ groups = {}, ...rest }: ConfigPatch, data: ClientData, keepsOtherGpus: boolean): boolean {
  return (
    holds(data.config, rest) &&
    Object.entries(groups).every(([name, patch]) => hasGroup(name, patch, data, keepsOtherGpus))
  )
}

function hasGroup(name: string, patch: GroupPatch | null, data: ClientData, keepsOtherGpus: boolean): boolean {
  const group = groupOf(data, name)
  if (patch === null) return group === undefined || name === ''
  if (!keepsOtherGpus) return holds(group?.config, patch)
  const { gpus, ...others } = patch
  return holds(group?.config, others) && (gpus === undefined || holds(group?.config?.gpus, gpus))
}

function groupOf(data: ClientData, name: string): Group | undefined {
  return Object.hasOwn(data.groups, name) ? data.groups[name] : undefined
}

function holds(reported: Readonly<Record<string, unknown>> | undefined, sent: object): boolean {
  return reported !== undefined && Object.entries(sent).every(([key, value]) => isSameValue(reported[key], value))
}

/** Every string in a value, keys included. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (isJsonList(value)) return value.flatMap(textsIn)
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)])
}
