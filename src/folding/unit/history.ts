/*
 * The history of ended units that clients report (`wus`, docs/protocol.md §7), stored with a summary of each client so
 * that it can be shown without them. A client keeps 500 units; here they are kept for good.
 */
import { t } from '@lingui/core/macro'
import type { ClientInfo, Unit } from '../../protocol/client/client-data.ts'
import { copyTexts, isOfAccount, SIMULATION, shortText, type ArchivedClient, type Fields } from './archived-client.ts'
import { osText } from '../client/client.ts'
import { isSameValue } from '../shared/equal.ts'
import { UNKNOWN } from '../text/format.ts'
import { MAX_STORED_UNITS } from '../shared/memory-limits.ts'
import { finite, ownValue, record, text } from '../shared/read.ts'
import { boundedId, boundedKey } from '../text/vocabulary.ts'
import { unitResources } from '../client/resources.ts'
import { parseTime } from '../text/times.ts'
import { ppdOf, workShare } from './unit-progress.ts'

/** An ended unit and its client. */
export type ArchivedUnit = {
  /** Stable across reports: the client and the unit. */
  readonly key: string
  readonly machine: string
  readonly unit: Unit
}

export type History = {
  readonly machines: ReadonlyMap<string, ArchivedClient>
  readonly units: ReadonlyMap<string, ArchivedUnit>
}

/** A part of a history: what a report adds, or a file contains. */
export type Excerpt = { readonly machines: readonly ArchivedClient[]; readonly units: readonly ArchivedUnit[] }

/** A single value, so that selectors stay stable. */
export const emptyHistory: History = { machines: new Map(), units: new Map() }

/** Shown before a file with client IDs is exported. */
export const MACHINE_ID_WARNING = t`Anyone who has a machine ID can ask the API for its user name, team and passkey. Share this file only with people you trust.`

/** Identifies an ended unit within its client: its id, else its number and end. */
function historyKey(unit: Unit): string {
  const id = text(unit.id)
  return id === undefined ? boundedKey(`#${String(unit.number)} ${String(unit.end_time)}`) : boundedId(id)
}

function keyOf({ id }: ArchivedClient, unit: Unit): string {
  return `${id} ${historyKey(unit)}`
}

/** When the unit ended, epoch milliseconds; undefined if it has not or does not report it. */
export function endOf(unit: Unit): number | undefined {
  return parseTime(unit.end_time)
}

/** The new or changed units of a report, reduced to the stored fields. */
export function newInReport(history: History, client: ArchivedClient, units: readonly Unit[]): Excerpt {
  const previous = history.machines.get(client.id)
  const now = previous !== undefined && !isOfAccount(previous) ? { ...client, owner: previous.owner } : client
  const fresh = units.flatMap(unit => {
    const known = history.units.get(keyOf(now, unit))?.unit
    // Most of a report is known; what is stored of a unit is made only of the others.
    if (known !== undefined && isSameEnd(known, unit)) return []
    const reported = archivedUnit(now, unit)
    return known !== undefined && isSameEnd(known, reported.unit) ? [] : [reported]
  })
  return { machines: previous !== undefined && isSameClient(previous, now) ? [] : [now], units: fresh }
}

/** The history with an excerpt added; the same object when it is empty. Keeps the newest `most` units. */
export function withExcerpt(history: History, { machines: clients, units }: Excerpt, most = MAX_STORED_UNITS): History {
  if (clients.length === 0 && units.length === 0) return history
  return {
    machines: added(history.machines, clients, ({ id }) => id),
    units:
      units.length === 0
        ? history.units
        : newest(
            added(history.units, units, ({ key }) => key),
            most,
          ),
  }
}

/** The history without some clients and their units. */
export function withoutClients(history: History, isGone: (client: ArchivedClient) => boolean): History {
  const gone = new Set([...history.machines.values()].filter(isGone).map(({ id }) => id))
  if (gone.size === 0) return history
  return {
    machines: new Map([...history.machines].filter(([id]) => !gone.has(id))),
    units: new Map([...history.units].filter(([, { machine: client }]) => !gone.has(client))),
  }
}

/** What real clients did, and apart from it what simulated ones did that were connected directly. */
export function withoutSimulated({ machines: clients, units }: Excerpt): {
  readonly real: Excerpt
  readonly apart: Excerpt
} {
  const simulated = new Set(clients.flatMap(({ id, owner }) => (owner === SIMULATION ? [id] : [])))
  return {
    real: {
      machines: clients.filter(({ id }) => !simulated.has(id)),
      units: units.filter(({ machine: client }) => !simulated.has(client)),
    },
    apart: {
      machines: clients.filter(({ id }) => simulated.has(id)),
      units: units.filter(({ machine: client }) => simulated.has(client)),
    },
  }
}

