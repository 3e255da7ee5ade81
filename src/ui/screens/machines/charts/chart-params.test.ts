import { expect, it } from 'vitest'
import { chartOf, rangeOf, withChart, withRange } from './chart-params.ts'

function params(text: string) {
  return new URLSearchParams(text)
}

it('a chart is open when the address names one that exists', () => {
  expect(['chart=ppd', 'chart=finishes', 'chart=pie', ''].map(text => chartOf(params(text)))).toEqual([
    'ppd',
    'finishes',
    undefined,
    undefined,
  ])
})

it('opening and closing a chart leaves other parameters alone, and removes the range of a closed one', () => {
  expect(withChart(params('filter=attic'), 'ppd').toString()).toBe('filter=attic&chart=ppd')
  expect(withChart(params('chart=ppd&range=all&filter=attic'), 'finishes').toString()).toBe(
    'chart=finishes&filter=attic',
  )
  expect(withChart(params('chart=ppd&range=all'), undefined).toString()).toBe('')
})

it('the range is a week unless the address names another', () => {
  expect(['range=month', 'range=century', ''].map(text => rangeOf(params(text)))).toEqual(['month', 'week', 'week'])
  expect(withRange(params('chart=ppd'), 'day').toString()).toBe('chart=ppd&range=day')
  expect(withRange(params('chart=ppd&range=day'), 'week').toString()).toBe('chart=ppd')
})
