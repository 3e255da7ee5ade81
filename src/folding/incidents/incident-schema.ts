/* Incidents, and what is remembered of clients, as any version of Foldboard may have stored them. */
import type { Immutable } from 'immer'
import * as v from 'valibot'
import { GRAVITIES, INCIDENT_KINDS, LONGEST_EVIDENCE } from './incident-names.ts'

export const instant = v.pipe(v.number(), v.finite())
const text = v.pipe(v.string(), v.maxLength(LONGEST_EVIDENCE))
export const kind = v.picklist(INCIDENT_KINDS)

/** The values that a rule found; which of them are set depends on the kind. Never a secret. */
const evidenceSchema = v.object({
  group: v.exactOptional(text),
  /** The person's own name of the group. */
  title: v.exactOptional(text),
  /** The client's number of a unit, and its id. */
  unit: v.exactOptional(instant),
  unitId: v.exactOptional(text),
  project: v.exactOptional(instant),
  /** The id of a GPU, and its description. */
  gpu: v.exactOptional(text),
  name: v.exactOptional(text),
  count: v.exactOptional(instant),
  /** What exactly is wrong, of several possibilities of one kind. */
  reason: v.exactOptional(text),
  /** The value that is stored, and the one that the client uses. */
  stored: v.exactOptional(text),
  used: v.exactOptional(text),
  /** The server's last answer, and when it came. */
  answer: v.exactOptional(text),
  answerAt: v.exactOptional(instant),
  /** A timeout or deadline, epoch milliseconds, and whether it has passed. */
  limitAt: v.exactOptional(instant),
  isPast: v.exactOptional(v.boolean()),
  seconds: v.exactOptional(instant),
  usualSeconds: v.exactOptional(instant),
  version: v.exactOptional(text),
  /** Vendor and system of a GPU, by which advice about its driver is chosen. */
  place: v.exactOptional(text),
})

/** A fact about a client at one moment that is an incident while it lasts. */
const conditionSchema = v.object({
  kind,
  gravity: v.picklist(GRAVITIES),
  /** Tells conditions of one kind on one client apart: a group, a GPU, a unit, a setting. */
  subject: text,
  /** Epoch milliseconds, as all times of incidents. */
  since: instant,
  evidence: evidenceSchema,
})

const incidentSchema = v.object({
  ...conditionSchema.entries,
  /** Client, kind and subject. One incident at a time has it; resolved ones are told apart by `since`. */
  key: v.pipe(v.string(), v.maxLength(3000)),
  machine: text,
  /** The client's name when the incident was last seen. */
  name: text,
  /** Id of the account the client was reached through; undefined if it was connected directly. */
  owner: v.optional(text),
  state: v.picklist(['open', 'acknowledged', 'snoozed', 'resolved']),
  /** How often it came back after it had been resolved for a short time; 1 at first. */
  times: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** The end of a snooze. */
  snoozedUntil: v.optional(instant),
  resolvedAt: v.optional(instant),
  /** Only its statechart needs this. */
  wasAcknowledged: v.boolean(),
})

export type Evidence = Immutable<v.InferOutput<typeof evidenceSchema>>
export type Condition = Immutable<v.InferOutput<typeof conditionSchema>>
export type StoredIncident = Immutable<v.InferOutput<typeof incidentSchema>>
/** An incident as it is shown. */
export type Incident = Omit<StoredIncident, 'wasAcknowledged'>

/** A stored incident; undefined when it cannot be read. */
export function parseIncident(value: unknown): StoredIncident | undefined {
  const { success, output } = v.safeParse(incidentSchema, value)
  return success && (output.state === 'resolved') === (output.resolvedAt !== undefined) ? output : undefined
}

const sample = v.object({ at: instant, share: instant })
const maybeText = v.optional(text)
const MOST_ENTRIES = 1000
/** Entries that cannot be read are left out. */
function mapOf<Key extends string | number, Value>(
  key: v.GenericSchema<unknown, Key>,
  value: v.GenericSchema<unknown, Value>,
) {
  return v.pipe(
    v.map(v.unknown(), v.unknown()),
    v.transform(entries => {
      const usable = new Map<Key, Value>()
      for (const entry of entries) {
        const [{ output: name, success: hasName }, content] = [v.safeParse(key, entry[0]), v.safeParse(value, entry[1])]
        if (hasName && content.success && usable.size < MOST_ENTRIES) usable.set(name, content.output)
      }
      return usable
    }),
  )
}

/** A unit's progress. */
const unitMemory = v.object({
  state: text,
  /** Since when it works without interruption, and the share of the work, or of a transfer, that was last seen to grow. */
  progress: v.optional(sample),
  /** Earlier moments of progress, from which the speed is measured to `progress`. */
  from: v.optional(sample),
  middle: v.optional(sample),
  startTime: maybeText,
  wait: maybeText,
  /** Whether it was held back, as only what is dumped is; missing in what earlier versions stored. */
  isHeld: v.exactOptional(v.boolean()),
})

/** A wait for work, or for a server. */
const waitMemory = v.object({
  since: instant,
  state: text,
  group: text,
  unit: v.optional(instant),
  answer: maybeText,
  answerAt: v.optional(instant),
})

/** What is remembered of a client, and the account it belongs to. */
const memorySchema = v.object({
  owner: maybeText,
  memory: v.object({
    firstSeen: instant,
    /** When it was last evaluated while it was connected. */
    lastSeen: v.optional(instant),
    /** As of when its data were then; missing in what earlier versions stored. */
    dataAt: v.optional(instant),
    /** Supported GPUs that the client had, by id. */
    gpus: mapOf(text, v.object({ name: text, at: instant })),
    /** By the client's number of the unit. */
    units: mapOf(instant, unitMemory),
    /** By group: the client's count of lost units, and how many of them were seen to be dumped. */
    lost: v.optional(mapOf(text, v.object({ count: instant, dumped: instant })), new Map()),
    /** By group and resources, since the number of a unit changes with every attempt. */
    waits: mapOf(text, waitMemory),
    /** Since when groups are paused. */
    paused: mapOf(text, instant),
    /** Seconds per frame of the last units, by project and hardware, the newest last. */
    speeds: mapOf(text, v.pipe(v.array(instant), v.maxLength(20))),
    /** The client's clock minus this one's, in milliseconds, and when that was seen. `isLeast`: it may be more. */
    clock: v.optional(v.object({ offset: instant, at: instant, isLeast: v.exactOptional(v.boolean()) })),
    /** Conditions that a rule found: since when, when last, and whether they were reported. */
    held: mapOf(
      v.pipe(v.string(), v.maxLength(2000)),
      v.object({ since: instant, last: instant, isReported: v.boolean() }),
    ),
  }),
})

export type UnitMemory = Immutable<v.InferOutput<typeof unitMemory>>
export type WaitMemory = Immutable<v.InferOutput<typeof waitMemory>>
export type StoredMemory = Immutable<v.InferOutput<typeof memorySchema>>
export type ClientMemory = StoredMemory['memory']

/** What was remembered of a client; undefined when it cannot be read. */
export function parseMemory(value: unknown): StoredMemory | undefined {
  const { success, output } = v.safeParse(memorySchema, value)
  return success ? output : undefined
}
