/*
 * When budgets will be reached, if machines draw what is expected of them and inputs stay as they are. Times are epoch
 * milliseconds.
 */
import { conditionsFor, type PriceAhead } from './conditions.ts'
import { conditionKey, preview, SIGHT_MS, type Condition, type Conditions, type Segment } from './decide.ts'
import { isTargetOf, schedulesOf, type BudgetRule, type Schedule, type TaggedClient } from './schedule.ts'
import { monthOf, type Span } from './spans.ts'
import type { MonthSum } from './surplus.ts'

const MS_A_KWH = 3_600_000 * 1000

/** `watts`: of `folding`, what folding adds, and `drawn`, what it adds now. `used`: this month, by the zones of months. */
export type ExpectedClient = TaggedClient & {
  readonly watts?: { readonly idle: number; readonly folding: number; readonly drawn: number } | undefined
  readonly used?: Readonly<Record<string, MonthSum>> | undefined
}

export type BudgetAhead = {
  readonly rule: BudgetRule
  /** In the month that is under way. */
  readonly used: number
  /** When it is spent, as far as can be seen; the condition that this gives the rule. */
  readonly condition: Condition
}

export type BudgetsInput = {
  /** All that are in use, in order. */
  readonly schedules: readonly Schedule[]
  readonly clients: readonly ExpectedClient[]
  /** As they are now, with what is known of them ahead. */
  readonly conditions: Conditions
  readonly prices: readonly PriceAhead[]
}

/** Watts from an instant until the next change. */
type Step = { readonly at: number; readonly watts: number }
type Budget = {
  readonly key: string
  readonly rule: BudgetRule
  readonly zone: string
  readonly clients: readonly ExpectedClient[]
  readonly used: number
}

/** Predictions by `conditionKey`. A budget for which something is not known, watts or prices, is left out. */
export function budgetsAhead(input: BudgetsInput, at: number): Readonly<Record<string, BudgetAhead>> {
  const { schedules, conditions } = input
  const prices = completed(input.prices, at)
  const budgets = budgetsOf(input, prices.length > 0)
  const spans = new Map(budgets.map(({ key }) => [key, (conditions[key]?.spans ?? []).filter(span => span.end > at)]))
  const ahead = (): Conditions => ({
    ...conditions,
    ...Object.fromEntries([...spans].map(([key, keySpans]) => [key, { isOn: false, since: 0, spans: keySpans }])),
  })
  // What is reached first changes what comes after it, and nothing before.
  for (let turn = 0; turn < 2 * budgets.length; turn++) {
    const drawOf = drawsOf(schedules, ahead(), at)
    const reached = budgets.flatMap(budget => {
      const begin = reachedAt(budget, drawOf(budget.clients), prices, spans.get(budget.key) ?? [], at)
      return begin === undefined ? [] : [{ budget, begin }]
    })
    const [first] = reached.sort((one, other) => one.begin - other.begin)
    if (first === undefined) break
    const { budget, begin } = first
    const end = monthOf(begin, budget.zone).end
    spans.set(budget.key, [...(spans.get(budget.key) ?? []), { begin, end }])
  }
  return Object.fromEntries(
    budgets.map(({ key, rule, used }) => {
      const before = conditions[key]
      const condition = { isOn: before?.isOn === true, since: before?.since ?? 0, spans: spans.get(key) ?? [] }
      return [key, { rule, used, condition }]
    }),
  )
}

function budgetsOf({ schedules, clients }: BudgetsInput, hasPrices: boolean): readonly Budget[] {
  return schedules.flatMap(({ id, rules, targets, timeZone }) => {
    const targeted = clients.filter(client => targets.some(target => isTargetOf(target, client)))
    if (
      targeted.length === 0 ||
      targeted.some(({ watts, used }) => watts === undefined || used?.[timeZone] === undefined)
    )
      return []
    return rules.flatMap(rule =>
      rule.kind !== 'budget' || (rule.unit === 'money' && !hasPrices)
        ? []
        : [
            {
              key: conditionKey(id, rule),
              rule,
              zone: timeZone,
              clients: targeted,
              used: targeted.reduce((sum, { used }) => sum + (used?.[timeZone]?.[rule.unit] ?? 0), 0),
            },
          ],
    )
  })
}

