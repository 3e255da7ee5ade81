import { expect, it } from 'vitest'
import { isMapOpen, mapChoiceOf, withMap, withMapChoice } from './map-params.ts'

const params = (text: string) => new URLSearchParams(text)

it('the map is open when the address says so', () => {
  expect(['layout=map', 'layout=grid', ''].map(text => isMapOpen(params(text)))).toEqual([true, false, false])
})

it('opening and closing the map leaves other parameters alone', () => {
  expect(withMap(params('filter=attic&layout=grid'), true).toString()).toBe('filter=attic&layout=map')
  expect(withMap(params('filter=attic&layout=map&group=os&cell=large'), false).toString()).toBe('filter=attic')
})

it('grouping and size are read with defaults, which are not written', () => {
  expect(mapChoiceOf(params('group=os&cell=large'))).toEqual({ grouping: 'os', size: 'large' })
  expect(mapChoiceOf(params('group=color&cell=huge'))).toEqual({ grouping: 'none', size: undefined })
  expect(withMapChoice(params('layout=map'), { grouping: 'gpu', size: 'named' }).toString()).toBe(
    'layout=map&group=gpu&cell=named',
  )
  const defaults = { grouping: 'none', size: undefined } as const
  expect(withMapChoice(params('layout=map&group=gpu&cell=named'), defaults).toString()).toBe('layout=map')
})
