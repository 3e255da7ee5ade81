import { isJsonObject } from '../../src/protocol/json.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import type { MachineConfig } from './document.ts'
import { newGroupConfig, newMachineConfig } from './document.ts'
import type { GroupConfig } from './types.ts'
import { clearFailures } from './unit/unit-end.ts'
import { sortedGroups } from './unit/unit-scheduler.ts'
import { say } from './world.ts'
import type { World } from './world.ts'

/** What the real client throws: the socket of whoever sent this closes (docs/protocol.md §9). */
export type Outcome = 'ok' | 'close'

const ensureGroup = (world: World, name: string): void => {
  if (world.doc.groups.has(name)) return
  say(world, 'I3', `Loading ${name === '' ? 'default' : name} resource group`)
  world.doc.addGroup(name)
}

const applyState = (world: World, name: string, state: 'fold' | 'pause' | 'finish'): void => {
  const { doc } = world
  const group = doc.groups.get(name)
  if (group === undefined) return
  if (state === 'finish') {
    doc.setGroupConfig(name, 'finish', true)
    return
  }
  const wasPaused = group.config.paused
  doc.setGroupConfig(name, 'paused', state === 'pause')
  doc.setGroupConfig(name, 'finish', false)
  if (state === 'fold' && wasPaused) clearFailures(world, name, world.schedule.now())
}

/** `state`: one group, which is made if need be, or all. The time has been judged already. */
export const commandState = (world: World, state: string, group: Json | undefined): void => {
  const name = typeof group === 'string' ? group : undefined
  if (state !== 'fold' && state !== 'pause' && state !== 'finish') {
    say(world, 'W', `Unsupported config state '${state}'`)
    return
  }
  say(world, 'I1', name === undefined ? `Machine state ${state}` : `Group ${name} state ${state}`)
  if (name === undefined) for (const [each] of sortedGroups(world)) applyState(world, each, state)
  else {
    ensureGroup(world, name)
    applyState(world, name, state)
  }
  world.changed()
  world.reschedule()
}

const kindOf = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

/** The client checks the JSON kind alone (docs/protocol.md §5): cpus may be -1 or 1.5. */
const fits = <T extends Json>(value: Json, example: T): value is T => {
  return kindOf(value) === kindOf(example)
}

const warnOfType = (world: World, key: string, example: Json): void =>
  say(world, 'W', `Ignoring config option '${key}': expected ${kindOf(example)}`)

/** Sets a key when the value is of its kind. */
const setGroupKey = (world: World, name: string, key: keyof GroupConfig, value: Json, defaults: GroupConfig): void => {
  const example: Json = defaults[key]
  if (fits(value, example)) world.doc.setGroupConfig(name, key, value)
  else warnOfType(world, key, example)
}

const isGroupKey = (key: string, defaults: GroupConfig): key is keyof GroupConfig => Object.hasOwn(defaults, key)

const applyGroup = (world: World, name: string, wanted: Json): Outcome => {
  ensureGroup(world, name)
  if (!isJsonObject(wanted)) return 'close'
  const defaults = newGroupConfig()
  for (const [key, value] of Object.entries(wanted))
    if (isGroupKey(key, defaults)) setGroupKey(world, name, key, value, defaults)
  return 'ok'
}

/** The list of groups is complete: what it does not name goes, and its units move to the default group. */
const applyGroups = (world: World, wanted: JsonObject): Outcome => {
  const { doc } = world
  for (const [name] of sortedGroups(world)) {
    if (name === '' || Object.hasOwn(wanted, name)) continue
    for (const life of world.lives) if (life.wire['group'] === name) doc.setUnit(life.wire, 'group', '')
    doc.removeGroup(name)
  }
  for (const [name, value] of Object.entries(wanted)) if (applyGroup(world, name, value) === 'close') return 'close'
  return 'ok'
}

const machineDefaults = newMachineConfig()

const isMachineKey = (key: string): key is keyof MachineConfig => Object.hasOwn(machineDefaults, key)

const setMachineKey = (world: World, key: keyof MachineConfig, value: Json): void => {
  const example: Json = machineDefaults[key]
  if (fits(value, example)) world.doc.setConfig(key, value)
  else warnOfType(world, key, example)
}

/** User, team, passkey and cause alone, in the order given. */
export const applyMachineConfig = (world: World, wanted: JsonObject): void => {
  for (const [key, value] of Object.entries(wanted)) if (isMachineKey(key)) setMachineKey(world, key, value)
  world.changed()
}

/** `config`: groups first, then the machine's own keys. The time has been judged already. */
export const commandConfig = (world: World, wanted: JsonObject): Outcome => {
  const { groups } = wanted
  let outcome: Outcome = 'ok'
  if (groups !== undefined) outcome = isJsonObject(groups) ? applyGroups(world, groups) : 'close'
  if (outcome === 'ok') applyMachineConfig(world, wanted)
  world.changed()
  world.reschedule()
  return outcome
}
