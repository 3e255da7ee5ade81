import { expect, it } from 'vitest'
import { linkedView, queryOf, type LinkedView } from './view-link.ts'

const view: LinkedView = {
  style: 4,
  coloring: 'structure',
  residue: 12,
  hasGhost: true,
  camera: { rotation: [0.5, -0.5, 0.5, 0.5], pivot: [0.1, -0.2, 0.3], distance: 1.25, pan: [0, -0.125] },
}
const nothing: LinkedView = {
  style: undefined,
  coloring: undefined,
  residue: undefined,
  hasGhost: false,
  camera: undefined,
}

it.each([view, nothing, { ...nothing, residue: 3 }])('a view is read from its own link: %o', shown => {
  expect(linkedView(queryOf(shown))).toEqual(shown)
})

it.each([
  'style=9&color=pink&residue=-1&camera=1,2',
  'residue=1.5&camera=0,0,0,1,0,0,0,x,0,0',
  'camera=0,0,0,1,0,0,0,0,0,0',
])('an address with invalid values says nothing: %s', query => {
  expect(linkedView(query)).toEqual(nothing)
})
