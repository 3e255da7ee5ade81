/*
 * How values of a query are read and compared: texts, choices, numbers, durations and versions, with comparisons.
 */
import { groupTitle } from '../client/group.ts'
import { parseInterval } from '../text/times.ts'
import { clientStatusAppearance, type ClientFacts } from './client-facts.ts'
import { latinDigits } from '../text/typed-number.ts'

/** Whether a client has the value. `now`: epoch milliseconds. */
export type FactsTest = (facts: ClientFacts, now: number) => boolean

type Comparison = (a: number, b: number) => boolean

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '=': (a, b) => a === b,
}

const OPERATOR = /^(<=|>=|<|>|=)?\s*(.*)$/s

/** A value without its comparison; `otherwise` when it has none. */
function comparisonOf(value: string, otherwise: '=' | '>='): { readonly compare: Comparison; readonly rest: string } {
  const [, operator, rest = ''] = OPERATOR.exec(value) ?? []
  const compare = COMPARISONS[operator ?? otherwise] ?? Object.is
  return { compare, rest: rest.trim() }
}

/** `GeForce`: part of one of the texts, in any case. */
export function textTest(read: (facts: ClientFacts) => readonly (string | undefined)[]) {
  return (value: string): FactsTest => {
    const wanted = value.toLowerCase()
    return facts => read(facts).some(text => text?.toLowerCase().includes(wanted) === true)
  }
}

/** `attic`: one of the texts, in any case. */
export function exactTextTest(read: (facts: ClientFacts) => readonly string[]) {
  return (value: string): FactsTest => {
    const wanted = value.toLowerCase()
    return facts => read(facts).some(text => text.toLowerCase() === wanted)
  }
}

/** `paused`, or the beginning of a choice, as while it is typed. Undefined for no choice. */
export function choiceTest(tests: Readonly<Record<string, FactsTest>>) {
  return (value: string): FactsTest | undefined => {
    const wanted = value.toLowerCase()
    const exact = Object.hasOwn(tests, wanted) ? tests[wanted] : undefined
    if (exact !== undefined) return exact
    const begun = Object.entries(tests).flatMap(([choice, test]) => (choice.startsWith(wanted) ? test : []))
    return begun.length === 0 ? undefined : (facts, now) => begun.some(test => test(facts, now))
  }
}

const NUMBER = /^(\d{1,15}(?:\.\d{1,6})?)([km]?)(%?)$/i
const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1000, m: 1_000_000 }

/**
 * `12`, `>=16`, `<1.5M`, and `<50%` where `usual` gives the whole. A client whose number is unknown does not match.
 * Undefined for no number.
 */
export function numberTest(
  read: (facts: ClientFacts) => number | undefined,
  usual?: (facts: ClientFacts) => number | undefined,
) {
  return (value: string): FactsTest | undefined => {
    const { compare, rest } = comparisonOf(value, '=')
    const [, digits, factor = '', percent] = NUMBER.exec(latinDigits(rest)) ?? []
    if (digits === undefined || (percent === '%' && (usual === undefined || factor !== ''))) return undefined
    const wanted = Number(digits) * (FACTORS[factor.toLowerCase()] ?? 1)
    return facts => {
      const number = read(facts)
      const limit = percent === '%' ? share(usual?.(facts), wanted) : wanted
      return number !== undefined && limit !== undefined && compare(number, limit)
    }
  }
}

function share(whole: number | undefined, percent: number): number | undefined {
  return whole === undefined ? undefined : (whole * percent) / 100
}

/** `18420` or a comparison, for one of several numbers. Undefined for no number. */
export function anyNumberTest(read: (facts: ClientFacts) => readonly number[]) {
  return (value: string): FactsTest | undefined => {
    const { compare, rest } = comparisonOf(value, '=')
    const digits = latinDigits(rest)
    if (!/^\d{1,9}$/.test(digits)) return undefined
    const wanted = Number(digits)
    return facts => read(facts).some(number => compare(number, wanted))
  }
}

/**
 * `>1h`, `<=2d 4h`; without a comparison at least as long. `read` gives milliseconds, undefined when the client does not
 * match at all. Undefined for no duration.
 */
export function durationTest(
  read: (facts: ClientFacts, now: number) => number | undefined,
  otherwise: '>=' | '<=' = '>=',
) {
  return (value: string): FactsTest | undefined => {
    const { compare, rest } = comparisonOf(/^[<>=]/.test(value) ? value : `${otherwise}${value}`, '>=')
    const seconds = parseInterval(latinDigits(rest))
    if (seconds === undefined) return undefined
    return (facts, now) => {
      const length = read(facts, now)
      return length !== undefined && compare(length, seconds * 1000)
    }
  }
}

const VERSION = /^v?(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?/

/**
 * `8.5`, `<8.5`, `>=8.5.7`: only the parts that are written are compared, so 8.5.7 is 8.5 and not above it. Undefined for no
 * version.
 */
export function versionTest(read: (facts: ClientFacts) => string | undefined) {
  return (value: string): FactsTest | undefined => {
    const { compare, rest } = comparisonOf(value, '=')
    if (!/^v?\d{1,6}(\.\d{1,6}){0,2}\.?$/.test(rest)) return undefined
    const wanted = versionParts(rest)
    return facts => {
      const parts = versionParts(read(facts) ?? '')
      if (parts.length === 0) return false
      const differs = wanted.findIndex((part, index) => part !== (parts[index] ?? 0))
      return differs < 0 ? compare(0, 0) : compare(parts[differs] ?? 0, wanted[differs] ?? 0)
    }
  }
}

function versionParts(text: string): readonly number[] {
  return (VERSION.exec(text) ?? []).slice(1).filter(Boolean).map(Number)
}

const haystacks = new WeakMap<ClientFacts, string>()

/** All texts in which words are searched, in lower case, one a line. */
export function haystackOf(facts: ClientFacts): string {
  const cached = haystacks.get(facts)
  if (cached !== undefined) return cached
  const {
    id,
    machine: client,
    name,
    address,
    state,
    os,
    osVersion,
    version,
    gpus,
    projects,
    groups,
    ownGroups,
    tags,
  } = facts
  const texts = [name, id, client, address, clientStatusAppearance(state).label, os, osVersion, version]
  const haystack = [...texts, ...gpus, ...projects, ...groups.map(groupTitle), ...ownGroups, ...tags]
    .join('\n')
    .toLowerCase()
  haystacks.set(facts, haystack)
  return haystack
}
