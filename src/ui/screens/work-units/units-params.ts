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
export const daysText = (params: URLSearchParams): string => params.get(DAYS) ?? ''

/** Whether the days field is filled but not a number of days; it does not filter then. */
export const isBadDays = (text: string): boolean => text.trim() !== '' && daysOf(text) === undefined

export const isCompleteOnly = (params: URLSearchParams): boolean => params.get(COMPLETE) === '1'

export const filterOf = (params: URLSearchParams): UnitFilter => {
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

export const withField = (params: URLSearchParams, field: FilterField, value: string | undefined): URLSearchParams =>
  changed(params, { [field]: value })

export const withDays = (params: URLSearchParams, text: string): URLSearchParams =>
  changed(params, { [DAYS]: text === '' ? undefined : text })

export const withComplete = (params: URLSearchParams, isComplete: boolean): URLSearchParams =>
  changed(params, { [COMPLETE]: isComplete ? '1' : undefined })

/** Removes the filter and keeps the sorting. */
export const withoutFilter = (params: URLSearchParams): URLSearchParams =>
  changed(params, Object.fromEntries([...FILTER_FIELDS, DAYS, COMPLETE].map(name => [name, undefined])))

export const isFiltered = (params: URLSearchParams): boolean =>
  [...FILTER_FIELDS, DAYS, COMPLETE].some(name => params.has(name))

export const tabOf = (params: URLSearchParams): UnitsTab =>
  params.get(TAB) === 'benchmarks' ? 'benchmarks' : 'history'

/** Removes the sorting too, since the tabs have different columns. */
export const withTab = (params: URLSearchParams, tab: UnitsTab): URLSearchParams =>
  changed(params, { [TAB]: tab === 'history' ? undefined : tab, sort: undefined })

/** The history filtered to the work units of a benchmark. */
export const withBenchmark = (params: URLSearchParams, { project, resources, core }: Benchmark): URLSearchParams =>
  changed(withTab(params, 'history'), {
    project: String(project),
    ...(resources === undefined ? {} : { resources }),
    ...(core === undefined ? {} : { core }),
  })

const changed = (params: URLSearchParams, changes: Readonly<Record<string, string | undefined>>): URLSearchParams => {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  return next
}
