import * as v from 'valibot'
import { isJsonObject, type Json, type JsonObject } from '../../../src/protocol/json.ts'
import {
  accountSettingKeys,
  groupSettingKeys,
  settingDefaults,
  settingsTable,
  type SettingKey,
  type SettingType,
  type SettingValue,
} from '../../../src/protocol/client/settings-table.ts'
import type { WireUnit } from './document.ts'
import { isoTime } from './time-text.ts'
import type { ProjectSpec } from './types.ts'
import { createUnit, progressAt, stateOf, type SimulatedUnit } from './unit/simulated-unit.ts'
import { loadedState, snapshotOfLoaded } from './unit/loaded-unit.ts'
import { secondsRun } from './unit/unit-numbers.ts'
import { numberOf } from './wire-value.ts'

const json = v.custom<Json>(value => value !== undefined)
const jsonObject = v.custom<JsonObject>(value => isJsonObject(value))

const storedUnit = v.object({
  wire: jsonObject,
  number: v.number(),
  requests: v.number(),
  state: v.picklist(['ASSIGN', 'DOWNLOAD', 'CORE', 'RUN', 'UPLOAD', 'DUMP']),
  isWaiting: v.boolean(),
  retries: v.number(),
  waitUntil: v.number(),
  result: v.optional(v.picklist(['dumped', 'failed'])),
  project: v.optional(v.number()),
  assignment: v.optional(jsonObject),
  workUnit: v.optional(jsonObject),
  deadline: v.optional(v.number()),
  done: v.number(),
})

const settingTypes = {
  boolean: v.boolean(),
  number: v.number(),
  string: v.string(),
  cpus: v.number(),
  gpus: jsonObject,
}

/** Settings that a client stored before they existed get their defaults. */
function storedSettings<Key extends SettingKey>(keys: readonly Key[]) {
  const defaults = settingDefaults(keys)
  return v.object(
    Object.fromEntries(
      keys.map(key => {
        const schema: v.GenericSchema = settingTypes[settingsTable[key].type]
        return [key, v.optional(schema, defaults[key])]
      }),
    ) as unknown as {
      [K in Key]: v.OptionalSchema<(typeof settingTypes)[SettingType<K>], SettingValue<K>>
    },
  )
}

const storedGroup = v.object({
  name: v.string(),
  config: storedSettings(groupSettingKeys),
  extra: v.object({
    wait: v.exactOptional(v.string()),
    failed_wus: v.exactOptional(v.number()),
    lost_wus: v.exactOptional(v.number()),
    failed: v.exactOptional(v.string()),
  }),
})

const storedClient = v.object({
  format: v.literal(1),
  born: v.number(),
  name: v.string(),
  account: v.string(),
  config: storedSettings(accountSettingKeys),
  groups: v.array(storedGroup),
  units: v.array(storedUnit),
  history: v.optional(v.array(jsonObject)),
  times: v.record(v.string(), v.number()),
  nextNumber: v.number(),
  inUse: v.boolean(),
  onBattery: v.boolean(),
})

export type StoredClient = v.InferOutput<typeof storedClient>
export type StoredUnit = v.InferOutput<typeof storedUnit>

/** Decodes the result of `snapshotForStore`; undefined for anything else. */
export function readStored(stored: Json | undefined): StoredClient | undefined {
  if (stored === undefined) return undefined
  const read = v.safeParse(storedClient, stored)
  return read.success ? read.output : undefined
}

/** A JSON copy, without undefined keys. */
export function toJson(stored: StoredClient): Json {
  return v.parse(json, JSON.parse(JSON.stringify(stored)))
}

/** A unit in its stored form; undefined if it has ended. */
export function storeUnit(unit: SimulatedUnit, now: number): StoredUnit | undefined {
  const state = stateOf(unit)
  if (state === 'DONE') return undefined
  const { wire, snapshot } = unit
  const { retries, waitUntil, result } = snapshot.context
  const ran = unit.runningSince === undefined ? {} : { run_time: numberOf(wire['run_time']) + secondsRun(unit, now) }
  return {
    wire: { ...wire, ...ran },
    number: unit.number,
    requests: unit.requests,
    state,
    isWaiting: snapshot.matches({ [state]: 'waiting' }),
    retries,
    waitUntil,
    result: result === 'failed' || result === 'dumped' ? result : undefined,
    project: unit.project?.project,
    assignment: unit.assignment,
    workUnit: unit.workUnit,
    deadline: unit.deadline,
    done: progressAt(unit, now),
  }
}

const notRestored = new Set(['start_time', 'pid', 'paused', 'pause_reason', 'progress'])

/** A stored unit as it is when the client starts again. */
export function restoreUnit(stored: StoredUnit, projects: readonly ProjectSpec[], now: number): SimulatedUnit {
  const restoredEntries = Object.entries(stored.wire).filter(([key]) => !notRestored.has(key))
  const wire: WireUnit = { ...Object.fromEntries(restoredEntries), state: loadedState(stored.state) }
  const waitUntil = Math.max(now, stored.waitUntil)
  const unit = createUnit(
    wire,
    stored.number,
    snapshotOfLoaded(stored.state, stored.isWaiting ? stored.retries : 0, waitUntil),
  )
  if (stored.isWaiting) wire['wait'] = isoTime(waitUntil)
  unit.isLoaded = true
  unit.requests = stored.requests
  unit.project = projects.find(({ project }) => project === stored.project)
  unit.assignment = stored.assignment
  unit.workUnit = stored.workUnit
  unit.deadline = stored.deadline
  unit.done = stored.done
  if (stored.result !== undefined && stored.state === 'DUMP') {
    unit.snapshot = { ...unit.snapshot, context: { ...unit.snapshot.context, result: stored.result } }
  }
  return unit
}
