import type { Immutable } from 'immer'
import * as v from 'valibot'

export const instant = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15))
const state = v.picklist(['fold', 'pause', 'finish'])

/** What is kept of a client or group over a restart. */
export const savedSchema = v.object({
  decision: v.object({
    state: v.exactOptional(state),
    schedule: v.exactOptional(v.string()),
    rule: v.exactOptional(v.number()),
    since: instant,
    until: v.exactOptional(instant),
  }),
  /** A person's own command. It wins over schedules until its end; without one until schedules are followed again. */
  override: v.optional(
    v.object({
      state,
      at: instant,
      by: v.string(),
      until: v.optional(instant),
      /** The state before it, to return to when no schedule decides. */
      before: v.optional(state),
      /** A command without an end: a pause by it stays when it does not win over schedules any more. */
      isByHand: v.optional(v.boolean()),
    }),
  ),
  /** The last request that was fulfilled, by its key. */
  applied: v.optional(v.string()),
  /**
   * Until then units may be finished before the client is paused. `groups`: those that take no new work, so that they are idle then.
   */
  finishing: v.optional(v.object({ key: v.string(), until: instant, groups: v.optional(v.array(v.string())) })),
  /** The state to return to after an override that no schedule replaces. */
  returning: v.optional(v.object({ state, at: instant })),
  /**
   * Groups that were paused by what was decided here, and have not folded since: all others that are paused were paused by a
   * person. Undefined: an earlier version, which did not keep it, has decided last.
   */
  paused: v.optional(v.array(v.string())),
})

export type Saved = Immutable<v.InferOutput<typeof savedSchema>>
export type Override = NonNullable<Saved['override']>
