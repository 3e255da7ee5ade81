import type { Json, JsonObject } from '../../src/protocol/json.ts'

/** Epoch milliseconds and one-shot timers; the only way in which time enters a simulated client. */
export type Clock = {
  now(): number
  /** Runs `task` once after `ms`; returns a function that cancels it. */
  setTimer(task: () => void, ms: number): () => void
}

/** One timer for any number of clients: all clients of a process share one schedule. */
export type Schedule = {
  now(): number
  /** Calls `task` at `at` (epoch ms) or as soon as possible after it; returns a function that cancels it. */
  at(at: number, task: () => void): () => void
  stop(): void
}

/** What a simulated client folds. The API may show the same numbers with descriptions of its own. */
export type ProjectSpec = {
  readonly project: number
  /** Core type as on the wire, such as '0xa9'. */
  readonly core: string
  /** A GPU project runs only on units with GPUs. */
  readonly gpu: boolean
  readonly credit: number
  /** Seconds from assignment until the unit is late, and until it is worthless. */
  readonly timeout: number
  readonly deadline: number
  /** Hours of work at speed 1 on a usual machine. */
  readonly hours: number
  readonly molecule: string
  /** About how many atoms the viewer gets. */
  readonly atoms: number
}

export type GpuSpec = {
  readonly vendor: number
  readonly device: number
  readonly type: string
  readonly supported: boolean
  readonly description: string
  readonly uuid?: string
  readonly cuda?: DriverSpec
  readonly opencl?: DriverSpec
  readonly hip?: DriverSpec
}
export type DriverSpec = {
  readonly platform: number
  readonly device: number
  readonly compute: string
  readonly driver: string
}

/** Keys of a group's config in the client's order. `gpus` maps a GPU id to whether it is enabled. */
export type GroupConfig = {
  on_idle: boolean
  on_battery: boolean
  keep_awake: boolean
  paused: boolean
  finish: boolean
  beta: boolean
  cuda: boolean
  hip: boolean
  key: number
  cpus: number
  gpus: JsonObject
}

export type UnitState = 'ASSIGN' | 'DOWNLOAD' | 'CORE' | 'RUN' | 'UPLOAD' | 'DUMP' | 'DONE' | 'CLEAN'
export type UnitResult = 'credited' | 'dumped' | 'expired' | 'failed' | 'retries' | 'rejected' | 'missing' | 'aborted'

/** A unit that a new client already holds when its story begins. */
export type InitialUnit = {
  readonly group?: string
  readonly state: 'ASSIGN' | 'DOWNLOAD' | 'CORE' | 'RUN' | 'UPLOAD'
  readonly cpus: number
  readonly gpus?: readonly string[]
  /** Share of the work that is done. */
  readonly progress?: number
  readonly project?: number
  /** Tries that have failed; the next one waits 2^retries seconds. */
  readonly retries?: number
  readonly error?: string
}

/** A computer and its story: everything that makes one simulated client different from another. */
export type ClientProfile = {
  readonly kind: string
  readonly version: string
  readonly os: string
  readonly osVersion: string
  readonly cpu: string
  readonly cpuBrand: string
  readonly cpus: number
  readonly gpus: Readonly<Record<string, GpuSpec>>
  readonly hasBattery: boolean
  readonly onBattery: boolean
  /** Whether somebody is using the computer, so that groups with `on_idle` wait. */
  readonly inUse: boolean
  /** The machine is away at first: its peer neither logs in nor listens. */
  readonly offline: boolean
  readonly config: { readonly user: string; readonly team: number; readonly passkey: string; readonly cause: string }
  readonly groups: Readonly<Record<string, Partial<GroupConfig>>>
  /** What has gone wrong in a group before the story begins. */
  readonly failures: Readonly<Record<string, GroupFailures>>
  readonly units: readonly InitialUnit[]
  /** Results of units in the past, newest first, for the history. */
  readonly history: readonly UnitResult[]
  /** Assignment servers answer 'no work' for ever. */
  readonly noWork: boolean
  /** Chance from 0 to 1 that a unit's core fails, and that one try of a transfer fails. */
  readonly unitFailureRate: number
  readonly transferFailureRate: number
  /** Lines of log kept; a real client keeps 100,000. */
  readonly logLines: number
}
export type GroupFailures = { readonly failed_wus?: number; readonly lost_wus?: number; readonly failed?: string }

