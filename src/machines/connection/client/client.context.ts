import type { Structure } from '../../../folding/molecule/structure.ts'
import { emptyQueue, type CommandQueue } from '../../../protocol/command-queue.ts'
import type { ClientSettingsRef } from '../client-settings/client-settings.machine.ts'
import type { LinkTrouble, Surroundings } from './client.events.ts'
import { emptyRecord, type ClientRecord } from './client.reducer.ts'
import type { ClientReport } from './client.report.ts'

export type ClientInput = {
  readonly id: string
  readonly kind: 'direct' | 'relay'
  /** host:port of a direct client. */
  readonly address?: string
  /** The name that the account knows it by. */
  readonly name?: string
  readonly surroundings: Surroundings
  /** Whether it is to report the units that ended. */
  readonly collects?: boolean
  /** How often it has failed in this page: it is not tried at once again. */
  readonly failures?: number
}

export type Viewed = { readonly unit: string; readonly told: Structure | undefined }

export type ClientContext = {
  readonly id: string
  readonly kind: 'direct' | 'relay'
  readonly address: string | undefined
  readonly name: string | undefined
  readonly surroundings: Surroundings
  readonly record: ClientRecord
  /** Whether `record` is still from an earlier visit: shown, but nothing to decide or merge by. */
  readonly isRecalled: boolean
  readonly queue: CommandQueue
  /** Whether a restart was asked for that could not be sent yet. It is kept for the next connection. */
  readonly owesRestart: boolean
  /** Commands that were asked for so far: the next one's key. */
  readonly asked: number
  /** Milliseconds until the second that the last command used up is over. */
  readonly spacing: number
  /** Since when it is connected, in epoch milliseconds; undefined when it is not. */
  readonly connectedAt: number | undefined
  /** When it was last connected; undefined while it is, or if it never was. */
  readonly lostAt: number | undefined
  readonly heardAt: number | undefined
  readonly trouble: LinkTrouble | undefined
  /** Tries since the last connection. */
  readonly attempts: number
  /** How often it was started again after an error. */
  readonly failures: number
  /** How many look at it. */
  readonly watchers: number
  /** Whether it is to report the units that ended. */
  readonly collects: boolean
  /** The unit whose molecule is looked at, and what the viewer was told of it last. */
  readonly viewed: Viewed | undefined
  /** How many read its log. */
  readonly logReaders: number
  readonly report: ClientReport | undefined
  /** Whether a connection is being made. */
  readonly isOpening: boolean
  /** What can be changed of it; there as long as somebody has the page open. */
  readonly settings: ClientSettingsRef | undefined
  /** What its settings were told of last. */
  readonly told: readonly unknown[]
}

/** A client of which nothing is known yet but how to reach it. */
export const unheard = (input: ClientInput): ClientContext => ({
  id: input.id,
  kind: input.kind,
  address: input.address,
  name: input.name,
  surroundings: input.surroundings,
  record: emptyRecord,
  isRecalled: false,
  queue: emptyQueue,
  owesRestart: false,
  asked: 0,
  spacing: 0,
  connectedAt: undefined,
  lostAt: undefined,
  heardAt: undefined,
  trouble: input.failures === undefined ? undefined : 'failed',
  attempts: input.failures ?? 0,
  failures: input.failures ?? 0,
  watchers: 0,
  collects: input.collects ?? false,
  viewed: undefined,
  logReaders: 0,
  report: undefined,
  isOpening: false,
  settings: undefined,
  told: [],
})
