import type { Kysely, NotNull, Selectable } from 'kysely'
import { isAlertStillUseful, partsOfOccurrence } from '../alerts/plan.ts'
import { type Alert } from '../alerts/alert.ts'
import type { DeliveryState, KeptDelivery } from '../machines/delivery/delivery.events.ts'
import type { Write } from './write.ts'
import { pauseForMessages } from '../event-loop.ts'
import { partsOf, writeRows } from './rows.ts'
import type { AlertTable, DeliveryTable, Tables } from './schema.ts'
import { incidentOf, trackedIncidents } from './tracked-incidents.ts'

/** A delivery to start. `due`: epoch milliseconds. */
export type NewDelivery = { readonly id: string; readonly due: number }

/** Of one person by one channel. */
type Lane = { readonly rule: string; readonly channel: string }

export type StoredDelivery = Selectable<DeliveryTable>

/** `remaining`: milliseconds until alerts are sent that may not pass now. */
export type Quiet = { readonly remaining: number; readonly mayPass: (alert: Alert) => boolean }

export type TakeResult = {
  /** Whether the delivery has something to send. */
  readonly isSent: boolean
  /** Milliseconds until what stays is looked at: until the quiet hours end, or a message about the same has been sent. Infinity: nothing stays. */
  readonly later: number
  /** Another delivery for what stays. */
  readonly next: NewDelivery | undefined
}

export type AlertStore = {
  /** Deliveries that are not over. */
  readonly unfinished: () => Promise<readonly StoredDelivery[]>
  /**
   * Takes the alerts of a delivery's lane that are due and still news, drops those that are no news any more, and adds a delivery for
   * those that stay when others are sent.
   */
  readonly take: (id: string, now: number, quiet: Quiet, newId: () => string) => Promise<TakeResult>
  readonly claimedBy: (id: string) => Promise<readonly Alert[]>
  readonly delivery: (id: string) => Promise<StoredDelivery | undefined>
  readonly keep: (delivery: KeptDelivery, now: number) => Promise<void>
  /** An attempt begins: after a crash its outcome is unknown. */
  readonly beginAttempt: (id: string, now: number) => Promise<void>
  /** Newest first. */
  readonly list: (limit: number) => Promise<readonly (StoredDelivery & { readonly alerts: number })[]>
  /** Deletes what was settled before, in parts. Epoch milliseconds. */
  readonly prune: (before: number) => Promise<void>
}

/** States of a delivery that is over. */
const OVER: readonly DeliveryState[] = ['delivered', 'given-up', 'unknown', 'unneeded']
/** Alerts of one message. */
const MOST_TAKEN = 5000
/** Milliseconds until a message about the same is looked for again that is being sent. */
const NEXT_LOOK = 60_000
const DELETED_AT_ONCE = 500

/** Stores alerts that are not stored yet, and the deliveries that will take them. */
export async function addAlerts(
  db: Kysely<Tables>,
  alerts: readonly Alert[],
  newId: () => string,
  now: number,
): Promise<readonly NewDelivery[]> {
  const deliveries = new Map<string, NewDelivery>()
  for (const part of partsOf(alerts)) {
    const added = await writeRows(db, 'alerts', part.map(rowOf), rows =>
      db
        .insertInto('alerts')
        .values([...rows])
        .onConflict(conflict => conflict.column('key').doNothing())
        .returning(['rule', 'channel', 'due'])
        .execute(),
    )
    for (const { rule, channel, due } of added) {
      const key = JSON.stringify([rule, channel, due])
      if (!deliveries.has(key)) deliveries.set(key, await deliveryFor(db, { rule, channel }, due, newId(), now))
    }
  }
  return [...deliveries.values()]
}

/** The delivery of a lane that is due then, if it has not begun; else a new one. */
async function deliveryFor(
  db: Kysely<Tables>,
  { rule, channel }: Lane,
  due: number,
  id: string,
  now: number,
): Promise<NewDelivery> {
  const existing = await db
    .selectFrom('deliveries')
    .select(['id', 'due'])
    .where('rule', '=', rule)
    .where('channel', '=', channel)
    .where('due', '=', due)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  if (existing !== undefined) return existing
  const row = {
    id,
    rule,
    channel,
    state: 'queued',
    due,
    failures: 0,
    error: null,
    created: now,
    settled: null,
    attempted: null,
  }
  await db.insertInto('deliveries').values(row).execute()
  return { id, due }
}