export type ClientHooks = {
  /** A reader asked to link this machine to an account. The peer speaks to the API, then calls `setAccount`. */
  onLink?(request: { readonly token: string; readonly name: string }): void
  /** The account side shall reconnect. */
  onRestart?(): void
  /** A unit has ended: its row of the history, and under whose name it was folded. */
  onUnitEnd?(row: JsonObject, donor: { readonly user: string; readonly team: number; readonly passkey: string }): void
  /** Something worth storing has happened; calls are frequent while units change, so gather them. */
  onChange?(): void
}

export type SimulatedClientOptions = {
  /** Machine id: base64url SHA-256 of the RSA modulus (docs/protocol.md §3). */
  readonly id: string
  readonly name: string
  /** Same seed, profile and clock: same life. */
  readonly seed: number
  readonly profile: ClientProfile
  readonly schedule: Schedule
  /** Account id, or '' when the machine is not linked. */
  readonly account?: string
  /** Work gets done this many times faster. Default 1. */
  readonly speed?: number
  /** Fixed message rate for benches: one change of each running unit every so many ms. Default: as the real client. */
  readonly changesEvery?: number
  readonly projects?: readonly ProjectSpec[]
  /** What `snapshotForStore` gave earlier. Anything else is ignored and the profile's story begins anew. */
  readonly restored?: Json
  readonly hooks?: ClientHooks
}

export type ClientConnection = {
  /**
   * Takes one command, already parsed. 'close': the real client would drop the socket (docs/protocol.md §9).
   * What is not JSON, or too large, never gets here: the peer closes for that by itself.
   */
  receive(command: Json): 'ok' | 'close'
  /** Nothing is sent any more. Idempotent. */
  detach(): void
}

/** Levers for tests and for the demo's story. */
export type ClientFaults = {
  /** The next core that runs, or runs now, fails. */
  failNextUnit(): void
  failNextAssignments(count: number): void
  failNextDownloads(count: number): void
  failNextUploads(count: number): void
  /** The work server refuses the next results. */
  rejectNextResults(): void
  /** The deadline of a unit passes now. */
  expireUnit(id: string): void
  setOnBattery(onBattery: boolean): void
  setInUse(inUse: boolean): void
}

export type SimulatedClient = {
  readonly id: string
  /** Present name, `info.mach_name`. */
  name(): string
  readonly profile: ClientProfile
  /**
   * Adds a reader: `send` gets the first full message before `attach` returns, then every change, and what this port asked
   * for of log, history and molecules. One port a direct socket or relay session. Arrays sent to several ports are the same
   * object, never changed afterwards, so a peer may keep their text in a WeakMap.
   */
  attach(send: (content: Json) => void): ClientConnection
  /** An account-wide command whose signature the peer has verified: `{cmd, time, …}`; others than state, config and restart are logged. */
  receiveBroadcast(payload: Json): void
  /** `GET /machine/{id}` answered: these overwrite the machine's own values on every (re)connect. */
  configureFromAccount(config: {
    readonly user?: string
    readonly team?: number
    readonly passkey?: string
    readonly cause?: string
  }): void
  rename(name: string): void
  /** Account id after linking, '' after unlinking. */
  setAccount(account: string): void
  /** One line of the account side or of HTTP in this client's log, such as 'OUT4:< 200 OK'. */
  log(level: 'I1' | 'I2' | 'I3' | 'W' | 'E', text: string): void
  /** Rows of the units that ended before the story began, oldest first. */
  seedHistory(): readonly JsonObject[]
  readonly faults: ClientFaults
  /** Everything that must survive a restart, as plain JSON. Passkey included: it is part of the config. */
  snapshotForStore(): Json
  /** Detaches every port and cancels what is scheduled. */
  stop(): void
}
