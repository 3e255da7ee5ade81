import { expect, it } from 'vitest'
import { withLayout } from '../view-params.ts'
import { mapChoiceOf, withMapChoice } from './map-params.ts'

function params(text: string) {
  return new URLSearchParams(text)
}

it('another layout has no groups and sizes of cells', () => {
  expect(withLayout(params('filter=attic&layout=map&group=os&cell=large'), 'grid').toString()).toBe(
    'filter=attic&layout=grid',
  )
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
