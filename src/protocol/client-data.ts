import * as v from 'valibot'
import type { Frozen } from './frozen.ts'

/**
 * What a client says about itself, as it says it (wire.md §3 to §7): snake_case, unknown fields kept.
 * Inside the four parts every field may be missing, since clients differ by version and by moment.
 */

const field = v.exactOptional
const text = field(v.string())
const number = field(v.number())
const flag = field(v.boolean())
const texts = field(v.array(v.string()))

const driver = field(v.looseObject({ platform: number, device: number, compute: text, driver: text }))

const gpu = v.looseObject({
  type: text, description: text, uuid: text, supported: flag,
  /** PCI ids. */
  vendor: number, device: number,
  cuda: driver, opencl: driver, hip: driver,
})

const info = v.looseObject({
  id: text, account: text, mach_name: text, hostname: text, url: text, pid: number, cwd: text,
  version: text, mode: text, revision: text,
  os: text, os_version: text, cpu: text, cpu_brand: text, cpus: number,
  /** By GPU id, as `gpu:01:00:00`. */
  gpus: field(v.record(v.string(), gpu)),
  has_battery: flag, on_battery: flag,
})

const groupConfigEntries = {
  on_idle: flag,
  /** May fold on battery. */
  on_battery: flag,
  keep_awake: flag, paused: flag, finish: flag, beta: flag, cuda: flag, hip: flag,
  key: number, cpus: number,
  gpus: field(v.record(v.string(), v.looseObject({ enabled: flag }))),
}

const groupConfig = v.looseObject(groupConfigEntries)

// Clients without groups keep a group's settings here.
const config = v.looseObject({ user: text, team: number, passkey: text, cause: text, ...groupConfigEntries })

const group = v.looseObject({
  config: field(groupConfig),
  /** UTC instant until which no new unit starts. */
  wait: text,
  failed_wus: number, lost_wus: number,
  /** Why the client paused the group by itself; empty when it did not. */
  failed: text,
})

const assignment = v.looseObject({
  project: number, ws: text, port: number,
  core: field(v.looseObject({ type: text, url: text, sha256: text })),
  cpus: number, min_cpus: number, max_cpus: number,
  credit: number,
  /** Seconds after `time`. */
  deadline: number, timeout: number,
  time: text,
})

const workUnitIds = v.looseObject({
  run: number, clone: number, gen: number, cs: texts, server: number, time: text,
  /** Seconds. */
  estimate: number,
})

const unit = v.looseObject({
  /** Changes with every try while the unit is in ASSIGN. */
  id: text,
  group: text,
  /** The client's own counter. */
  number: number,
  state: text, result: text, error: text,
  paused: flag,
  /** Present = not working. */
  pause_reason: text,
  cpus: number, gpus: texts,
  /** Of the transfer at hand, 0 to 1. */
  progress: number,
  /** Of the work itself, 0 to 1. */
  wu_progress: number,
  /** As text: `2m 40s`. */
  eta: text,
  ppd: number,
  /** Seconds, up to the end of the last run; `start_time` exists while the core runs. */
  run_time: number,
  start_time: text, end_time: text,
  /** Seconds and UTC instant of a wait. Both stay when it is over. */
  delay: number, wait: text,
  retries: number, pid: number, frames: number,
  assignment: field(assignment), wu: field(workUnitIds),
})

const data = v.looseObject({ info, config, groups: v.record(v.string(), group), units: v.array(unit) })

export const clientDataSchema = data
export const unitSchema = unit

export type Gpu = Frozen<v.InferOutput<typeof gpu>>
export type ClientInfo = Frozen<v.InferOutput<typeof info>>
export type GroupConfig = Frozen<v.InferOutput<typeof groupConfig>>
export type ClientConfig = Frozen<v.InferOutput<typeof config>>
export type Group = Frozen<v.InferOutput<typeof group>>
export type Assignment = Frozen<v.InferOutput<typeof assignment>>
export type WorkUnitIds = Frozen<v.InferOutput<typeof workUnitIds>>
export type Unit = Frozen<v.InferOutput<typeof unit>>
export type ClientData = Frozen<v.InferOutput<typeof data>>
