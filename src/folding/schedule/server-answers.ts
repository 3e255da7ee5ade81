/*
 * What a server tells the pages that it serves: the identity of their user, its schedules and what they decide. The schemas are both
 * the server's description of its API and what a page checks answers against.
 */
import * as v from 'valibot'
import { EXCESSES } from '../client/client-excess.ts'
import { schedulesSchema } from './schedule.ts'

const time = v.nullable(v.string())
const state = v.picklist(['fold', 'pause', 'finish'])
/** Quarters of an hour, and changes of prices that have names. */
const MOST_PRICES = 5000
const MOST_CLIENTS = 10_000

/** The session of a person or program, and what the settings allow. */
export const sessionAnswer = v.object({
  name: v.string(),
  role: v.picklist(['viewer', 'operator', 'administrator']),
  scopes: v.nullable(v.array(v.string())),
  expires: time,
  mayControl: v.pipe(v.boolean(), v.description('Whether the role or scopes allow commands')),
  canSignOut: v.pipe(v.boolean(), v.description('Whether there is a session of this server to end')),
  shared: v.pipe(v.string(), v.description('The revision of tags and views')),
  server: v.object({ name: v.string(), version: v.string() }),
  machines: v.pipe(
    v.array(
      v.object({
        number: v.number(),
        name: v.optional(v.string()),
        commands: v.array(v.string()),
        excess: v.pipe(
          v.optional(v.picklist(EXCESSES)),
          v.description('Of what it sent more than a client does, while the server leaves it alone for that'),
        ),
      }),
    ),
    v.maxLength(MOST_CLIENTS),
    v.description('What the settings call each machine, and allow to send to it'),
  ),
})

const subjectAnswer = v.object({
  machine: v.pipe(v.number(), v.description('Its place in the settings, from 1')),
  name: v.string(),
  group: v.nullable(v.string()),
  condition: v.pipe(
    v.picklist(['starting', 'unset', 'kept', 'changed', 'observing', 'away', 'outdated', 'sending', 'retrying']),
    v.description(
      'How far the decision has come: unset, kept, changed (at the machine), observing (may not act), away, outdated (its state is too old), sending, retrying, starting',
    ),
  ),
  wanted: v.pipe(v.nullable(state), v.description('What the machine shall do now; null: it is left as it is')),
  schedule: v.pipe(v.nullable(v.string()), v.description('The schedule that decides, by its id')),
  rule: v.pipe(v.nullable(v.number()), v.description('The rule that decides, by its position from 0')),
  because: v.pipe(v.nullable(v.string()), v.description('The reason in words')),
  since: time,
  until: time,
  idle: v.pipe(
    v.optional(v.object({ at: v.number(), until: v.number(), lengths: v.record(v.string(), v.number()) })),
    v.description(
      'By when it shall be idle: epoch milliseconds, the same without what is paused before, and how long its units usually take',
    ),
  ),
  override: v.nullable(v.object({ state, by: v.string(), since: v.string(), until: time })),
})

export const schedulesAnswer = v.object({
  revision: v.string(),
  schedules: schedulesSchema,
  inputs: v.array(v.object({ name: v.string(), value: v.number(), at: v.string() })),
  lists: v.pipe(v.array(v.string()), v.description('Names of lists of prices that programs sent')),
  meters: v.pipe(v.optional(v.array(v.string())), v.description('Names of the meters of the settings')),
  conditions: v.pipe(
    v.record(
      v.string(),
      v.object({
        isOn: v.boolean(),
        since: v.number(),
        spans: v.optional(v.pipe(v.array(v.object({ begin: v.number(), end: v.number() })), v.readonly())),
      }),
    ),
    v.description('Which rules apply that depend on more than the time, and when they will as far as that is known'),
  ),
  prices: v.pipe(
    v.array(v.object({ begin: v.number(), end: v.number(), price: v.optional(v.number()) })),
    v.maxLength(MOST_PRICES),
    v.description('Of a kilowatt hour in the next eight days, in order; without a price where none is known'),
  ),
  currency: v.optional(v.string()),
  machines: v.pipe(
    v.array(
      v.object({
        number: v.number(),
        name: v.string(),
        address: v.string(),
        tags: v.array(v.string()),
        groups: v.array(v.string()),
        paused: v.pipe(v.optional(v.array(v.string())), v.description('Groups that schedules paused, and resume')),
        mayAct: v.boolean(),
        watts: v.pipe(
          v.optional(v.object({ idle: v.number(), folding: v.number(), drawn: v.number(), isGuess: v.boolean() })),
          v.description(
            'What it draws while nothing folds, what folding adds, and adds now, as far as the first two are known',
          ),
        ),
        used: v.pipe(
          v.optional(v.record(v.string(), v.object({ kWh: v.number(), money: v.number() }))),
          v.description('This month, by the time zones of schedules and prices'),
        ),
      }),
    ),
    v.maxLength(MOST_CLIENTS),
  ),
  subjects: v.pipe(v.array(subjectAnswer), v.maxLength(2 * MOST_CLIENTS)),
})

export type SessionAnswer = v.InferOutput<typeof sessionAnswer>
export type SchedulesAnswer = v.InferOutput<typeof schedulesAnswer>
export type SubjectAnswer = SchedulesAnswer['subjects'][number]
