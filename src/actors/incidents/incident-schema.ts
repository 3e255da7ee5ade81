/* What any version of Foldboard may have stored of incidents, decoded. */
import * as v from 'valibot'
import { GRAVITIES, INCIDENT_KINDS, LONGEST_EVIDENCE } from '../../folding/incidents/incident.ts'
import type { ClientMemory } from '../../folding/incidents/client-memory.ts'
import type { StoredIncident } from '../../machines/incidents/incident/incident.machine.ts'

/** What is remembered of a client, and the account it belongs to. */
export type StoredMemory = { readonly owner: string | undefined; readonly memory: ClientMemory }

export const instant = v.pipe(v.number(), v.finite())
const text = v.pipe(v.string(), v.maxLength(LONGEST_EVIDENCE))
export const kind = v.picklist(INCIDENT_KINDS)

const evidenceSchema = v.object({
  group: v.exactOptional(text),
  unit: v.exactOptional(instant),
  unitId: v.exactOptional(text),
  project: v.exactOptional(instant),
  gpu: v.exactOptional(text),
  name: v.exactOptional(text),
  count: v.exactOptional(instant),
  reason: v.exactOptional(text),
  stored: v.exactOptional(text),
  used: v.exactOptional(text),
  answer: v.exactOptional(text),
  answerAt: v.exactOptional(instant),
  limitAt: v.exactOptional(instant),
  isPast: v.exactOptional(v.boolean()),
  seconds: v.exactOptional(instant),
  usualSeconds: v.exactOptional(instant),
  version: v.exactOptional(text),
  place: v.exactOptional(text),
})

const incidentSchema = v.object({
  kind,
  gravity: v.picklist(GRAVITIES),
  subject: text,
  since: instant,
  evidence: evidenceSchema,
  key: v.pipe(v.string(), v.maxLength(3000)),
  machine: text,
  name: text,
  owner: v.optional(text),
  state: v.picklist(['open', 'acknowledged', 'snoozed', 'resolved']),
  times: v.pipe(v.number(), v.integer(), v.minValue(1)),
  snoozedUntil: v.optional(instant),
  resolvedAt: v.optional(instant),
  wasAcknowledged: v.boolean(),
})

/** A stored incident; undefined when it cannot be read. */
export function parseIncident(value: unknown): StoredIncident | undefined {
  const { success, output } = v.safeParse(incidentSchema, value)
  if (!success || (output.state === 'resolved') !== (output.resolvedAt !== undefined)) return undefined
  return {
    ...output,
    owner: output.owner,
    snoozedUntil: output.snoozedUntil,
    resolvedAt: output.resolvedAt,
  }
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

const memorySchema = v.object({
  owner: maybeText,
  memory: v.object({
    firstSeen: instant,
    lastSeen: v.optional(instant),
    dataAt: v.optional(instant),
    gpus: mapOf(text, v.object({ name: text, at: instant })),
    units: mapOf(
      instant,
      v.object({
        state: text,
        progress: v.optional(sample),
        from: v.optional(sample),
        middle: v.optional(sample),
        startTime: maybeText,
        wait: maybeText,
        isHeld: v.exactOptional(v.boolean()),
      }),
    ),
    lost: v.optional(mapOf(text, v.object({ count: instant, dumped: instant })), new Map()),
    waits: mapOf(
      text,
      v.object({
        since: instant,
        state: text,
        group: text,
        unit: v.optional(instant),
        answer: maybeText,
        answerAt: v.optional(instant),
      }),
    ),
    paused: mapOf(text, instant),
    speeds: mapOf(text, v.pipe(v.array(instant), v.maxLength(20))),
    clock: v.optional(v.object({ offset: instant, at: instant, isLeast: v.exactOptional(v.boolean()) })),
    held: mapOf(
      v.pipe(v.string(), v.maxLength(2000)),
      v.object({ since: instant, last: instant, isReported: v.boolean() }),
    ),
  }),
})

/** What was remembered of a client; undefined when it cannot be read. */
export function parseMemory(value: unknown): StoredMemory | undefined {
  const { success, output } = v.safeParse(memorySchema, value)
  // Missing fields are undefined, which their types allow.
  return success ? (output as StoredMemory) : undefined
}
