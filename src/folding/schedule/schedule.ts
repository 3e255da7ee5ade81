/*
 * Schedules that the server keeps: which state machines shall have, and when. A schedule is a list of rules; the first
 * rule that applies decides. Schedules are in order too: the first one with a decision wins.
 */
import * as v from 'valibot'
import { groupBy } from '../shared/group-by.ts'
import { canonicalTimeZone } from './time-zone.ts'

const state = v.picklist(['fold', 'pause', 'finish'])
/** What a rule does. `resumesPaused`: to fold, it resumes groups as well that a person paused. */
const effectFields = { state, resumesPaused: v.optional(v.boolean()) }
function oneLine(most: number) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(most, `must have at most ${most} characters`),
    v.regex(/^\P{Cc}*$/u, 'must be one line'),
  )
}
const time = v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 07:30'))
/** The end of a day is 24:00. */
const endTime = v.pipe(v.string(), v.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 07:30'))
const date = v.pipe(
  v.string(),
  v.regex(/^20\d\d-\d\d-\d\d$/, 'must be a date such as 2027-12-24'),
  v.check(text => {
    const at = Date.parse(text)
    return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
  }, 'is no date of the calendar'),
)
const finite = v.pipe(v.number(), v.finite('must be a number'), v.minValue(-1e12), v.maxValue(1e12))
function minutes(least: number, most: number) {
  return v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(least), v.maxValue(most))
}

/** Names of inputs are part of addresses: `/api/server/inputs/<name>`. */
export const inputName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_-]{0,39}$/, 'must have 1 to 40 lower-case letters, digits, dashes or underscores'),
)

/** While an input or a price is missing: whether the rule is passed over, or applies. Default: passed over. */
const silent = v.optional(v.picklist(['skip', 'apply']))
const inputFields = {
  /** A value that is older counts as missing. */
  validMinutes: minutes(1, 10_080),
  silent,
}

/** On these days of the week (1: Monday) from a time to a time; to an earlier or the same time: of the next day. */
export const weekFields = {
  kind: v.literal('week'),
  days: v.pipe(v.array(minutes(1, 7)), v.minLength(1, 'must name a day'), v.maxLength(7)),
  from: time,
  until: endTime,
}
/** `inTime`: before it begins, machines take no work that would usually be done later. */
const timeEffect = { ...effectFields, inTime: v.optional(v.boolean()) }
const weekRule = v.object({ ...weekFields, ...timeEffect })

/** The name of an IANA time zone. */
export const timeZoneName = v.pipe(
  v.string(),
  v.maxLength(60),
  v.check(zone => canonicalTimeZone(zone) !== undefined, 'is no time zone such as Europe/Berlin'),
)

/** On each of these dates, which are an exception from the weeks when the rule is before theirs. */
const datesRule = v.pipe(
  v.object({ kind: v.literal('dates'), first: date, last: date, from: time, until: endTime, ...timeEffect }),
  v.check(({ first, last }) => first <= last, 'The first date must not be after the last.'),
  v.check(
    ({ first, last }) => Date.parse(last) - Date.parse(first) <= 366 * 86_400_000,
    'It must not be longer than a year.',
  ),
)

/** While a value that programs send is above or below a threshold. */
const inputRule = v.object({
  kind: v.literal('input'),
  input: inputName,
  compare: v.picklist(['above', 'below']),
  threshold: finite,
  /** How far the value must return beyond the threshold until the rule ends. */
  hysteresis: v.pipe(finite, v.minValue(0, 'must not be negative')),
  /** The rule begins and ends at the earliest this long after it last did. */
  holdMinutes: minutes(0, 1440),
  ...inputFields,
  ...effectFields,
})

/** From when on a month has used this much, until it ends. The month is that of the schedule's zone. */
const budgetRule = v.object({
  kind: v.literal('budget'),
  amount: v.pipe(finite, v.minValue(0, 'must not be negative')),
  /** `money`: in the currency of the prices. */
  unit: v.picklist(['money', 'kWh']),
  silent,
  ...effectFields,
})

/** Of each day's time from `from` until `until` the cheapest hours, those below a price, or both. */
const cheapestRule = v.pipe(
  v.object({
    kind: v.literal('cheapest'),
    hours: v.optional(
      v.pipe(v.number(), v.minValue(0.25), v.maxValue(24), v.multipleOf(0.25, 'must be quarters of an hour')),
    ),
    /** The price of a kilowatt hour. */
    below: v.optional(finite),
    from: time,
    until: endTime,
    silent,
    ...effectFields,
  }),
  v.check(({ hours, below }) => hours !== undefined || below !== undefined, 'It must have hours or a price.'),
)

