import type { Unit, ClientData } from '../../protocol/client/client-data.ts'

/**
 * `running`: its core computes. `held`: something on the client keeps it from going on. `waiting`: until a time, after an
 * attempt that failed. `asking`: for work. `transferring`: a download or an upload is under way. `dumping`: its dump is
 * being reported. `ended`: it has a result, or leaves the list.
 */
export type UnitCondition = 'running' | 'held' | 'waiting' | 'asking' | 'transferring' | 'dumping' | 'ended' | 'unknown'

/** `data`: of its client; only reasons and help need it. `at`: epoch milliseconds on the client's clock. */
export type UnitEvidence = { readonly unit: Unit; readonly data: ClientData | undefined; readonly at: number }
export type Row = {
  readonly id: string
  /** The section of docs/protocol.md that says so. */
  readonly source: string
  readonly holds: (evidence: UnitEvidence) => boolean
  readonly condition: UnitCondition
  /** The word of its state for `statusAppearance`. */
  readonly status: (unit: Unit) => string
  readonly reason?: (evidence: UnitEvidence) => string | undefined
  readonly help?: (evidence: UnitEvidence) => string | undefined
  /** The setting of its group that decides, by its key; of its GPUs `gpus` and which one. */
  readonly setting?: (evidence: UnitEvidence) => string | undefined
}
