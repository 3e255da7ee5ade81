import type { Json, JsonObject } from '../../../src/protocol/json.ts'
import type { AccountSettingKey, GroupSettingKey, SettingValue } from '../../../src/protocol/client/settings-table.ts'

/** Epoch milliseconds and one-shot timers: the only source of time for simulated clients. */
export type Clock = {
  now(): number
  /** Runs `task` once after `ms`; returns a function that cancels it. */
  setTimer(task: () => void, ms: number): () => void
}

/** A scheduler that all clients of a process share. */
export type Schedule = {
  now(): number
  /** Calls `task` at `at` (epoch ms) or as soon as possible after it; returns a function that cancels it. */
  at(at: number, task: () => void): () => void
  stop(): void
}

/** A project that simulated clients fold. The API describes the same projects (`catalog.ts`). */
export type ProjectSpec = {
  readonly project: number
  /** Core type as on the wire, such as '0xa9'. */
  readonly core: string
  /** Whether its units need a GPU. */
  readonly gpu: boolean
  readonly credit: number
  /** Seconds from the assignment until the unit is late, and until it expires. */
  readonly timeout: number
  readonly deadline: number
  /** Hours of work at speed 1 on an average client. */
  readonly hours: number
  readonly molecule: string
  /** Approximate number of atoms of the molecule. */
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

/** A group's settings. `gpus` holds whatever a command has set, as a client does. */
export type GroupConfig = { -readonly [Key in Exclude<GroupSettingKey, 'gpus'>]: SettingValue<Key> } & {
  gpus: JsonObject
}

export type UnitState = 'ASSIGN' | 'DOWNLOAD' | 'CORE' | 'RUN' | 'UPLOAD' | 'DUMP' | 'DONE' | 'CLEAN'
export type UnitResult = 'credited' | 'dumped' | 'expired' | 'failed' | 'retries' | 'rejected' | 'missing' | 'aborted'

/** A unit that a new client has at its first start. */
export type InitialUnit = {
  readonly group?: string
  readonly state: 'ASSIGN' | 'DOWNLOAD' | 'CORE' | 'RUN' | 'UPLOAD'
  readonly cpus: number
  readonly gpus?: readonly string[]
  /** Share of the work that is done, 0 to 1. */
  readonly progress?: number
  readonly project?: number
  /** Failed attempts so far; the next one waits 2^retries seconds. */
  readonly retries?: number
  readonly error?: string
}

/** Everything that distinguishes one simulated client from another: hardware, settings, initial units and history. */
export type ClientProfile = {
  readonly version: string
  readonly os: string
  readonly osVersion: string
  readonly cpu: string
  readonly cpuBrand: string
  readonly cpus: number
  readonly gpus: Readonly<Record<string, GpuSpec>>
  readonly hasBattery: boolean
  readonly onBattery: boolean
  /** Whether the computer is in use, so that groups with `on_idle` wait. */
  readonly inUse: boolean
  /** The client is offline at first: it neither logs in nor listens. */
  readonly offline: boolean
  readonly config: { readonly [Key in AccountSettingKey]: SettingValue<Key> }
  readonly groups: Readonly<Record<string, Partial<GroupConfig>>>
  /** Initial failure counts by group. */
  readonly failures: Readonly<Record<string, GroupFailures>>
  readonly units: readonly InitialUnit[]
  /** Results of earlier units, newest first, for the history. */
  readonly history: readonly UnitResult[]
  /** Assignment servers always answer 'no work'. */
  readonly noWork: boolean
  /** Probability, 0 to 1, that a unit's core fails, and that one attempt of a transfer fails. */
  readonly unitFailureRate: number
  readonly transferFailureRate: number
  /** Maximum number of log lines; 100,000 in a real client. */
  readonly logLines: number
}
export type GroupFailures = { readonly failed_wus?: number; readonly lost_wus?: number; readonly failed?: string }

export type ClientHooks = {
  /** A reader requested to link this client to an account. The handler calls the API, then `setAccount`. */
  onLink?(request: { readonly token: string; readonly name: string }): void
  /** The account connection must be restarted. */
  onRestart?(): void
  /** A unit has ended: its history row, and the donor. */
  onUnitEnd?(row: JsonObject, donor: { readonly user: string; readonly team: number; readonly passkey: string }): void
  /** The stored state has changed. Called often while units change, so debounce it. */
  onChange?(): void
}

export type SimulatedClientOptions = {
  /** Client id: base64url SHA-256 of the RSA modulus (docs/protocol.md §3). */
  readonly id: string
  readonly name: string
  /** The same seed, profile and clock give the same messages. */
  readonly seed: number
  readonly profile: ClientProfile
  readonly schedule: Schedule
  /** Account id, or '' when the client is not linked. */
  readonly account?: string
  /** Speed of work relative to a real client. Default 1. */
  readonly speed?: number
  /** Milliseconds between two moments at which what has changed is stored. */
  readonly saveMs?: number
  /**
   * Fixed message rate for benchmarks: one change of each running unit every so many ms. Default: as the real client.
   */
  readonly changesEvery?: number
  readonly projects?: readonly ProjectSpec[]
  /** A result of `snapshotForStore`. Anything else is ignored, and the client starts from its profile. */
  readonly restored?: Json
  readonly hooks?: ClientHooks
}

export type ClientConnection = {
  /**
   * Handles one parsed command. 'close': the real client would drop the socket (docs/protocol.md §9). The caller
   * rejects messages that are not JSON or too large.
   */
  receive(command: Json): 'ok' | 'close'
  /** Stops sending. Idempotent. */
  detach(): void
}

/** Faults of one client, for tests and the demo. */
export type ClientFaults = {
  /** Fails the running core, or else the next one. */
  failNextUnit(): void
  failNextAssignments(count: number): void
  failNextDownloads(count: number): void
  failNextUploads(count: number): void
  /** The work server rejects the next results. */
  rejectNextResults(): void
  setOnBattery(onBattery: boolean): void
  setInUse(inUse: boolean): void
  /** Lets a GPU disappear, as after a crash of its driver, or return. Its units wait meanwhile. */
  setGpuPresent(id: string, isPresent: boolean): void
  /** Running cores make no progress, although their processes run. */
  setStalled(isStalled: boolean): void
  /** Units compute this many times slower, as with a throttled card; 1 ends it. */
  setSlowness(times: number): void
  /** Starts and waits of units that the client reports from now on are ahead by so many milliseconds, or behind. */
  setClockAhead(milliseconds: number): void
}

export type SimulatedClient = {
  readonly id: string
  /** The current name, `info.mach_name`. */
  name(): string
  readonly profile: ClientProfile
  /**
   * Adds a reader. `send` is called with the full state before `attach` returns, then with every change, and with the
   * log, history and molecules that this reader requests. One connection for each direct socket or relay session.
   * Arrays sent to several readers are the same object and never change, so the caller may cache their text in a
   * WeakMap.
   */
  attach(send: (content: Json) => void): ClientConnection
  /**
   * An account-wide command `{cmd, time, …}` with a verified signature. Commands other than state, config and restart
   * are logged only.
   */
  receiveBroadcast(payload: Json): void
  /** Settings from `GET /machine/{id}`: they overwrite the client's own on every (re)connect. */
  configureFromAccount(config: {
    readonly user?: string
    readonly team?: number
    readonly passkey?: string
    readonly cause?: string
  }): void
  rename(name: string): void
  /** Whether a real client listens in whose place this one is shown, `info.client_behind`. */
  setClientBehind(isThere: boolean): void
  /** The account id, or '' when unlinked. */
  setAccount(account: string): void
  /** Adds a line to the client's log, such as 'OUT4:< 200 OK'. */
  log(level: 'I1' | 'I2' | 'I3' | 'W' | 'E', text: string): void
  /** History rows from before the first start, oldest first. */
  seedHistory(): readonly JsonObject[]
  readonly faults: ClientFaults
  /** The state to store, as JSON. It includes the passkey, which is part of the config. */
  snapshotForStore(): Json
  /** Detaches every reader and cancels all scheduled tasks. */
  stop(): void
}
