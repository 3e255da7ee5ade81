import * as v from 'valibot'
import type { Frozen } from './frozen.ts'
import { field, flagField, numberField, object, record, textField, textsField } from './schema.ts'
import {
  accountSettingKeys,
  groupSettingKeys,
  settingsTable,
  type SettingKey,
  type SettingType,
} from './settings-table.ts'

/**
 * What a client reports about itself, as it reports it (docs/protocol.md §3 to §7): snake_case, unknown fields kept.
 * Inside the four parts every field may be missing, since clients differ by version and by moment.
 */

const driver = field(object({ platform: numberField, device: numberField, compute: textField, driver: textField }))

const gpu = object({
  type: textField,
  description: textField,
  uuid: textField,
  supported: flagField,
  /** PCI ids. */
  vendor: numberField,
  device: numberField,
  cuda: driver,
  opencl: driver,
  hip: driver,
})

const info = object({
  id: textField,
  account: textField,
  mach_name: textField,
  hostname: textField,
  url: textField,
  pid: numberField,
  cwd: textField,
  version: textField,
  mode: textField,
  revision: textField,
  os: textField,
  os_version: textField,
  cpu: textField,
  cpu_brand: textField,
  cpus: numberField,
  /** By GPU id, as `gpu:01:00:00`. */
  gpus: field(record(gpu)),
  has_battery: flagField,
  on_battery: flagField,
})

const settingFields = {
  boolean: flagField,
  number: numberField,
  string: textField,
  cpus: numberField,
  gpus: field(record(object({ enabled: flagField }))),
}

const settingEntries = <Key extends SettingKey>(keys: readonly Key[]) =>
  Object.fromEntries(keys.map(key => [key, settingFields[settingsTable[key].type]])) as {
    [K in Key]: (typeof settingFields)[SettingType<K>]
  }

const groupConfig = object(settingEntries(groupSettingKeys))

// Clients without groups keep a group's settings here.
const config = object({ ...settingEntries(accountSettingKeys), ...settingEntries(groupSettingKeys) })

const group = object({
  config: field(groupConfig),
  /** UTC instant until which no new unit starts. */
  wait: textField,
  failed_wus: numberField,
  lost_wus: numberField,
  /** Why the client paused the group by itself; empty when it did not. */
  failed: textField,
})

const assignment = object({
  project: numberField,
  ws: textField,
  port: numberField,
  core: field(object({ type: textField, url: textField, sha256: textField })),
  cpus: numberField,
  min_cpus: numberField,
  max_cpus: numberField,
  credit: numberField,
  /** Seconds after `time`. */
  deadline: numberField,
  timeout: numberField,
  time: textField,
})

const workUnitIds = object({
  run: numberField,
  clone: numberField,
  gen: numberField,
  cs: textsField,
  server: numberField,
  time: textField,
  /** Seconds. */
  estimate: numberField,
})

const unit = object({
  /** Changes with every try while the unit is in ASSIGN. */
  id: textField,
  group: textField,
  /** The client's own counter. */
  number: numberField,
  state: textField,
  result: textField,
  error: textField,
  paused: flagField,
  /** Present = not working. */
  pause_reason: textField,
  cpus: numberField,
  gpus: textsField,
  /** Of the transfer at hand, 0 to 1. */
  progress: numberField,
  /** Of the work itself, 0 to 1. */
  wu_progress: numberField,
  /** As text: `2m 40s`. */
  eta: textField,
  ppd: numberField,
  /** Seconds, up to the end of the last run; `start_time` exists while the core runs. */
  run_time: numberField,
  start_time: textField,
  end_time: textField,
  /** Seconds and UTC instant of a wait. Both stay when it is over. */
  delay: numberField,
  wait: textField,
  retries: numberField,
  pid: numberField,
  frames: numberField,
  assignment: field(assignment),
  wu: field(workUnitIds),
})

const data = object({ info, config, groups: record(group), units: v.array(unit) })

export const clientDataSchema = data
export const unitSchema = unit

export type Gpu = Frozen<v.InferOutput<typeof gpu>>
export type ClientInfo = Frozen<v.InferOutput<typeof info>>
export type GroupConfig = Frozen<v.InferOutput<typeof groupConfig>>
export type Group = Frozen<v.InferOutput<typeof group>>
export type Assignment = Frozen<v.InferOutput<typeof assignment>>
export type Unit = Frozen<v.InferOutput<typeof unit>>
export type ClientData = Frozen<v.InferOutput<typeof data>>
