import { describe, expect, it } from 'vitest'
import {
  filterOf,
  isBadDays,
  isFiltered,
  tabOf,
  withBenchmark,
  withComplete,
  withDays,
  withField,
  withoutFilter,
  withTab,
} from './units-params.ts'

function params(text = ''): URLSearchParams {
  return new URLSearchParams(text)
}

describe('search parameters of the Work Units view', () => {
  it.each([
    ['', {}],
    [
      'machine=Attic&project=18420&os=Linux&state=Credited&resources=1+CPU&core=0xa9',
      { machine: 'Attic', project: '18420', os: 'Linux', state: 'Credited', resources: '1 CPU', core: '0xa9' },
    ],
    ['days=7', { days: 7 }],
    ['days=+0.5+', { days: 0.5 }],
    ['days=1e3', { days: 1000 }],
    ['days=soon', {}],
    ['days=-1', {}],
    ['days=1e9', {}],
    ['days=Infinity', {}],
    ['days=', {}],
    ['complete=1', { isComplete: true }],
    ['complete=yes', {}],
    ['machine=', { machine: '' }],
  ])('hold the filter: %s', (text, filter) => {
    expect(filterOf(params(text))).toEqual(filter)
  })

  it('recognize an invalid number of days [2.28, 5.13]', () => {
    expect(['', ' ', '7', '-1', '1.5', 'soon', '7d', 'NaN', 'Infinity'].filter(isBadDays)).toEqual([
      '-1',
      'soon',
      '7d',
      'NaN',
      'Infinity',
    ])
  })

  it('keep other parameters', () => {
    const narrowed = withComplete(withDays(withField(params('sort=-ppd&x=1'), 'machine', 'Attic'), '7'), true)
    expect(narrowed.toString()).toBe('sort=-ppd&x=1&machine=Attic&days=7&complete=1')
    expect(isFiltered(narrowed)).toBe(true)
    expect(withDays(withComplete(withField(narrowed, 'machine', undefined), false), '').toString()).toBe(
      'sort=-ppd&x=1',
    )
    expect(withoutFilter(narrowed).toString()).toBe('sort=-ppd&x=1')
    expect(isFiltered(withoutFilter(narrowed))).toBe(false)
  })

  it('filter the history to the work units of a benchmark', () => {
    const tab = withTab(params('machine=Attic&sort=-ppd'), 'benchmarks')
    expect(tabOf(tab)).toBe('benchmarks')
    expect(tab.toString()).toBe('machine=Attic&tab=benchmarks')
    const benchmark = {
      key: 'k',
      project: 18_420,
      resources: '1 CPU',
      core: undefined,
      count: 1,
      averageTpf: 1,
      fastestTpf: 1,
      slowestTpf: 1,
      latestTpf: 1,
      averagePpd: 1,
      relativePpd: undefined,
    }
    const narrowed = withBenchmark(tab, benchmark)
    expect(tabOf(narrowed)).toBe('history')
    expect(narrowed.toString()).toBe('machine=Attic&project=18420&resources=1+CPU')
  })
})
