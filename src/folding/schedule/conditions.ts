/*
 * Whether rules apply that depend on values, prices or what was used. Times are epoch milliseconds.
 */
import { isSameList, isSameValue } from '../shared/equal.ts'
import { NO_LISTS, pricesIn, type PriceContext } from '../power/price.ts'
import type { Tariff } from '../power/power.ts'
import { cheapestSpans, clipped } from './cheapest.ts'
import { conditionKey, SIGHT_MS, type Condition, type Conditions } from './decide.ts'
import {
  isTargetOf,
  isTimeRule,
  type BudgetRule,
  type CheapestRule,
  type ConditionalRule,
  type HeatRule,
  type InputRule,
  type Inputs,
  type InputValue,
  type Schedule,
  type SurplusRule,
} from './schedule.ts'
import { dailySpans, monthOf, type Span } from './spans.ts'
import { isHeld, surplusPlan, type PoweredClient } from './surplus.ts'

/** What the machines of a schedule have used since a month began. `isKnown`: whether what they use now can be counted. */
export type MonthUse = {
  readonly since: number
  readonly kWh: number
  readonly money: number
  readonly isKnown: boolean
}

/** The price of a kilowatt hour. `currency`: ISO 4217. */
export type Prices = PriceContext & { readonly tariff: Tariff | null; readonly currency: string }

/** What rules depend on. `used`: by the ids of schedules. */
export type Circumstances = {
  readonly inputs: Inputs
  readonly prices?: Prices | undefined
  readonly clients?: readonly PoweredClient[] | undefined
  readonly used?: Readonly<Record<string, MonthUse>> | undefined
}

const MINUTE_MS = 60_000
const NEVER: Condition = Object.freeze({ isOn: false, since: 0 })

function after(was: Condition, isOn: boolean, at: number): Condition {
  return isOn === was.isOn ? was : { isOn, since: at }
}

function isMissing(validMinutes: number, input: InputValue | undefined, at: number): boolean {
  return input === undefined || at - input.at > validMinutes * MINUTE_MS
}

/** A rule's condition with the input's newest value. The same object when nothing changed. */
export function nextCondition(
  rule: InputRule,
  before: Condition | undefined,
  input: InputValue | undefined,
  at: number,
): Condition {
  const was = before ?? NEVER
  if (input === undefined || isMissing(rule.validMinutes, input, at)) return after(was, rule.silent === 'apply', at)
  return isHeld(rule.holdMinutes, was, at) ? was : after(was, isBeyond(rule, input.value, was.isOn), at)
}

function isBeyond({ compare, threshold, hysteresis }: InputRule, value: number, isOn: boolean): boolean {
  return compare === 'above'
    ? isOn
      ? value >= threshold - hysteresis
      : value > threshold
    : isOn
      ? value <= threshold + hysteresis
      : value < threshold
}

/** Below the target by the hysteresis, until above it by the same. */
function asInput({ target, hysteresis, kind: _, ...rule }: HeatRule): InputRule {
  return {
    ...rule,
    kind: 'input',
    compare: 'below',
    threshold: target - hysteresis,
    hysteresis: 2 * hysteresis,
  }
}

function withSpans(before: Condition | undefined, spans: readonly Span[], at: number): Condition {
  const now = spans.find(({ begin, end }) => begin <= at && at < end)
  const isSame = before?.spans !== undefined && isSameValue(before.spans, spans)
  const isOn = now !== undefined
  return isSame && before.isOn === isOn
    ? before
    : { isOn, since: now?.begin ?? at, spans: isSame ? before.spans : spans }
}

function cheapest(
  rule: CheapestRule,
  timeZone: string,
  before: Condition | undefined,
  prices: Prices | undefined,
  at: number,
): Condition {
  const context = prices ?? { timeZone, lists: NO_LISTS }
  const spans = cheapestSpans(
    rule,
    timeZone,
    (from, to) => pricesIn(prices?.tariff, context, from, to),
    (before?.spans ?? []).filter(({ end }) => end > at - SIGHT_MS),
    at,
    at + SIGHT_MS,
  )
  return withSpans(before, spans, at)
}

