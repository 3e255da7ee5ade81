/*
 * The history that a server keeps, as the pages that it serves read it. The schema is both the server's description of its
 * API and what a page checks answers against.
 */
import * as v from 'valibot'
import type { Unit } from '../../protocol/client/client-data.ts'
import { idOfKey } from '../client/client-key.ts'
import { LONGEST_KEY } from '../text/vocabulary.ts'
import { archivedClient, type ArchivedClient } from './archived-client.ts'
import { type ArchivedUnit, type Excerpt } from './history.ts'

const MOST_CLIENTS = 20_000
/** Units of one answer. */
export const UNITS_A_PAGE = 5000
/** Units of one request that takes a page's own units in. */
export const UNITS_A_REQUEST = 500

const shortText = v.pipe(v.string(), v.maxLength(LONGEST_KEY))
const number = v.nullable(v.pipe(v.number(), v.finite()))

const servedUnit = v.object({
  key: v.pipe(shortText, v.description('Stable: of the machine and the unit')),
  machine: shortText,
  unit: shortText,
  number,
  group: shortText,
  resource: shortText,
  project: number,
  run: number,
  clone: number,
  gen: number,
  core: v.nullable(shortText),
  result: shortText,
  credit: number,
  pointsPerDay: number,
  tpf: v.pipe(number, v.description('Seconds per frame')),
  progress: v.pipe(number, v.description('Share of the work, 0 to 1')),
  runTime: v.pipe(number, v.description('Seconds')),
  assigned: v.pipe(number, v.description('Epoch milliseconds')),
  ended: v.pipe(v.number(), v.finite(), v.description('Epoch milliseconds')),
  loggedCredit: v.pipe(v.optional(number), v.description('Points that the API of Folding@home logged for it')),
  creditAsked: v.pipe(v.optional(number), v.description('When these were asked for, epoch milliseconds')),
})
const servedClient = v.object({ id: shortText, name: shortText, os: shortText, version: shortText })

export const historyAnswer = v.object({
  machines: v.pipe(
    v.array(servedClient),
    v.maxLength(MOST_CLIENTS),
    v.description('All machines that the server ever saw, with the first page only'),
  ),
  units: v.pipe(v.array(servedUnit), v.maxLength(UNITS_A_PAGE), v.description('Newest first')),
  next: v.pipe(v.nullable(shortText), v.description('`after` of the next page')),
  mayGive: v.pipe(v.boolean(), v.description('Whether units of the caller are taken in')),
})

const answerWithRows = v.object({
  ...historyAnswer.entries,
  machines: v.array(v.unknown()),
  units: v.array(v.unknown()),
})

/** What a page reads of an answer. Rows that it cannot read are left out, and counted. */
export function readHistory(content: unknown): (HistoryAnswer & { readonly unusable: number }) | undefined {
  const { success, output } = v.safeParse(answerWithRows, content)
  if (!success) return undefined
  const clients = output.machines.slice(0, MOST_CLIENTS).filter(row => v.is(servedClient, row))
  const units = output.units.slice(0, UNITS_A_PAGE).filter(row => v.is(servedUnit, row))
  const unusable = output.machines.length + output.units.length - clients.length - units.length
  return { ...output, machines: clients, units, unusable }
}

/** A page's own units: as its file of units has them. */
export const historyBody = v.object({
  machines: v.pipe(v.array(v.looseObject({ id: shortText, name: shortText })), v.maxLength(UNITS_A_REQUEST)),
  units: v.pipe(v.array(v.looseObject({ machine: shortText })), v.maxLength(UNITS_A_REQUEST)),
})
export const takenAnswer = v.object({
  taken: v.pipe(v.number(), v.description('Units that were not known')),
  known: v.pipe(v.number(), v.description('Units that were known, and stay as they are')),
})

export type HistoryAnswer = v.InferOutput<typeof historyAnswer>
export type ServedUnit = HistoryAnswer['units'][number]

function isoTime(at: number): string | undefined {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString().replace(/\.\d+Z$/, 'Z') : undefined
}

/** Only fields that have a value: a client leaves the others out too. */
function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
}

function unitOf(served: ServedUnit): Unit {
  return present({
    id: served.unit,
    number: served.number,
    group: served.group,
    result: served.result,
    end_time: isoTime(served.ended),
    ppd: served.pointsPerDay,
    run_time: served.runTime,
    tpf_secs: served.tpf,
    wu_progress: served.progress,
    resources: served.resource,
    logged_credit: served.loggedCredit,
    credit_asked: served.creditAsked,
    assignment: present({
      project: served.project,
      credit: served.credit,
      time: served.assigned === null ? null : isoTime(served.assigned),
      core: served.core === null ? null : { type: served.core },
    }),
    wu: present({ run: served.run, clone: served.clone, gen: served.gen }),
  })
}

function clientOf({ id, name, os, version }: HistoryAnswer['machines'][number]): ArchivedClient {
  return {
    ...archivedClient(id, name, {
      info: { ...present({ id: idOfKey(id), version }), ...(os === '' ? {} : { os }) },
      config: {},
      groups: {},
      units: [],
    }),
    id,
    owner: undefined,
  }
}

/** What a page keeps of an answer. */
export function excerptOf({ machines: clients, units }: HistoryAnswer): Excerpt {
  return {
    machines: clients.map(clientOf),
    units: units.map((served): ArchivedUnit => ({ key: served.key, machine: served.machine, unit: unitOf(served) })),
  }
}
