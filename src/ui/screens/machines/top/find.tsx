import { plural, t } from '@lingui/core/macro'
import { useMemo, useSyncExternalStore } from 'react'
import type { ClientFacts } from '../../../../folding/fleet/client-facts.ts'
import {
  compileQuery,
  isNarrower,
  printTerm,
  queryFaultText,
  withoutTerm,
  type CompiledQuery,
  type PlacedTerm,
} from '../../../../folding/fleet/query.ts'
import {
  prepareSuggestions,
  suggestionsAt,
  type Suggestion,
  type Suggestions,
} from '../../../../folding/fleet/query-suggestions.ts'
import { QUERY_TOKENS } from '../../../../folding/fleet/query-tokens.ts'
import { haystackOf } from '../../../../folding/fleet/query-values.ts'
import { isSameList } from '../../../../folding/shared/equal.ts'
import { formatList, formatNumber, formatPoints } from '../../../../folding/text/format.ts'
import { selectNow } from '../../../../machines/app/clock/clock.selectors.ts'
import { selectShownIds } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import type { System } from '../../../../machines/app/system.ts'
import { fleetFactsOf, useFleetFacts } from '../../../hooks/use-fleet-facts.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { classNames } from '../../../parts/class-names.ts'
import { StatusMark } from '../../../parts/display/status-mark.tsx'
import { focusContentSoon } from '../../../parts/focus-content.ts'
import { Icon } from '../../../parts/icons/icon.tsx'
import styles from './find.module.css'

export { hasValue, withToggledValue } from '../../../../folding/fleet/query.ts'
export { withSuggestion } from '../../../../folding/fleet/query-suggestions.ts'

/** Clients that match a query, in the order of all clients. */
export type Matches = {
  /** Calls `listener` when the matches may have changed. */
  readonly subscribe: (listener: () => void) => () => void
  /** The same list while the matches are the same. */
  readonly read: (all: readonly string[], query: string) => readonly string[]
}

const matchesBySystem = new WeakMap<System, Matches>()

/** Milliseconds for which matches of durations, such as `offline:>1h`, are kept. */
const TIME_STEP = 1000

type Matched = {
  readonly query: CompiledQuery
  readonly facts: readonly ClientFacts[]
  /** Whether each of them matches. Clients that did not change are not tested again. */
  readonly matched: readonly boolean[]
  /** When the oldest of the tests was, epoch milliseconds. */
  readonly at: number
  readonly ids: readonly string[]
}

/** One per system: its readers show the same query. */
export function matchesOf(system: System): Matches {
  const cached = matchesBySystem.get(system)
  if (cached !== undefined) return cached
  const store = fleetFactsOf(system)
  let last: Matched | undefined
  const created: Matches = {
    subscribe: store.subscribe,
    read(all, text) {
      const query = compileQuery(text)
      const facts = store.read(all)
      const now = selectNow(system.clock.getSnapshot())
      const before = last !== undefined && Math.abs(now - last.at) < TIME_STEP ? last : undefined
      if (before?.query === query && before.facts === facts) return before.ids
      const isSameQuery = before?.query === query
      const narrows = before !== undefined && !isSameQuery && isNarrower(query, before.query)
      const matched = facts.map((one, index) => {
        const isKnown = before?.facts[index] === one
        if (isKnown && isSameQuery) return before.matched[index] === true
        return !(isKnown && narrows && before.matched[index] === false) && query.matches(one, now)
      })
      const found = facts.flatMap(({ id }, index) => (matched[index] === true ? id : []))
      const ids = last !== undefined && isSameList(last.ids, found) ? last.ids : found
      last = { query, facts, matched, at: isSameQuery || narrows ? before.at : now, ids }
      return ids
    },
  }
  matchesBySystem.set(system, created)
  return created
}

function allFacts(system: System): readonly ClientFacts[] {
  return fleetFactsOf(system).read(selectShownIds('usual')(system.fleet.getSnapshot()))
}

/** What the field suggests: keys, and values of all shown clients. */
export function suggestionsFor(system: System, text: string, cursor: number): Suggestions {
  return suggestionsAt(text, cursor, allFacts(system))
}

/** Clients whose texts are put together in one turn: the first key would take long for thousands. */
const PART = 500

