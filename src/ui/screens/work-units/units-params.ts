import type { Benchmark } from '../../../folding/unit/statistics.ts'
import { daysOf } from '../../../folding/shared/validation.ts'
import { FILTER_FIELDS, type FilterField, type UnitFilter } from '../../../folding/unit/unit-rows.ts'

/*
 * The filter of the history is in the address, so that it survives a reload and can be shared:
 * `machine=Attic&project=18420&days=7&complete=1`. `sort=ppd` is ascending, `sort=-ppd` descending.
 */
const DAYS = 'days'
const COMPLETE = 'complete'
const TAB = 'tab'

export type UnitsTab = 'history' | 'benchmarks'

/** The days field as typed: any text. */
export function daysText(params: URLSearchParams): string {
  return params.get(DAYS) ?? ''
}

/** Whether the days field is filled but not a number of days; it does not filter then. */
export function isBadDays(text: string): boolean {
  return text.trim() !== '' && daysOf(text) === undefined
}

export function isCompleteOnly(params: URLSearchParams): boolean {
  return params.get(COMPLETE) === '1'
}

export function filterOf(params: URLSearchParams): UnitFilter {
  const chosen = FILTER_FIELDS.flatMap(field => {
    const value = params.get(field)
    return value === null ? [] : [[field, value] as const]
  })
  const days = daysOf(daysText(params))
  return {
    ...Object.fromEntries(chosen),
    ...(days === undefined ? {} : { days }),
    ...(isCompleteOnly(params) ? { isComplete: true } : {}),
  }
}

export function withField(params: URLSearchParams, field: FilterField, value: string | undefined): URLSearchParams {
  return changed(params, { [field]: value })
}

export function withDays(params: URLSearchParams, text: string): URLSearchParams {
  return changed(params, { [DAYS]: text === '' ? undefined : text })
}

export function withComplete(params: URLSearchParams, isComplete: boolean): URLSearchParams {
  return changed(params, { [COMPLETE]: isComplete ? '1' : undefined })
}

/** Removes the filter and keeps the sorting. */
export function withoutFilter(params: URLSearchParams): URLSearchParams {
  return changed(params, Object.fromEntries([...FILTER_FIELDS, DAYS, COMPLETE].map(name => [name, undefined])))
}

export function isFiltered(params: URLSearchParams): boolean {
  return [...FILTER_FIELDS, DAYS, COMPLETE].some(name => params.has(name))
}

export function tabOf(params: URLSearchParams): UnitsTab {
  return params.get(TAB) === 'benchmarks' ? 'benchmarks' : 'history'
}

/** Removes the sorting too, since the tabs have different columns. */
export function withTab(params: URLSearchParams, tab: UnitsTab): URLSearchParams {
  return changed(params, { [TAB]: tab === 'history' ? undefined : tab, sort: undefined })
}

/** The history filtered to the work units of a benchmark. */
export function withBenchmark(params: URLSearchParams, { project, resources, core }: Benchmark): URLSearchParams {
  return changed(withTab(params, 'history'), {
    project: String(project),
    ...(resources === undefined ? {} : { resources }),
    ...(core === undefined ? {} : { core }),
  })
}

function changed(params: URLSearchParams, changes: Readonly<Record<string, string | undefined>>): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  return next
}