export function alertStoreOf(db: Kysely<Tables>, write: Write): AlertStore {
  return {
    unfinished: () => db.selectFrom('deliveries').selectAll().where('state', 'not in', OVER).orderBy('due').execute(),

    take: (id, now, { remaining, mayPass }, newId) =>
      write(async change => {
        const lane = await change.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst()
        if (lane === undefined) return { isSent: false, later: Infinity, next: undefined }
        const rows = await change
          .selectFrom('alerts')
          .selectAll()
          .where('rule', '=', lane.rule)
          .where('channel', '=', lane.channel)
          .where('state', '=', 'planned')
          // It was due when this was asked for, also where the clock was set back since.
          .where('due', '<=', Math.max(now, lane.due))
          .orderBy('at')
          .limit(MOST_TAKEN)
          .execute()
        const sent = await incidentsBeingSent(change, lane)
        const decided = rows.filter(({ incident }) => !sent.has(incident))
        const candidates = await newsOf(change, lane, decided)
        const accepted = candidates.filter(mayPass)
        const staying = new Set(candidates.map(({ key }) => key))
        await mark(change, accepted, { state: 'taken', delivery: id })
        await mark(
          change,
          decided.filter(({ key }) => !staying.has(key)),
          { state: 'dropped', delivery: null },
        )
        // One that is ready took its alerts before, and was not told that this was stored.
        const isSent = accepted.length > 0 || lane.state === 'ready'
        const later = Math.min(
          accepted.length < candidates.length ? remaining : Infinity,
          decided.length < rows.length ? NEXT_LOOK : Infinity,
        )
        if (!isSent) return { isSent, later, next: undefined }
        await change.updateTable('deliveries').set({ state: 'ready' }).where('id', '=', id).execute()
        const next = later < Infinity ? await deliveryFor(change, lane, now + later, newId(), now) : undefined
        return { isSent, later, next }
      }),

    claimedBy: async id => {
      const rows = await db.selectFrom('alerts').selectAll().where('delivery', '=', id).orderBy('at').execute()
      return rows.flatMap(row => alertOf(db, row) ?? [])
    },

    delivery: id => db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst(),

    keep: async ({ id, state, failures, error, wait }, now) => {
      const settled = OVER.includes(state) ? now : null
      await write(change =>
        change
          .updateTable('deliveries')
          .set({ state, failures, error: error ?? null, due: now + Math.round(wait), settled })
          .where('id', '=', id)
          .execute(),
      )
    },

    beginAttempt: async (id, now) => {
      await write(change =>
        change.updateTable('deliveries').set({ state: 'sending', attempted: now }).where('id', '=', id).execute(),
      )
    },

    list: limit =>
      db
        .selectFrom('deliveries')
        .selectAll()
        .select(eb =>
          eb
            .selectFrom('alerts')
            .select(eb.fn.countAll<number>().as('count'))
            .whereRef('alerts.delivery', '=', 'deliveries.id')
            .as('alerts'),
        )
        .$narrowType<{ alerts: NotNull }>()
        .where('state', '!=', 'unneeded')
        .orderBy('created', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    prune: async before => {
      const deleteSome = () =>
        write(async change => {
          // What was told of an incident that lasts is needed when it ends.
          const lasting = change.selectFrom('incidents').select('key').where('ended', 'is', null)
          const alerts = change
            .selectFrom('alerts')
            .select('key')
            .where('due', '<', before)
            .where('state', '!=', 'planned')
            .where('incident', 'not in', lasting)
            .limit(DELETED_AT_ONCE)
          const deleted = await change.deleteFrom('alerts').where('key', 'in', alerts).executeTakeFirst()
          // Messages with alerts stay: they are looked at when all that goes is gone.
          if (deleted.numDeletedRows >= DELETED_AT_ONCE) return true
          const deliveries = change
            .selectFrom('deliveries')
            .select('id')
            .where('created', '<', before)
            .where('settled', '<', before)
            .where(eb =>
              eb.not(
                eb.exists(eb.selectFrom('alerts').select('key').whereRef('alerts.delivery', '=', 'deliveries.id')),
              ),
            )
            .limit(DELETED_AT_ONCE)
          const { numDeletedRows } = await change
            .deleteFrom('deliveries')
            .where('id', 'in', deliveries)
            .executeTakeFirst()
          return numDeletedRows >= DELETED_AT_ONCE
        })
      while (await deleteSome()) await pauseForMessages()
    },
  }
}

/** The alerts that are still news, with what is known of their incidents now. */
async function newsOf(
  db: Kysely<Tables>,
  { rule, channel }: Lane,
  rows: readonly Selectable<AlertTable>[],
): Promise<readonly Alert[]> {
  const now = await trackedIncidents(db, [...new Set(rows.map(row => row.incident))])
  /** How often each had come when its beginning, and when its end was last told; and when its beginning was. */
  const [found, ended, foundAt] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  for (const part of partsOf([...new Set(rows.map(({ incident }) => incident))])) {
    const delivered = await db
      .selectFrom('alerts')
      .innerJoin('deliveries', 'deliveries.id', 'alerts.delivery')
      .select(['alerts.occurrence', 'alerts.phase', 'deliveries.settled'])
      .where('alerts.rule', '=', rule)
      .where('alerts.channel', '=', channel)
      .where('deliveries.state', 'in', ['delivered', 'unknown'] satisfies DeliveryState[])
      .where('alerts.incident', 'in', part)
      .execute()
    for (const { occurrence, phase, settled } of delivered) {
      const { begin, times } = partsOfOccurrence(occurrence)
      const last = phase === 'ended' ? ended : found
      last.set(begin, Math.max(times, last.get(begin) ?? 0))
      if (phase === 'found') foundAt.set(begin, Math.max(settled ?? 0, foundAt.get(begin) ?? 0))
    }
  }
  return rows.flatMap(row => {
    const alert = alertOf(db, row)
    const { begin, isWoken } = partsOfOccurrence(row.occurrence)
    const isKnown = (found.get(begin) ?? 0) > (ended.get(begin) ?? 0)
    // A message about an earlier occurrence that arrived only after the return says all of it.
    const isNews = row.phase === 'found' && (isWoken || (foundAt.get(begin) ?? 0) < row.at)
    const standing = { now: now.get(row.incident), wasSent: isKnown && !isNews }
    if (alert === undefined || !isAlertStillUseful(alert, standing)) return []
    return [alert.phase === 'found' ? { ...alert, incident: standing.now?.incident ?? alert.incident } : alert]
  })
}

/** Of which a message was begun that may have arrived: what follows is decided when that is known. */
async function incidentsBeingSent(db: Kysely<Tables>, { rule, channel }: Lane): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('alerts')
    .innerJoin('deliveries', 'deliveries.id', 'alerts.delivery')
    .select('alerts.incident')
    .where('deliveries.rule', '=', rule)
    .where('deliveries.channel', '=', channel)
    .where('deliveries.state', 'in', ['ready', 'sending', 'retrying'])
    .execute()
  return new Set(rows.map(({ incident }) => incident))
}

async function mark(
  db: Kysely<Tables>,
  alerts: readonly { readonly key: string }[],
  change: { readonly state: 'taken' | 'dropped'; readonly delivery: string | null },
): Promise<void> {
  for (const part of partsOf(alerts))
    await db
      .updateTable('alerts')
      .set(change)
      .where(
        'key',
        'in',
        part.map(({ key }) => key),
      )
      .execute()
}

function rowOf({ key, occurrence, rule, channel, phase, at, due, incident }: Alert): AlertTable {
  return {
    key,
    occurrence,
    incident: incident.key,
    rule,
    channel,
    phase,
    at,
    due,
    state: 'planned',
    delivery: null,
    value: JSON.stringify(incident),
  }
}

function alertOf(
  db: Kysely<Tables>,
  { key, occurrence, rule, channel, phase, at, due, value }: Selectable<AlertTable>,
): Alert | undefined {
  const incident = incidentOf(db, value)
  return incident === undefined
    ? undefined
    : { key, occurrence, rule, channel, phase: phase === 'ended' ? 'ended' : 'found', at, due, incident }
}
