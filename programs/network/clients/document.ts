import { isAble, type Ability } from '../../../src/protocol/client/client-abilities.ts'
import type { Json, JsonObject } from '../../../src/protocol/json.ts'
import {
  accountSettingKeys,
  groupSettingKeys,
  knowsSetting,
  settingDefaults,
  type AccountSettingKey,
  type SettingValue,
} from '../../../src/protocol/client/settings-table.ts'
import type { GpuSpec, GroupConfig } from './types.ts'

export type Change = readonly Json[]

export type WireUnit = { [key: string]: Json }

export type GroupDoc = {
  readonly config: GroupConfig
  /** `wait`, `failed_wus`, `lost_wus` and `failed`, in the order in which they were first set. */
  readonly extra: { wait?: string; failed_wus?: number; lost_wus?: number; failed?: string }
}

export type ClientConfig = { -readonly [Key in AccountSettingKey]: SettingValue<Key> }

export type Info = { [key: string]: Json }

/** Defaults of a new group, in the client's key order (docs/protocol.md §4). */
export function newGroupConfig(): GroupConfig {
  return settingDefaults(groupSettingKeys)
}

/** Settings of a new client itself, not of its groups. */
export function newClientConfig(): ClientConfig {
  return settingDefaults(accountSettingKeys)
}

/** What only newer clients report (docs/protocol.md §12). */
const UNIT_NEEDS: Readonly<Record<string, Ability>> = {
  wu_progress: 'workProgress',
  start_time: 'workProgress',
  end_time: 'history',
  result: 'result',
  pid: 'pid',
}
const COUNTS: readonly string[] = ['failed_wus', 'lost_wus', 'failed']

/** Seconds of an `eta`, which clients before 8.4.2 send in another form. */
function etaSeconds(eta: string): number {
  return [...eta.matchAll(/(\d+)([dhms])/g)].reduce(
    (sum, [, amount = '0', unit = 's']) => sum + Number(amount) * ({ d: 86_400, h: 3600, m: 60 }[unit] ?? 1),
    0,
  )
}

function olderEta(eta: string, version: string): Json {
  const seconds = etaSeconds(eta)
  if (isAble(version, 'workProgress')) return seconds
  const hours = Math.floor(seconds / 3600)
  return `${hours} hours ${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')} mins`
}

/** A value of a unit as a client of this version reports it; undefined when it does not. */
function reported(unit: WireUnit, key: string, version: string): readonly [key: string, value: Json] | undefined {
  const value = unit[key] ?? null
  const needs = Object.hasOwn(UNIT_NEEDS, key) ? UNIT_NEEDS[key] : undefined
  if (needs === undefined || isAble(version, needs)) {
    // Before `wu_progress`, the progress of a unit in RUN is that of its work.
    if (key === 'progress' && unit['state'] === 'RUN' && !isAble(version, 'workProgress')) return undefined
    return [
      key,
      key === 'eta' && typeof value === 'string' && !isAble(version, 'shortEta') ? olderEta(value, version) : value,
    ]
  }
  return key === 'wu_progress' && unit['state'] === 'RUN' ? ['progress', value] : undefined
}

/** Deep equality as the client compares: the order of keys does not matter. */
export function isSame(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
    const others: readonly Json[] = right
    return left.every((element: Json, index) => isSame(element, others[index]))
  }
  const a = new Map(Object.entries(left))
  const b = new Map(Object.entries(right))
  return a.size === b.size && [...a].every(([key, value]) => b.has(key) && isSame(value, b.get(key)))
}

/**
 * What every reader sees: info, config, groups and units, and the only place that changes them. A change goes to `onChange`
 * after it has been made; one that is equal to the present value makes no message (docs/protocol.md §2).
 */
