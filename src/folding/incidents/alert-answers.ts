/*
 * What a server tells the pages that it serves of its alerts: channels, who is told of what, and what became of messages.
 * The schemas are both the server's description of its API and what a page checks answers against.
 */
import * as v from 'valibot'
import { GRAVITIES, INCIDENT_KINDS } from './incident.ts'

const time = v.pipe(v.string(), v.description('ISO 8601'))
const MOST_MESSAGES = 1000
const gravity = v.picklist(GRAVITIES)

const lastMessage = v.object({
  at: time,
  outcome: v.pipe(v.picklist(['delivered', 'failed']), v.description('failed: also one that will be tried again')),
  reason: v.nullable(v.string()),
  isTrial: v.boolean(),
})

const channelAnswer = v.object({
  name: v.string(),
  kind: v.string(),
  label: v.pipe(v.string(), v.description('The kind, as pages show it')),
  last: v.pipe(v.nullable(lastMessage), v.description('The last message that was tried; null: none yet')),
  waiting: v.pipe(v.number(), v.description('Messages that are planned or held by quiet hours')),
  retrying: v.pipe(v.number(), v.description('Messages that failed and are tried again')),
})

const personAnswer = v.object({
  name: v.string(),
  channels: v.array(v.string()),
  together: v.boolean(),
  escalateMinutes: v.number(),
  least: gravity,
  kinds: v.pipe(v.nullable(v.array(v.picklist(INCIDENT_KINDS))), v.description('null: all')),
  machines: v.pipe(v.nullable(v.array(v.string())), v.description('null: all')),
  digestMinutes: v.number(),
  recovery: v.boolean(),
  quiet: v.nullable(v.object({ from: v.string(), until: v.string(), zone: v.string(), except: v.array(gravity) })),
})

const messageAnswer = v.object({
  id: v.string(),
  person: v.string(),
  channel: v.string(),
  state: v.pipe(
    v.picklist(['queued', 'held', 'ready', 'sending', 'retrying', 'delivered', 'given-up', 'unknown', 'unneeded']),
    v.description('held: by quiet hours; unknown: it may have arrived, and is not sent again'),
  ),
  alerts: v.number(),
  failures: v.number(),
  error: v.nullable(v.string()),
  created: time,
  due: time,
  settled: v.nullable(time),
})

export const alertsAnswer = v.object({
  channels: v.pipe(v.array(channelAnswer), v.maxLength(100)),
  people: v.pipe(v.array(personAnswer), v.maxLength(1000)),
  messages: v.pipe(v.array(messageAnswer), v.maxLength(MOST_MESSAGES), v.description('The newest first')),
})

export const testAnswer = v.object({
  outcome: v.picklist(['sent', 'refused', 'failed', 'unknown']),
  reason: v.nullable(v.string()),
})

export const pushAnswer = v.object({
  key: v.pipe(
    v.nullable(v.pipe(v.string(), v.maxLength(200))),
    v.description('Public key of this server for `PushManager.subscribe`; null: the settings have no channel of push'),
  ),
  browsers: v.pipe(v.number(), v.description('Browsers that are subscribed for this user')),
})

export type AlertsAnswer = v.InferOutput<typeof alertsAnswer>
export type AlertChannel = AlertsAnswer['channels'][number]
export type AlertPerson = AlertsAnswer['people'][number]
export type AlertMessage = AlertsAnswer['messages'][number]
export type TestAnswer = v.InferOutput<typeof testAnswer>
export type PushAnswer = v.InferOutput<typeof pushAnswer>