/** Prices until the end of what can be seen: where none is known, the mean of those that are. */
function completed(prices: readonly PriceAhead[], at: number): readonly (Span & { readonly price: number })[] {
  let [sum, time] = [0, 0]
  for (const { begin, end, price } of prices)
    if (price !== undefined) [sum, time] = [sum + price * (end - begin), time + end - begin]
  if (time === 0) return []
  const mean = sum / time
  const priced = prices.map(({ begin, end, price = mean }) => ({ begin, end, price }))
  const last = priced.at(-1)?.end ?? at
  return last >= at + SIGHT_MS ? priced : [...priced, { begin: last, end: at + SIGHT_MS, price: mean }]
}

/** What clients draw together, in steps. Clients for which the same is decided are looked at once. */
function drawsOf(schedules: readonly Schedule[], conditions: Conditions, at: number) {
  const decided = new Map<string, readonly Segment[]>()
  const segmentsOf = (client: ExpectedClient): readonly Segment[] => {
    const clientSchedules = schedulesOf(schedules, { machine: client.address }, client)
    const conditioned = conditionsFor(clientSchedules, conditions, client.address)
    const surplus = conditioned === conditions ? '' : client.address
    const key = `${clientSchedules.map(({ id }) => id).join(' ')} ${surplus}`
    const decisions = decided.get(key) ?? preview(clientSchedules, conditioned, at, at + SIGHT_MS)
    decided.set(key, decisions)
    return decisions
  }
  return (clients: readonly ExpectedClient[]): readonly Step[] => {
    const sums = new Map<readonly Segment[], { idle: number; folding: number; drawn: number }>()
    for (const client of clients) {
      const segments = segmentsOf(client)
      const sum = sums.get(segments) ?? { idle: 0, folding: 0, drawn: 0 }
      sum.idle += client.watts?.idle ?? 0
      sum.folding += client.watts?.folding ?? 0
      sum.drawn += client.watts?.drawn ?? 0
      sums.set(segments, sum)
    }
    const changes: { at: number; by: number }[] = []
    for (const [segments, { idle, folding, drawn }] of sums) {
      let before = 0
      for (const { begin, state } of segments) {
        const watts = idle + (state === undefined ? drawn : state === 'fold' ? folding : 0)
        changes.push({ at: begin, by: watts - before })
        before = watts
      }
    }
    let watts = 0
    return changes
      .sort((one, other) => one.at - other.at)
      .map(change => ({ at: change.at, watts: (watts += change.by) }))
  }
}

/** When a budget is reached for the first time in a month in which it is not spent already. */
function reachedAt(
  { rule: { amount, unit }, zone, used }: Budget,
  draw: readonly Step[],
  prices: readonly (Span & { readonly price: number })[],
  spent: readonly Span[],
  at: number,
): number | undefined {
  const to = at + SIGHT_MS
  let [sum, watts, price, month] = [used, 0, 0, monthOf(at, zone)]
  const edges = [
    ...draw.map(step => ({ at: step.at, set: () => (watts = step.watts) })),
    ...prices.map(part => ({ at: part.begin, set: () => (price = part.price) })),
    { at: month.end, set: () => ([sum, month] = [0, monthOf(month.end, zone)]) },
    { at: to, set: () => undefined },
  ].sort((one, other) => one.at - other.at)
  for (const [index, edge] of edges.entries()) {
    edge.set()
    const [begin, end] = [Math.max(at, edge.at), Math.min(to, edges[index + 1]?.at ?? to)]
    if (begin >= end) continue
    const rate = (watts / MS_A_KWH) * (unit === 'money' ? price : 1)
    const isSpent = spent.some(span => span.begin < month.end && span.end > month.begin)
    const after = sum + rate * (end - begin)
    if (!isSpent && after >= amount) return sum >= amount ? begin : Math.ceil(begin + (amount - sum) / rate)
    sum = after
  }
  return undefined
}
