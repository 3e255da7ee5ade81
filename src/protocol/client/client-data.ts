import * as v from 'valibot'
import type { Frozen } from '../frozen.ts'
import {
  field,
  flagField,
  numberField,
  object,
  personalField,
  personalNumberField,
  plainField,
  record,
  textsField,
} from '../schema.ts'
import {
  accountSettingKeys,
  groupSettingKeys,
  settingFacts,
  type SettingKey,
  type SettingType,
} from './settings-table.ts'

/**
 * What a client reports about itself, as it reports it (docs/protocol.md §3 to §7): snake_case, unknown fields kept.
 * Inside the four parts every field may be missing, since clients differ by version and by moment.
 */

const driver = field(object({ platform: numberField, device: numberField, compute: plainField, driver: plainField }))

const gpu = object({
  type: plainField,
  description: plainField,
  uuid: personalField('uuid'),
  supported: flagField,
  /** PCI ids. */
  vendor: numberField,
  device: numberField,
  cuda: driver,
  opencl: driver,
  hip: driver,
})

const info = object({
  id: personalField('id'),
  account: personalField('id'),
  mach_name: personalField('machine'),
  hostname: personalField('machine'),
  url: plainField,
  pid: numberField,
  cwd: personalField('path'),
  version: plainField,
  mode: plainField,
  revision: plainField,
  os: plainField,
  os_version: plainField,
  cpu: plainField,
  cpu_brand: plainField,
  cpus: numberField,
  /** By GPU id, as `gpu:01:00:00`. */
  gpus: field(record(gpu)),
  has_battery: flagField,
  on_battery: flagField,
  /** Sent by clients of the embedded network only. */
  simulated: flagField,
})

const settingFields = {
  boolean: flagField,
  number: numberField,
  string: plainField,
  cpus: numberField,
  gpus: field(record(object({ enabled: flagField }))),
}

function settingField(key: SettingKey) {
  const facts = settingFacts(key)
  if (facts.type === 'string') return personalField(facts.identifies)
  return facts.scope === 'account' ? personalNumberField(facts.identifies) : settingFields[facts.type]
}

function settingEntries<Key extends SettingKey>(keys: readonly Key[]) {
  return Object.fromEntries(keys.map(key => [key, settingField(key)])) as {
    [K in Key]: (typeof settingFields)[SettingType<K>]
  }
}

const groupConfig = object(settingEntries(groupSettingKeys))

// Clients without groups keep a group's settings here.
const config = object({ ...settingEntries(accountSettingKeys), ...settingEntries(groupSettingKeys) })

const group = object({
  config: field(groupConfig),
  /** UTC instant until which no new unit starts. */
  wait: plainField,
  failed_wus: numberField,
  lost_wus: numberField,
  /** Why the client paused the group by itself; empty when it did not. */
  failed: plainField,
})

const assignment = object({
  project: numberField,
  ws: plainField,
  port: numberField,
  core: field(object({ type: plainField, url: plainField, sha256: plainField })),
  cpus: numberField,
  min_cpus: numberField,
  max_cpus: numberField,
  credit: numberField,
  /** Seconds after `time`. */
  deadline: numberField,
  timeout: numberField,
  time: plainField,
})

const workUnitIds = object({
  run: personalNumberField('run'),
  clone: personalNumberField('clone'),
  gen: numberField,
  cs: textsField,
  server: numberField,
  time: plainField,
  /** Seconds. */
  estimate: numberField,
})

const unit = object({
  /** Changes with every try while the unit is in ASSIGN. */
  id: plainField,
  group: personalField('group'),
  /** The client's own counter. */
  number: numberField,
  state: plainField,
  result: plainField,
  error: plainField,
  paused: flagField,
  /** Present = not working. */
  pause_reason: plainField,
  cpus: numberField,
  gpus: textsField,
  /** Of the transfer at hand, 0 to 1. */
  progress: numberField,
  /** Of the work itself, 0 to 1. */
  wu_progress: numberField,
  /** As text: `2m 40s`. */
  eta: plainField,
  ppd: numberField,
  /** Seconds, up to the end of the last run; `start_time` exists while the core runs. */
  run_time: numberField,
  start_time: plainField,
  end_time: plainField,
  /** Seconds and UTC instant of a wait. Both stay when it is over. */
  delay: numberField,
  wait: plainField,
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
