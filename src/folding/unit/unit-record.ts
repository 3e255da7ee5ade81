/*
 * What was seen of a unit while it was worked on: its progress, points per day and state from time to time, as its client
 * reported them. Nothing is known of the time in which no page was open, so gaps are part of the record.
 */
import * as v from 'valibot'
import { LONGEST_KEY } from '../text/vocabulary.ts'

const finite = v.pipe(v.number(), v.finite())
const shortText = v.pipe(v.string(), v.maxLength(LONGEST_KEY))

const momentSchema = v.object({
  /** Epoch milliseconds. */
  at: finite,
  /** The share of the work that is done, 0 to 1; left out while unknown. */
  progress: v.exactOptional(v.pipe(finite, v.minValue(0), v.maxValue(1))),
  /** Points per day; 0 while the core does not run. */
  ppd: v.pipe(finite, v.minValue(0)),
  /** A key of `statusAppearance`. */
  status: shortText,
  /** A value that schedules of a server tie to its hardware, as a temperature. */
  input: v.exactOptional(v.object({ name: shortText, value: finite })),
  /** Nothing is known of the time before it. */
  isAfterGap: v.exactOptional(v.literal(true)),
})

/** Moments of a record at most. */
const MOST_MOMENTS = 360

const recordSchema = v.object({
  /** The key of the client, and the id of the unit. */
  client: shortText,
  unit: shortText,
  /** The account through which it was seen; undefined for a direct connection. */
  owner: v.optional(shortText),
  /** Milliseconds between moments in which nothing happened; longer, the longer the record is. */
  spacing: v.pipe(finite, v.minValue(1)),
  moments: v.pipe(v.array(momentSchema), v.minLength(1), v.maxLength(MOST_MOMENTS)),
})

export type Moment = Readonly<v.InferOutput<typeof momentSchema>>
export type UnitRecord = Omit<Readonly<v.InferOutput<typeof recordSchema>>, 'moments' | 'owner'> & {
  readonly owner: string | undefined
  /** In order. */
  readonly moments: readonly Moment[]
}
export type SeenUnit = Pick<UnitRecord, 'client' | 'unit' | 'owner'>
export type Seen = SeenUnit & { readonly moment: Moment }

/** A stored record; undefined when it cannot be read. */
export function readRecord(stored: unknown): UnitRecord | undefined {
  const { success, output } = v.safeParse(recordSchema, stored)
  return success ? { ...output, owner: output.owner } : undefined
}

/** A unit is looked at this often, milliseconds, and at once when its state changes. */
export const LOOK_INTERVAL = 60_000
/** After a longer silence it is not known what the unit did, milliseconds: a hidden page looks once a minute. */
const LONGEST_SILENCE = 200_000

/** Whether work was lost: a core continues from its last checkpoint. Clients round to a thousandth. */
export function isSetBack({ progress: before = 0 }: Moment, { progress: after = 1 }: Moment): boolean {
  return after < before - 0.0005
}

/** Whether a moment can be left out, as nothing happens there. */
function isPlain(moments: readonly Moment[], at: number): boolean {
  const [before, moment, after] = [moments[at - 1], moments[at], moments[at + 1]]
  if (before === undefined || moment === undefined || after === undefined) return false
  return (
    before.status === moment.status &&
    moment.status === after.status &&
    moment.isAfterGap !== true &&
    after.isAfterGap !== true &&
    !isSetBack(before, moment) &&
    !isSetBack(moment, after)
  )
}

function thinned(moments: readonly Moment[], spacing: number): readonly Moment[] {
  let last = -Infinity
  return moments.filter((moment, at) => {
    if (isPlain(moments, at) && moment.at - last < spacing) return false
    last = moment.at
    return true
  })
}

/** The record with a moment more. One that is not later than the last is ignored. */
export function withMoment(record: UnitRecord | undefined, { moment, ...unit }: Seen): UnitRecord {
  if (record === undefined) return { ...unit, spacing: LOOK_INTERVAL, moments: [{ ...moment, isAfterGap: true }] }
  const last = record.moments.at(-1)
  if (last === undefined || moment.at <= last.at) return record
  const next: Moment = moment.at - last.at > LONGEST_SILENCE ? { ...moment, isAfterGap: true } : moment
  // Seen directly, it belongs to nobody's account.
  const owner = unit.owner === undefined ? undefined : record.owner
  const joined = [...record.moments, next]
  const [before, place] = [joined.at(-3), joined.length - 2]
  const isNeedless = before !== undefined && isPlain(joined, place) && last.at - before.at < record.spacing
  const moments = isNeedless ? joined.toSpliced(place, 1) : joined
  if (moments.length <= MOST_MOMENTS) return { ...record, owner, moments }
  const spacing = record.spacing * 2
  const fewer = thinned(moments, spacing).slice(-MOST_MOMENTS)
  return {
    ...record,
    owner,
    spacing,
    moments: fewer.map((entry, at) => (at === 0 ? { ...entry, isAfterGap: true } : entry)),
  }
}

/** Records at most; those seen longest ago are dropped first. */
export const MOST_RECORDS = 200

export type Records = ReadonlyMap<string, UnitRecord>

export function recordKey({ client, unit }: Pick<SeenUnit, 'client' | 'unit'>): string {
  return `${client} ${unit}`
}

function lastSeen({ moments }: UnitRecord): number {
  return moments.at(-1)?.at ?? 0
}

/** The records with what was seen, and the keys of those that were dropped for it. */
export function withSeen(
  records: Records,
  seen: readonly Seen[],
): { readonly records: Records; readonly dropped: readonly string[] } {
  const next = new Map(records)
  for (const one of seen) next.set(recordKey(one), withMoment(next.get(recordKey(one)), one))
  const dropped = [...next]
    .sort(([, a], [, b]) => lastSeen(b) - lastSeen(a))
    .slice(MOST_RECORDS)
    .map(([key]) => key)
  for (const key of dropped) next.delete(key)
  return { records: next, dropped }
}

/** A time in which a unit did not compute, or of which nothing is known. */
export type Interruption = {
  readonly from: number
  readonly to: number
  /** A key of `statusAppearance`; undefined for a gap. */
  readonly status: string | undefined
}

/** States in which the core computes. */
const WORKING: ReadonlySet<string> = new Set(['RUN', 'FINISH'])

/** What interrupted the work, in order. */
export function interruptionsOf({ moments }: Pick<UnitRecord, 'moments'>): readonly Interruption[] {
  const found: Interruption[] = []
  moments.slice(1).forEach((moment, at) => {
    const before = moments[at]
    if (before === undefined) return
    const status = moment.isAfterGap === true ? undefined : before.status
    if (status !== undefined && WORKING.has(status)) return
    const last = found.at(-1)
    if (last !== undefined && last.status === status && last.to === before.at)
      found.splice(-1, 1, { ...last, to: moment.at })
    else found.push({ from: before.at, to: moment.at, status })
  })
  return found
}

/** Work that was done again: the core continued from an earlier checkpoint. */
export type SetBack = { readonly at: number; readonly from: number; readonly to: number }

export function setBacksOf({ moments }: Pick<UnitRecord, 'moments'>): readonly SetBack[] {
  return moments.slice(1).flatMap((moment, at): readonly SetBack[] => {
    const before = moments[at]
    if (before?.progress === undefined || moment.progress === undefined || !isSetBack(before, moment)) return []
    return [{ at: moment.at, from: before.progress, to: moment.progress }]
  })
}