/** As many machines as an input has watts for, the most efficient first. */
const surplusRule = v.object({
  kind: v.literal('surplus'),
  input: inputName,
  /** Whether the input is what is left beside these machines, as a meter at the grid measures it. */
  isLeft: v.boolean(),
  /** Watts that must be left when a machine starts. */
  hysteresis: v.pipe(finite, v.minValue(0, 'must not be negative')),
  /** A machine runs, and rests, at least this long. */
  holdMinutes: minutes(0, 1440),
  ...inputFields,
  ...effectFields,
})

/** Keeps a temperature: begins below it and ends above it, by the hysteresis. */
const heatRule = v.object({
  kind: v.literal('heat'),
  input: inputName,
  target: finite,
  hysteresis: v.pipe(finite, v.minValue(0, 'must not be negative')),
  holdMinutes: minutes(0, 1440),
  ...inputFields,
  ...effectFields,
})

const ruleSchema = v.variant('kind', [weekRule, datesRule, inputRule, budgetRule, cheapestRule, surplusRule, heatRule])

/** Whether GPUs or CPUs are meant instead of a resource group (parts.ts): `*cpus`, `*gpus`, `*` and a model, or the id of a GPU. */
export function isPart(group: string | undefined): group is `*${string}` {
  return group?.startsWith('*') === true
}

/** All clients, those with a tag of the settings, or one by its address; of these, one resource group or part, or all. */
const targetSchema = v.object({
  kind: v.picklist(['all', 'tag', 'machine']),
  name: v.optional(v.pipe(v.string(), v.maxLength(200)), ''),
  group: v.optional(v.pipe(v.string(), v.maxLength(200))),
})

const scheduleSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/, 'must have 1 to 40 letters, digits, dashes or underscores')),
  name: oneLine(60),
  isEnabled: v.boolean(),
  targets: v.pipe(v.array(targetSchema), v.minLength(1, 'must name a machine'), v.maxLength(100)),
  timeZone: timeZoneName,
  rules: v.pipe(v.array(ruleSchema), v.maxLength(50, 'must have at most 50 rules')),
  /** The state while no rule applies; null: the next schedule decides. */
  otherwise: v.nullable(state),
  /** A unit that ends within this time is finished first, instead of paused. 0: never. */
  finishMinutes: minutes(0, 1440),
})

/** What all schedules have together: the work of deciding grows with it. */
export const MOST_SCHEDULES = 100
export const MOST_RULES = 200
export const MOST_TARGETS = 1000
/** Resource groups that are decided by themselves, by their names. */
export const MOST_GROUPS = 20
/** Time zones of schedules. */
export const MOST_ZONES = 10
/** Rules that compare the prices of many days, and those that rank all machines. */
export const MOST_CHEAPEST = 20
export const MOST_SURPLUS = 4

function totalled(
  most: number,
  what: string,
  count: (list: readonly v.InferOutput<typeof scheduleSchema>[]) => number,
) {
  return v.check<v.InferOutput<typeof scheduleSchema>[], string>(
    list => count(list) <= most,
    `must have at most ${most} ${what} together`,
  )
}
function rulesOfKind(kind: v.InferOutput<typeof ruleSchema>['kind']) {
  return (list: readonly v.InferOutput<typeof scheduleSchema>[]) =>
    list.flatMap(({ rules }) => rules).filter(rule => rule.kind === kind).length
}

export const schedulesSchema = v.pipe(
  v.array(scheduleSchema),
  v.maxLength(MOST_SCHEDULES, `must have at most ${MOST_SCHEDULES} schedules`),
  v.check(list => new Set(list.map(({ id }) => id)).size === list.length, 'must have different ids'),
  totalled(MOST_RULES, 'rules', list => list.flatMap(({ rules }) => rules).length),
  totalled(MOST_TARGETS, 'machines and tags', list => list.flatMap(({ targets }) => targets).length),
  totalled(MOST_GROUPS, 'resource groups', list =>
    namesIn(list.flatMap(({ targets }) => targets.map(({ group }) => group))),
  ),
  totalled(MOST_ZONES, 'time zones', list => namesIn(list.map(({ timeZone }) => timeZone))),
  totalled(MOST_CHEAPEST, 'rules of cheap hours', rulesOfKind('cheapest')),
  totalled(MOST_SURPLUS, 'rules of surplus', rulesOfKind('surplus')),
)

function namesIn(names: readonly (string | undefined)[]): number {
  return new Set(names.filter(name => name !== undefined)).size
}

