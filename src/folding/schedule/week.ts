/*
 * A week of schedules as a picture: what is decided, what an input may change, and which rules an earlier one beats.
 */
import { conditionKey, preview, type Choice, type Conditions, type Segment } from './decide.ts'
import { isTimeRule, type Rule, type Schedule } from './schedule.ts'
import { lengthOf, spansOf, type Span } from './spans.ts'

/** A part of the week in which one choice decides. `begins`, `ends`: whether its rule does there. */
export type Band = Segment & { readonly begins: boolean; readonly ends: boolean }
/** A rule, and a time in which it is beaten, or may decide. */
export type RulePart = Span & { readonly schedule: Schedule; readonly rule: Rule }

export type Week = {
  /** Without gaps, as if no rule applied that depends on what is not known yet. */
  readonly bands: readonly Band[]
  /** When a rule that depends on what is not known yet would decide, if it applied. */
  readonly possible: readonly RulePart[]
  /** When a rule of time applies, and an earlier rule or schedule decides. */
  readonly beaten: readonly RulePart[]
}

/** `ahead`: the conditions of rules that are known ahead. */
export function weekOf(schedules: readonly Schedule[], from: number, to: number, ahead: Conditions = {}): Week {
  const isKnown = ({ id }: Schedule, rule: Rule): boolean =>
    isTimeRule(rule) || ahead[conditionKey(id, rule)] !== undefined
  const bands = preview(schedules, ahead, from, to).map(band => ({ ...band, ...edgesOf(schedules, band) }))
  const rules = schedules.flatMap(schedule => schedule.rules.map((rule, at) => ({ schedule, rule, at })))
  return {
    bands,
    possible: rules.flatMap(({ schedule, rule, at }) =>
      isKnown(schedule, rule)
        ? []
        : joined(bands.filter(band => isBefore(schedules, schedule, at, band))).map(span => ({
            ...span,
            schedule,
            rule,
          })),
    ),
    beaten: rules.flatMap(({ schedule, rule, at }) =>
      isTimeRule(rule)
        ? spansOf(rule, schedule.timeZone, from, to).flatMap(span =>
            joined(
              bands.flatMap(band => (band.schedule === schedule.id && band.rule === at ? [] : common(span, band))),
            ).map(part => ({ ...part, schedule, rule })),
          )
        : [],
    ),
  }
}

/** How long nothing decides, and how long a rule is beaten, in milliseconds. Two rules that are beaten at once count once. */
export function troublesOf({ bands, beaten }: Week): { readonly gaps: number; readonly overlaps: number } {
  return {
    gaps: lengthOf(bands.filter(({ schedule }) => schedule === undefined)),
    overlaps: lengthOf(joined(beaten)),
  }
}

function common(one: Span, other: Span): readonly Span[] {
  const [begin, end] = [Math.max(one.begin, other.begin), Math.min(one.end, other.end)]
  return begin < end ? [{ begin, end }] : []
}

/** In order; those that touch as one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const found: Span[] = []
  for (const { begin, end } of spans.toSorted((one, other) => one.begin - other.begin)) {
    const last = found.at(-1)
    if (last === undefined || begin > last.end) found.push({ begin, end })
    else found[found.length - 1] = { begin: last.begin, end: Math.max(last.end, end) }
  }
  return found
}

/** Whether a rule would win against what decides. */
function isBefore(schedules: readonly Schedule[], schedule: Schedule, at: number, choice: Choice): boolean {
  const winner = schedules.findIndex(({ id }) => id === choice.schedule)
  const position = schedules.indexOf(schedule)
  return winner === -1 || position < winner || (position === winner && at < (choice.rule ?? Infinity))
}

function edgesOf(schedules: readonly Schedule[], { begin, end, ...choice }: Segment): Omit<Band, keyof Segment> {
  const schedule = schedules.find(({ id }) => id === choice.schedule)
  const rule = choice.rule === undefined ? undefined : schedule?.rules[choice.rule]
  if (schedule === undefined || rule === undefined || !isTimeRule(rule)) return { begins: false, ends: false }
  const [span] = spansOf(rule, schedule.timeZone, begin, begin + 1)
  return { begins: span?.begin === begin, ends: span?.end === end }
}

/** What is decided on a day, in parts without gaps. */
export function bandsWithin(bands: readonly Band[], day: Span): readonly Band[] {
  return bands.flatMap(band => common(band, day).map(span => ({ ...band, ...span })))
}