/** A budget that is spent stays spent until the month ends, whatever prices below zero give back. */
function budget(
  { amount, unit, silent }: BudgetRule,
  timeZone: string,
  before: Condition | undefined,
  used: MonthUse | undefined,
  at: number,
): Condition {
  const spent = before?.spans?.find(({ begin, end }) => begin <= at && at < end)
  if (before !== undefined && spent !== undefined) return before
  const month = monthOf(at, timeZone)
  const now = used?.since === month.begin ? used : undefined
  if (now !== undefined && now[unit] >= amount) return withSpans(undefined, [{ begin: at, end: month.end }], at)
  const was = before?.spans === undefined ? (before ?? NEVER) : { isOn: false, since: spentUntil(before.spans) }
  return after(was, silent === 'apply' && used?.isKnown !== true, at)
}

function spentUntil(spans: readonly Span[]): number {
  return spans.at(-1)?.end ?? 0
}

function conditionOf(
  rule: Exclude<ConditionalRule, SurplusRule>,
  { id, timeZone }: Schedule,
  before: Condition | undefined,
  { inputs, prices, used }: Circumstances,
  at: number,
): Condition {
  switch (rule.kind) {
    case 'input':
      return nextCondition(rule, before, inputNamed(inputs, rule.input), at)
    case 'heat':
      return nextCondition(asInput(rule), before, inputNamed(inputs, rule.input), at)
    case 'cheapest':
      return cheapest(rule, timeZone, before, prices, at)
    case 'budget':
      return budget(rule, timeZone, before, used === undefined || !Object.hasOwn(used, id) ? undefined : used[id], at)
  }
}

function inputNamed(inputs: Inputs, name: string): InputValue | undefined {
  return Object.hasOwn(inputs, name) ? inputs[name] : undefined
}

/** A machine’s own condition of a rule that gives each machine another one. */
function clientKey(key: string, address: string): string {
  return `${key} ${address}`
}

/**
 * The conditions of a rule of surplus: one for each machine, and under the key of the rule whether any runs. Machines that have
 * not been seen since the start keep theirs.
 */
function surplus(
  rule: SurplusRule,
  schedule: Schedule,
  before: Conditions,
  { inputs, clients = [] }: Circumstances,
  at: number,
): Conditions {
  const key = conditionKey(schedule.id, rule)
  const targeted = clients.filter(client => schedule.targets.some(target => isTargetOf(target, client)))
  const was = (address: string): Condition => before[clientKey(key, address)] ?? NEVER
  const input = inputNamed(inputs, rule.input)
  const running =
    input === undefined || isMissing(rule.validMinutes, input, at)
      ? new Set(rule.silent === 'apply' ? targeted.map(({ address }) => address) : [])
      : surplusPlan(rule, input.value, targeted, was, at)
  const conditions = {
    ...Object.fromEntries(Object.entries(before).filter(([name]) => name.startsWith(clientKey(key, '')))),
    ...Object.fromEntries(
      targeted.map(({ address }) => [clientKey(key, address), after(was(address), running.has(address), at)]),
    ),
  }
  const isOn = Object.values(conditions).some(condition => condition.isOn)
  return { [key]: after(before[key] ?? NEVER, isOn, at), ...conditions }
}

/** The conditions of all rules. The same object when none changed. */
export function nextConditions(
  schedules: readonly Schedule[],
  before: Conditions,
  circumstances: Circumstances,
  at: number,
): Conditions {
  const next: Record<string, Condition> = {}
  for (const schedule of schedules)
    for (const rule of schedule.rules) {
      if (isTimeRule(rule)) continue
      const key = conditionKey(schedule.id, rule)
      if (rule.kind === 'surplus') Object.assign(next, surplus(rule, schedule, before, circumstances, at))
      else next[key] = conditionOf(rule, schedule, before[key], circumstances, at)
    }
  const keys = Object.keys(next)
  return isSameList(keys, Object.keys(before)) && keys.every(key => next[key] === before[key]) ? before : next
}

type SharedConditions = {
  readonly of: Conditions
  readonly surplusKeys: readonly string[]
  /** By what the rules of surplus give. */
  readonly found: Map<string, Conditions>
}
const shared = new WeakMap<readonly Schedule[], SharedConditions>()

function sharedConditions(schedules: readonly Schedule[], conditions: Conditions): SharedConditions {
  const known = shared.get(schedules)
  if (known?.of === conditions) return known
  const surplusKeys =
    known?.surplusKeys ??
    schedules.flatMap(({ id, rules }) => rules.flatMap(rule => (rule.kind === 'surplus' ? conditionKey(id, rule) : [])))
  const fresh = { of: conditions, surplusKeys, found: new Map<string, Conditions>() }
  shared.set(schedules, fresh)
  return fresh
}

/**
 * The conditions that hold for one machine: what rules of surplus give it. The same object when there are none, and for machines
 * to which they give the same: so what follows is decided once.
 */