export function createDocument(version: string, onChange: (change: Change) => void) {
  const knowsExtra = (key: string): boolean => isAble(version, 'failureCounts') || !COUNTS.includes(key)
  const groupJson = ({ config, extra }: GroupDoc): JsonObject => ({
    config: Object.fromEntries(
      groupSettingKeys.filter(key => knowsSetting(key, version)).map(key => [key, config[key]]),
    ),
    ...Object.fromEntries(Object.entries(extra).filter(([key]) => knowsExtra(key))),
  })
  const unitJson = (unit: WireUnit): WireUnit =>
    Object.fromEntries(
      Object.keys(unit)
        .map(key => reported(unit, key, version))
        .filter(entry => entry !== undefined),
    )

  const info: Info = {}
  const config = newClientConfig()
  /** A Map, because a group may be called `__proto__`. */
  const groups = new Map<string, GroupDoc>()
  const units: WireUnit[] = []

  const groupOf = (name: string): GroupDoc => {
    const group = groups.get(name)
    if (group === undefined) throw new Error(`No group ${JSON.stringify(name)}`)
    return group
  }

  const emitChange = (unit: WireUnit, key: string): void => {
    const index = units.indexOf(unit)
    const change = index === -1 ? undefined : reported(unit, key, version)
    if (change !== undefined) onChange(['units', index, ...change])
  }

  return {
    info,
    config,
    groups,
    units,

    setInfo: (key: string, value: Json) => {
      if (isSame(info[key], value)) return
      info[key] = value
      onChange(['info', key, value])
    },

    setConfig: <K extends keyof ClientConfig>(key: K, value: ClientConfig[K]) => {
      if (config[key] === value) return
      config[key] = value
      onChange(['config', key, value])
    },

    addGroup: (name: string) => {
      const group: GroupDoc = { config: newGroupConfig(), extra: {} }
      groups.set(name, group)
      onChange(['groups', name, groupJson(group)])
    },

    removeGroup: (name: string) => {
      if (groups.delete(name)) onChange(['groups', name, null])
    },

    setGroupConfig: <K extends keyof GroupConfig>(name: string, key: K, value: GroupConfig[K]) => {
      const group = groupOf(name)
      if (!knowsSetting(key, version) || isSame(group.config[key], value)) return
      group.config[key] = value
      onChange(['groups', name, 'config', key, value])
    },

    setGroupExtra: <K extends keyof GroupDoc['extra']>(
      name: string,
      key: K,
      value: NonNullable<GroupDoc['extra'][K]>,
    ) => {
      const { extra } = groupOf(name)
      if (extra[key] === value) return
      extra[key] = value
      if (knowsExtra(key)) onChange(['groups', name, key, value])
    },

    appendUnit: (unit: WireUnit) => {
      units.push(unit)
      onChange(['units', units.length - 1, unitJson(unit)])
    },

    removeUnit: (unit: WireUnit) => {
      const index = units.indexOf(unit)
      if (index === -1) return
      units.splice(index, 1)
      onChange(['units', index, null])
    },

    /** `null` removes the key. Nothing is sent for a unit that is not in the list (any more). */
    setUnit: (unit: WireUnit, key: string, value: Json) => {
      if (value === null ? !(key in unit) : isSame(unit[key], value)) return
      if (value === null) Reflect.deleteProperty(unit, key)
      else unit[key] = value
      emitChange(unit, key)
    },

    /** Sends a value even if it is unchanged, as the client does where it rebuilds a list. */
    resendUnit: (unit: WireUnit, key: string, value: Json) => {
      unit[key] = value
      emitChange(unit, key)
    },

    /** A unit as a client of this version reports it, such as in its history. */
    reportedUnit: unitJson,

    /** The first message to a reader, copied so that later changes do not affect it. */
    snapshot: (): JsonObject => ({
      info: { ...info },
      config: { ...config },
      groups: Object.fromEntries([...groups].map(([name, group]) => [name, groupJson(group)])),
      units: units.map(unitJson),
    }),
  }
}

export type ClientDocument = ReturnType<typeof createDocument>

export function infoGpus(gpus: Readonly<Record<string, GpuSpec>>): JsonObject {
  return Object.fromEntries(Object.entries(gpus).map(([id, gpu]) => [id, gpuJson(gpu)]))
}

function gpuJson({ vendor, device, type, supported, description, uuid, cuda, opencl, hip }: GpuSpec): JsonObject {
  return {
    vendor,
    type,
    description,
    ...(uuid === undefined ? {} : { uuid }),
    ...(opencl === undefined ? {} : { opencl: { ...opencl } }),
    ...(cuda === undefined ? {} : { cuda: { ...cuda } }),
    ...(hip === undefined ? {} : { hip: { ...hip } }),
    device,
    supported,
  }
}