export type Schedule = v.InferOutput<typeof scheduleSchema>
export type Rule = Schedule['rules'][number]
type WeekRule = Extract<Rule, { kind: 'week' }>
type DatesRule = Extract<Rule, { kind: 'dates' }>
export type TimeRule = WeekRule | DatesRule
/** When a rule of time applies, whatever it then says. */
export type Times = Omit<WeekRule, keyof typeof timeEffect> | Omit<DatesRule, keyof typeof timeEffect>
export type InputRule = Extract<Rule, { kind: 'input' }>
export type BudgetRule = Extract<Rule, { kind: 'budget' }>
export type CheapestRule = Extract<Rule, { kind: 'cheapest' }>
export type SurplusRule = Extract<Rule, { kind: 'surplus' }>
export type HeatRule = Extract<Rule, { kind: 'heat' }>
/** Rules that depend on more than the time. */
export type ConditionalRule = Exclude<Rule, TimeRule>
export type Target = Schedule['targets'][number]

/** The last value of an input. `at`: epoch milliseconds. */
export type InputValue = { readonly value: number; readonly at: number }
export type Inputs = Readonly<Record<string, InputValue>>

/** What a state is kept for: a client, by its address, or one of its resource groups. */
export type Subject = { readonly machine: string; readonly group?: string | undefined }

export type TaggedClient = { readonly address: string; readonly tags: readonly string[] }

/** A subject as a key of tables. */
export function subjectKey({ machine: client, group }: Subject): string {
  return group === undefined ? client : `${client} ${JSON.stringify(group)}`
}

export function isTargetOf(target: Target, { address, tags }: TaggedClient): boolean {
  return target.kind === 'all' || (target.kind === 'tag' ? tags.includes(target.name) : target.name === address)
}

/** Schedules whose targets name a client, in order; each with the groups of it, undefined for all of it. */
type Named = readonly { readonly schedule: Schedule; readonly groups: readonly (string | undefined)[] }[]

const named = new WeakMap<readonly Schedule[], WeakMap<TaggedClient, Named>>()

/** The enabled schedules that name a client. Lists and clients are never changed, so what was found is kept. */
function naming(schedules: readonly Schedule[], client: TaggedClient): Named {
  const byClient = named.get(schedules) ?? new WeakMap<TaggedClient, Named>()
  named.set(schedules, byClient)
  const found =
    byClient.get(client) ??
    schedules.flatMap(schedule => {
      const groups = schedule.isEnabled ? targetsOf(schedule, client).map(({ group }) => group) : []
      return groups.length === 0 ? [] : [{ schedule, groups }]
    })
  byClient.set(client, found)
  return found
}

const byName = new WeakMap<Schedule, ReadonlyMap<string, readonly Target[]>>()

function targetsOf(schedule: Schedule, { address, tags }: TaggedClient): readonly Target[] {
  const byKey =
    byName.get(schedule) ?? groupBy(schedule.targets, ({ kind, name }) => (kind === 'all' ? kind : `${kind} ${name}`))
  byName.set(schedule, byKey)
  return ['all', `machine ${address}`, ...tags.map(tag => `tag ${tag}`)].flatMap(key => byKey.get(key) ?? [])
}

/**
 * What is decided for a client: the client, and each group that a schedule names and the client has, which is decided by
 * itself.
 */
export function subjectsOf(
  schedules: readonly Schedule[],
  client: TaggedClient,
  hasGroup: (group: string) => boolean,
): readonly Subject[] {
  const groups = new Set(naming(schedules, client).flatMap(each => each.groups))
  return [
    { machine: client.address },
    ...[...groups]
      .filter(group => group !== undefined && hasGroup(group))
      .map(group => ({ machine: client.address, group })),
  ]
}

/** The same list for the same schedules, so that what is decided by them is decided once. */
const lists = new WeakMap<readonly Schedule[], Map<string, readonly Schedule[]>>()

/** The enabled schedules of a subject, in order. Those of the client are also its groups’. */
export function schedulesOf(
  schedules: readonly Schedule[],
  { group }: Subject,
  client: TaggedClient,
): readonly Schedule[] {
  const clientSchedules = naming(schedules, client)
    .filter(({ groups }) => groups.includes(undefined) || groups.includes(group))
    .map(({ schedule }) => schedule)
  const byIds = lists.get(schedules) ?? new Map<string, readonly Schedule[]>()
  lists.set(schedules, byIds)
  const key = clientSchedules.map(({ id }) => id).join(' ')
  const same = byIds.get(key) ?? clientSchedules
  byIds.set(key, same)
  return same
}

/** Names of all inputs that schedules use. */
export function inputsOf(schedules: readonly Schedule[]): readonly string[] {
  return [...new Set(schedules.flatMap(({ rules }) => rules.flatMap(rule => ('input' in rule ? [rule.input] : []))))]
}

/** Whether machines shall be idle by the time at which a rule begins. */
export function isInTime(rule: Rule | undefined): boolean {
  return rule !== undefined && isTimeRule(rule) && rule.inTime === true && rule.state !== 'fold'
}

/** Whether a rule depends on nothing but the time. */
export function isTimeRule(rule: Rule): rule is TimeRule {
  return rule.kind === 'week' || rule.kind === 'dates'
}