export function conditionsFor(schedules: readonly Schedule[], conditions: Conditions, address: string): Conditions {
  const { surplusKeys, found } = sharedConditions(schedules, conditions)
  if (surplusKeys.length === 0) return conditions
  const ownConditions = surplusKeys.map(key => conditions[clientKey(key, address)] ?? NEVER)
  const name = ownConditions.every(condition => condition === NEVER) ? '' : JSON.stringify(ownConditions)
  const known = found.get(name)
  if (known !== undefined) return known
  const clientConditions: Record<string, Condition> = {}
  for (const { id, rules } of schedules)
    for (const rule of rules) {
      if (isTimeRule(rule)) continue
      const key = conditionKey(id, rule)
      clientConditions[key] = conditions[rule.kind === 'surplus' ? clientKey(key, address) : key] ?? NEVER
    }
  found.set(name, clientConditions)
  return clientConditions
}

/**
 * Of the conditions of rules, those that are known ahead. Of rules that were not saved yet, the cheapest hours follow from
 * the prices.
 */
export function conditionsAhead(
  schedules: readonly Schedule[],
  { conditions, prices }: { readonly conditions: Conditions; readonly prices: readonly PriceAhead[] },
  at: number,
): Conditions {
  const ahead: Record<string, Condition> = {}
  const priced = prices.map(({ begin, end, price }) => ({ begin, end, price }))
  for (const { id, timeZone, rules } of schedules)
    for (const rule of rules) {
      if (isTimeRule(rule)) continue
      const key = conditionKey(id, rule)
      const current = conditions[key]
      if (current?.spans !== undefined) ahead[key] = current
      else if (current === undefined && rule.kind === 'cheapest') {
        const within = (from: number, to: number) => clipped(priced, from, to)
        const spans = cheapestSpans(rule, timeZone, within, [], at, at + SIGHT_MS)
        ahead[key] = withSpans(undefined, spans, at)
      }
    }
  return ahead
}

/** `price`: undefined where none is known. */
export type PriceAhead = Span & { readonly price?: number | undefined }

/** What enabled rules wait for. `since`: when its last value ended to count; undefined: none is known. */
export type SilentInput = {
  readonly schedule: string
  /** Empty for prices that no input gives. */
  readonly input: string
  readonly since: number | undefined
}

/** The inputs and prices that are missing for these schedules, each once. */
export function silentInputs(
  schedules: readonly Schedule[],
  { inputs, prices }: Circumstances,
  at: number,
): readonly SilentInput[] {
  const found = new Map<string, SilentInput>()
  for (const { name: schedule, timeZone, rules } of schedules.filter(({ isEnabled }) => isEnabled))
    for (const rule of rules) {
      const missing =
        'input' in rule
          ? silentInput(rule, inputNamed(inputs, rule.input), at)
          : rule.kind === 'cheapest' || (rule.kind === 'budget' && rule.unit === 'money')
            ? silentPrice(rule, timeZone, prices, at)
            : undefined
      if (missing !== undefined && !found.has(missing.input)) found.set(missing.input, { schedule, ...missing })
    }
  return [...found.values()]
}

type Missing = Pick<SilentInput, 'input' | 'since'>
const NO_PRICE: Missing = Object.freeze({ input: '', since: undefined })

function silentInput(
  { input, validMinutes }: { readonly input: string; readonly validMinutes: number },
  last: InputValue | undefined,
  at: number,
): Missing | undefined {
  return isMissing(validMinutes, last, at)
    ? { input, since: last === undefined ? undefined : last.at + validMinutes * MINUTE_MS }
    : undefined
}

/** Weekly prices may have none outside of the times of a rule of cheapest hours. */
function silentPrice(
  rule: CheapestRule | BudgetRule,
  timeZone: string,
  prices: Prices | undefined,
  at: number,
): Missing | undefined {
  if (prices === undefined) return NO_PRICE
  const { tariff, lists } = prices
  const [{ begin, end } = { begin: at, end: at + 1 }] =
    rule.kind === 'cheapest' && tariff?.kind === 'bands' ? dailySpans(rule, timeZone, at, at + SIGHT_MS) : []
  if (pricesIn(tariff, prices, begin, end).some(({ price }) => price !== undefined)) return undefined
  if (tariff?.kind !== 'list') return NO_PRICE
  const list = Object.hasOwn(lists, tariff.input) ? lists[tariff.input] : undefined
  return { input: tariff.input, since: list?.findLast(({ end }) => end <= at)?.end }
}
