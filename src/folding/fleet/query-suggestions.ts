/*
 * What the Find field suggests at the cursor: keys, and the values that clients have now, with counts.
 */
import { plural } from '@lingui/core/macro'
import { compareTexts, formatNumber } from '../text/format.ts'
import type { ClientFacts } from './client-facts.ts'
import { parseQuery, printTerm, type PlacedTerm, type QueryTerm } from './query.ts'
import { QUERY_TOKENS, type QueryToken } from './query-tokens.ts'

export type Suggestion = {
  /** Replaces the term at the cursor. */
  readonly text: string
  readonly title: string
  /** The help of a key, or the number of clients with a value. */
  readonly hint: string
  /** Whether the term is complete, so that the next one can be typed. */
  readonly isComplete: boolean
}

/** `start` and `end`: the part of the text that a suggestion replaces. */
export type Suggestions = {
  readonly items: readonly Suggestion[]
  readonly start: number
  readonly end: number
}

const MOST = 8
/** Keys whose values are suggested for a word without a key. */
const BY_WORD = ['state', 'tag', 'gpu', 'project', 'group', 'os'] as const

/** Does in advance what takes long with thousands of clients: counts the values that words are compared with. */
export function prepareSuggestions(fleet: readonly ClientFacts[]): void {
  return void suggestionsAt('a', 1, fleet)
}

/** Suggestions for a text with the cursor at `cursor`. `fleet`: all clients, also those that do not match. */
export function suggestionsAt(text: string, cursor: number, fleet: readonly ClientFacts[]): Suggestions {
  const term = parseQuery(text).find(({ start, end }) => start <= cursor && cursor <= end)
  if (term === undefined) return { items: keySuggestions('', false), start: cursor, end: cursor }
  const { start, end } = term
  const token = term.key === undefined ? undefined : QUERY_TOKENS.get(term.key)
  if (token !== undefined) return { items: valueSuggestions(term, token, fleet), start, end }
  return { items: wordSuggestions(term, fleet), start, end }
}

/** The text after a suggestion was chosen, and where the cursor is then. */
export function withSuggestion(
  text: string,
  { start, end }: Suggestions,
  { text: chosen, isComplete }: Suggestion,
): { readonly text: string; readonly cursor: number } {
  const rest = text.slice(end)
  const before = `${text.slice(0, start)}${chosen}${isComplete && !rest.startsWith(' ') ? ' ' : ''}`
  return { text: `${before}${rest}`, cursor: before.length + (isComplete && rest.startsWith(' ') ? 1 : 0) }
}

function keySuggestions(typed: string, isNegated: boolean): readonly Suggestion[] {
  const wanted = typed.toLowerCase()
  const items = [...QUERY_TOKENS.values()].map(({ key, title, help }) => ({
    text: `${isNegated ? '-' : ''}${key}:`,
    title,
    hint: help,
    isComplete: false,
  }))
  return items.filter(({ text, title }) => `${text}\n${title}`.toLowerCase().includes(wanted)).slice(0, MOST)
}

function valueSuggestions(term: PlacedTerm, token: QueryToken, fleet: readonly ClientFacts[]): readonly Suggestion[] {
  const others = term.values.slice(0, -1)
  const typed = (term.values.at(-1) ?? '').toLowerCase()
  const isNew = (value: string): boolean => !others.includes(value)
  return valuesOf(token, fleet)
    .filter(({ value, title }) => isNew(value) && `${value}\n${title}`.toLowerCase().includes(typed))
    .slice(0, MOST)
    .map(found => suggestionOf({ ...term, values: [...others, found.value] }, found))
}

function wordSuggestions({ values, isNegated }: PlacedTerm, fleet: readonly ClientFacts[]): readonly Suggestion[] {
  const typed = (values[0] ?? '').toLowerCase()
  const found = BY_WORD.flatMap(key => {
    const token = QUERY_TOKENS.get(key)
    if (token === undefined) return []
    return valuesOf(token, fleet)
      .filter(({ value, title, count }) => count !== 0 && `${value}\n${title}`.toLowerCase().includes(typed))
      .slice(0, 3)
      .map(one => suggestionOf({ key, values: [one.value], isNegated }, one))
  })
  const keys = keySuggestions(typed, isNegated).filter(({ text }) => text.replace('-', '').startsWith(typed))
  return [...keys, ...found].slice(0, MOST)
}

type FoundValue = { readonly value: string; readonly title: string; readonly count: number | undefined }

function suggestionOf(term: QueryTerm, { title, count }: FoundValue): Suggestion {
  return {
    text: printTerm({ key: term.key, values: term.values, isNegated: term.isNegated }),
    title,
    hint:
      count === undefined
        ? ''
        : plural(count, { one: `${formatNumber(count)} machine`, other: `${formatNumber(count)} machines` }),
    isComplete: true,
  }
}

type Counted = {
  readonly fleet: readonly ClientFacts[]
  readonly counts: Map<string, number>
  readonly values: readonly FoundValue[]
}

/** The counts of each token for the last fleet, from which those for the next follow. */
const counted = new WeakMap<QueryToken, Counted>()

const NO_COUNTS = { fleet: [], counts: new Map<string, number>() } as const

/** The choices of a token first, in their order, then other values that clients have, most frequent first. */
function valuesOf(token: QueryToken, fleet: readonly ClientFacts[]): readonly FoundValue[] {
  const { choices = [], valuesOf: read } = token
  const before = counted.get(token)
  if (before?.fleet === fleet) return before.values
  // Most clients of thousands did not change since the last key.
  const start = before?.fleet.length === fleet.length ? before : NO_COUNTS
  const counts = new Map(start.counts)
  const count = (facts: ClientFacts | undefined, by: 1 | -1): void => {
    if (read === undefined || facts === undefined) return
    for (const value of read(facts)) {
      const next = (counts.get(value) ?? 0) + by
      if (next === 0) counts.delete(value)
      else counts.set(value, next)
    }
  }
  fleet.forEach((facts, index) => {
    const previous = start.fleet[index]
    if (previous === facts) return
    count(previous, -1)
    count(facts, 1)
  })
  const chosen = choices.map(choice => ({
    ...choice,
    count: read === undefined ? undefined : (counts.get(choice.value) ?? 0),
  }))
  const isChoice = new Set(choices.map(({ value }) => value))
  const others = [...counts]
    .filter(([value]) => !isChoice.has(value))
    .sort(([a, one], [b, other]) => other - one || compareTexts(a, b))
    .map(([value, found]) => ({ value, title: value, count: found }))
  const values: readonly FoundValue[] = [...chosen, ...others]
  counted.set(token, { fleet, counts, values })
  return values
}