/** Does what the first key would have to do, a part at a time, as soon as the field has the focus. Returns how to stop. */
export function prepareFind(system: System): () => void {
  const facts = allFacts(system)
  let at = 0
  const proceed = (): void => {
    for (const one of facts.slice(at, at + PART)) haystackOf(one)
    at += PART
    if (at < facts.length) timer = setTimeout(proceed)
    else prepareSuggestions(facts)
  }
  let timer = setTimeout(proceed)
  return () => clearTimeout(timer)
}

type ListProps = {
  readonly id: string
  readonly items: readonly Suggestion[]
  readonly active: number
  readonly onChoose: (index: number) => void
}

export function SuggestionList({ id, items, active, onChoose }: ListProps) {
  return (
    <ul id={id} role="listbox" aria-label={t`Suggestions`} className={styles['suggestions']}>
      {items.map((item, index) => (
        // Keys are handled by the field, which keeps the focus.
        <li
          key={item.text}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={styles['suggestion']}
          onPointerDown={event => event.preventDefault()}
          onClick={() => onChoose(index)}
        >
          <span className="shrink medium anywhere">{item.text}</span>
          <span className="shrink quiet type-2 anywhere">
            {item.title === item.text || item.text.endsWith(`:${item.title}`)
              ? item.hint
              : `${item.title} · ${item.hint}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

function titleOf({ key, values, isNegated }: PlacedTerm): string {
  const choices = QUERY_TOKENS.get(key ?? '')?.choices ?? []
  const words = values.map(value => choices.find(choice => choice.value === value.toLowerCase())?.title ?? value)
  const what = formatList(words, 'disjunction')
  const title = QUERY_TOKENS.get(key ?? '')?.title ?? t`Text`
  return isNegated ? t`Not ${title}: ${what}` : t`${title}: ${what}`
}

type ActiveProps = {
  readonly query: string
  readonly onChange: (query: string) => void
  readonly ids: readonly string[]
}

/** What the query means, term by term; what is wrong with it; and the totals of the clients that match. */
export function ActiveQuery({ query, onChange, ids }: ActiveProps) {
  const system = useSystem()
  const { terms, faults } = compileQuery(query)
  const store = fleetFactsOf(system)
  const facts = useFleetFacts(ids)
  const all = useSyncExternalStore(store.subscribe, () => selectShownIds('usual')(system.fleet.getSnapshot()).length)
  const { ppd, units } = useMemo(
    () => ({
      ppd: facts.reduce((sum, one) => sum + one.ppd, 0),
      units: facts.reduce((sum, one) => sum + (one.isConnected ? one.unitCount : 0), 0),
    }),
    [facts],
  )
  // The button that was pressed goes.
  const change = (text: string): void => {
    onChange(text)
    document.querySelector<HTMLElement>('[data-filter] input')?.focus()
    focusContentSoon()
  }
  const isFaulty = (term: PlacedTerm): boolean => faults.some(fault => fault.term === term)
  const [count, total] = [formatNumber(ids.length), formatNumber(all)]
  return (
    <div className={styles['active']}>
      <p className="flex wrap align-baseline gap-0-4 tabular">
        <strong role="status">
          {plural(all, { one: `${count} of ${total} machine shown`, other: `${count} of ${total} machines shown` })}
        </strong>
        <span>
          {plural(units, { one: `${formatNumber(units)} work unit`, other: `${formatNumber(units)} work units` })}
        </span>
        <span>{formatPoints(ppd)} PPD</span>
        <span className="quiet type-2">{t`The totals above count all machines.`}</span>
      </p>
      <ul className="row gap-1-2" aria-label={t`What is searched for`}>
        {terms.map(term => (
          <li key={term.start} className={classNames(styles['chip'], isFaulty(term) ? styles['faulty'] : undefined)}>
            {isFaulty(term) ? <Icon name="warning" /> : undefined}
            <span className="shrink ellipsis">{isFaulty(term) ? printTerm(term) : titleOf(term)}</span>
            <button
              type="button"
              className={styles['remove']}
              aria-label={t`Remove ${titleOf(term)}`}
              onClick={() => change(withoutTerm(query, term))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
        {terms.length > 1 ? (
          <li>
            <button type="button" className={styles['clear']} onClick={() => change('')}>
              {t`Clear all`}
            </button>
          </li>
        ) : undefined}
      </ul>
      {faults.length === 0 ? undefined : (
        <ul className={styles['faults']} aria-label={t`What is not understood`}>
          {faults.map(fault => (
            <li key={fault.term.start}>
              <StatusMark icon="warning" tone="warning" text={queryFaultText(fault)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