/** The history without the machines and units of an excerpt. */
export function withoutExcerpt({ machines, units }: History, excerpt: Excerpt): History {
  const goneMachines = new Set(excerpt.machines.map(({ id }) => id))
  const goneUnits = new Set(excerpt.units.map(({ key }) => key))
  return {
    machines: new Map([...machines].filter(([id]) => !goneMachines.has(id))),
    units: new Map([...units].filter(([key]) => !goneUnits.has(key))),
  }
}

/** Whether a client's history belongs to an account other than this one. */
export function belongsToOtherAccount(client: Pick<ArchivedClient, 'owner'>, account: string | undefined): boolean {
  return isOfAccount(client) && client.owner !== account
}

/** The newest end of these units, epoch milliseconds; undefined without one. */
export function latestEnd(units: Iterable<ArchivedUnit>): number | undefined {
  let latest: number | undefined
  for (const { unit } of units) {
    const end = endOf(unit)
    if (end !== undefined && (latest === undefined || end > latest)) latest = end
  }
  return latest
}

/** The unit as it is stored: the displayed fields, including its resources, which need the client's info. */
export function archivedUnit(client: ArchivedClient, unit: Unit): ArchivedUnit {
  return {
    key: keyOf(client, unit),
    machine: client.id,
    unit: slimUnit(unit, client.info),
  }
}

const UNIT_TEXTS = ['id', 'group', 'state', 'result', 'error', 'eta', 'end_time', 'left_out'] as const
const UNIT_NUMBERS = [
  'number',
  'cpus',
  'wu_progress',
  'ppd',
  'run_time',
  'tpf_secs',
  'logged_credit',
  'credit_asked',
] as const
const ASSIGNMENT_TEXTS = ['ws', 'time'] as const
const ASSIGNMENT_NUMBERS = ['project', 'credit', 'deadline', 'timeout'] as const
const WU_NUMBERS = ['run', 'clone', 'gen'] as const

function slimUnit(unit: Unit, info: ClientInfo): Unit {
  const slim: Fields = {}
  copyTexts(unit, UNIT_TEXTS, slim)
  const group = text(unit.group)
  if (group !== undefined) slim['group'] = boundedKey(group)
  copyNumbers(unit, UNIT_NUMBERS, slim)
  // What was not reported is left out rather than kept as zero.
  if (ppdOf(unit) === undefined) delete slim['ppd']
  if (workShare(unit) === undefined) delete slim['wu_progress']
  if (Array.isArray(unit.gpus)) slim['gpus'] = unit.gpus.flatMap(gpu => shortText(gpu) ?? []).slice(0, MAX_GPUS)
  const assignment = slimAssignment(unit)
  if (Object.keys(assignment).length > 0) slim['assignment'] = assignment
  const wu: Fields = {}
  copyNumbers(unit.wu, WU_NUMBERS, wu)
  if (Object.keys(wu).length > 0) slim['wu'] = wu
  const resources = shortText(unitResources(unit, info))
  if (resources !== undefined) slim['resources'] = resources
  const os = shortText(ownValue(unit, 'os_title')) ?? shortText(osText(info))
  if (os !== undefined && os !== UNKNOWN) slim['os_title'] = os
  return slim
}

function slimAssignment({ assignment }: Unit): Fields {
  const slim: Fields = {}
  copyTexts(assignment, ASSIGNMENT_TEXTS, slim)
  copyNumbers(assignment, ASSIGNMENT_NUMBERS, slim)
  const core: unknown = assignment?.core
  const type = record(core) === undefined ? core : ownValue(core, 'type')
  const name = typeof type === 'number' ? `0x${type.toString(16)}` : shortText(type)
  if (name !== undefined) slim['core'] = { type: name }
  return slim
}

const MAX_GPUS = 64

function copyNumbers(from: unknown, names: readonly string[], to: Fields): void {
  const fields = record(from)
  if (fields === undefined) return
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? finite(fields[name]) : undefined
    if (value !== undefined) to[name] = value
  }
}

function isSameEnd(a: Unit, b: Unit): boolean {
  return a.end_time === b.end_time && a.result === b.result && a.state === b.state && a.number === b.number
}

function isSameClient(a: ArchivedClient, b: ArchivedClient): boolean {
  return a.name === b.name && a.owner === b.owner && isSameValue(a.info, b.info)
}

function added<T>(
  existing: ReadonlyMap<string, T>,
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, T> {
  const all = new Map(existing)
  for (const item of items) all.set(keyOf(item), item)
  return all
}

function newest(units: ReadonlyMap<string, ArchivedUnit>, most: number): ReadonlyMap<string, ArchivedUnit> {
  if (units.size <= most) return units
  const ends = new Map([...units].map(([key, { unit }]) => [key, endOf(unit) ?? 0]))
  const keys = new Set([...ends.keys()].sort((a, b) => (ends.get(b) ?? 0) - (ends.get(a) ?? 0)).slice(0, most))
  return new Map([...units].filter(([key]) => keys.has(key)))
}
