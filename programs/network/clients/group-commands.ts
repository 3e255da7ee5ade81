import { isJsonObject, type Json, type JsonObject } from '../../../src/protocol/json.ts'
import { type ClientConfig, newGroupConfig, newClientConfig } from './document.ts'
import type { GroupConfig } from './types.ts'
import { clearFailures } from './unit/unit-end.ts'
import { sortedGroups } from './unit/unit-scheduler.ts'
import { logClient, type ClientContext } from './client-context.ts'

/** 'close': the real client throws, and closes the sender's socket (docs/protocol.md §9). */
export type Outcome = 'ok' | 'close'

function ensureGroup(context: ClientContext, name: string): void {
  if (context.doc.groups.has(name)) return
  logClient(context, 'I3', `Loading ${name === '' ? 'default' : name} resource group`)
  context.doc.addGroup(name)
}

function applyState(context: ClientContext, name: string, state: 'fold' | 'pause' | 'finish'): void {
  const { doc } = context
  const group = doc.groups.get(name)
  if (group === undefined) return
  if (state === 'finish') {
    doc.setGroupConfig(name, 'finish', true)
    return
  }
  const wasPaused = group.config.paused
  doc.setGroupConfig(name, 'paused', state === 'pause')
  doc.setGroupConfig(name, 'finish', false)
  if (state === 'fold' && wasPaused) clearFailures(context, name, context.schedule.now())
}

/** `state`: one group, which is created if it does not exist, or all groups. The time has been checked. */
export function commandState(context: ClientContext, state: string, group: Json | undefined): void {
  const name = typeof group === 'string' ? group : undefined
  if (state !== 'fold' && state !== 'pause' && state !== 'finish') {
    logClient(context, 'W', `Unsupported config state '${state}'`)
    return
  }
  logClient(context, 'I1', name === undefined ? `Machine state ${state}` : `Group ${name} state ${state}`)
  if (name === undefined) for (const [each] of sortedGroups(context)) applyState(context, each, state)
  else {
    ensureGroup(context, name)
    applyState(context, name, state)
  }
  context.changed()
  context.reschedule()
}

function kindOf(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}

/** Only the JSON type is checked, as the client does (docs/protocol.md §5): cpus may be -1 or 1.5. */
function fits<T extends Json>(value: Json, example: T): value is T {
  return kindOf(value) === kindOf(example)
}

function warnOfType(context: ClientContext, key: string, example: Json): void {
  return logClient(context, 'W', `Ignoring config option '${key}': expected ${kindOf(example)}`)
}

/** Sets a key if the value has its type; logs a warning otherwise. */
function setGroupKey(
  context: ClientContext,
  name: string,
  key: keyof GroupConfig,
  value: Json,
  defaults: GroupConfig,
): void {
  const example: Json = defaults[key]
  if (fits(value, example)) context.doc.setGroupConfig(name, key, value)
  else warnOfType(context, key, example)
}

function isGroupKey(key: string, defaults: GroupConfig): key is keyof GroupConfig {
  return Object.hasOwn(defaults, key)
}

function applyGroup(context: ClientContext, name: string, requested: Json): Outcome {
  ensureGroup(context, name)
  if (!isJsonObject(requested)) return 'close'
  const defaults = newGroupConfig()
  for (const [key, value] of Object.entries(requested))
    if (isGroupKey(key, defaults)) setGroupKey(context, name, key, value, defaults)
  return 'ok'
}

/** The list of groups is complete: groups that it leaves out are deleted, and their units move to the default group. */
function applyGroups(context: ClientContext, requested: JsonObject): Outcome {
  const { doc } = context
  for (const [name] of sortedGroups(context)) {
    if (name === '' || Object.hasOwn(requested, name)) continue
    for (const unit of context.units) if (unit.wire['group'] === name) doc.setUnit(unit.wire, 'group', '')
    doc.removeGroup(name)
  }
  for (const [name, value] of Object.entries(requested))
    if (applyGroup(context, name, value) === 'close') return 'close'
  return 'ok'
}

const clientDefaults = newClientConfig()

function isClientKey(key: string): key is keyof ClientConfig {
  return Object.hasOwn(clientDefaults, key)
}

function setClientKey(context: ClientContext, key: keyof ClientConfig, value: Json): void {
  const example: Json = clientDefaults[key]
  if (fits(value, example)) context.doc.setConfig(key, value)
  else warnOfType(context, key, example)
}

/** Sets user, team, passkey and cause, in the order given. */
export function applyClientConfig(context: ClientContext, requested: JsonObject): void {
  for (const [key, value] of Object.entries(requested)) if (isClientKey(key)) setClientKey(context, key, value)
  context.changed()
}

/** `config`: groups first, then the client's own keys. The time has been checked. */
export function commandConfig(context: ClientContext, requested: JsonObject): Outcome {
  const { groups } = requested
  let outcome: Outcome = 'ok'
  if (groups !== undefined) outcome = isJsonObject(groups) ? applyGroups(context, groups) : 'close'
  if (outcome === 'ok') applyClientConfig(context, requested)
  context.changed()
  context.reschedule()
  return outcome
}
