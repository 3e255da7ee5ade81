import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factsOf as client } from '../../../test/folding/client-facts.ts'
import type { ClientFacts } from './client-facts.ts'
import {
  CELL_SIZES,
  cellAt,
  cellsBetween,
  cellsOfRow,
  cellText,
  mapGroups,
  mapLayout,
  movedFrom,
  placeOf,
  stateCounts,
  type MapGrouping,
  type MapMove,
} from './fleet-map.ts'

describe('groups of the map', () => {
  const groupsBy = (grouping: MapGrouping, ...clients: readonly ClientFacts[]) =>
    mapGroups(clients, grouping).map(({ label, machines: members }) => [label, ...members.map(({ id }) => id)])

  it('is one without a grouping', () => {
    expect(groupsBy('none', client('b'), client('a'))).toEqual([['All machines', 'b', 'a']])
  })

  it('are states by urgency', () => {
    const clients = [client('a'), client('b', { state: 'paused' }), client('c', { state: 'failed' })]
    expect(groupsBy('state', ...clients)).toEqual([
      ['Failed', 'c'],
      ['Paused', 'b'],
      ['Folding', 'a'],
    ])
  })

  it('are first tags by name, and clients without one last', () => {
    const clients = [client('a'), client('b', { tags: ['lab', 'attic'] }), client('c', { tags: ['attic'] })]
    expect(groupsBy('tag', ...clients)).toEqual([
      ['attic', 'c'],
      ['lab', 'b'],
      ['No tag', 'a'],
    ])
  })

  it('are versions, newest first', () => {
    const clients = [client('a', { version: '8.9.1' }), client('b'), client('c', { version: '8.10.0' })]
    expect(groupsBy('version', ...clients)).toEqual([
      ['8.10.0', 'c'],
      ['8.9.1', 'a'],
      ['Not known', 'b'],
    ])
  })

  it('are operating systems', () => {
    expect(groupsBy('os', client('a', { os: 'Windows' }), client('b', { os: 'Linux' }))).toEqual([
      ['Linux', 'b'],
      ['Windows', 'a'],
    ])
  })

  it('are all GPUs of a client together', () => {
    const clients = [client('a', { gpus: ['RTX 4090', 'RTX 4090'] }), client('b', { gpus: ['RTX 4090'] }), client('c')]
    expect(groupsBy('gpu', ...clients)).toEqual([
      ['2 × RTX 4090', 'a'],
      ['RTX 4090', 'b'],
      ['No GPU', 'c'],
    ])
  })
})

it('states are counted by urgency', () => {
  const clients = [client('a'), client('b'), client('c', { state: 'idle' })]
  expect(stateCounts(clients)).toEqual([
    { state: 'idle', count: 1 },
    { state: 'folding', count: 2 },
  ])
})

describe('the layout', () => {
  it('places groups below each other, each with a heading', () => {
    const layout = mapLayout([5, 2], 'medium', 66)
    expect(layout).toMatchObject({ columns: 3, count: 7, rows: 3, height: 30 + 2 * 23 + 14 + 30 + 23 + 14 })
    expect(placeOf(layout, 4)).toEqual({ left: 23, top: 53, row: 1, column: 1 })
    expect(placeOf(layout, 5)).toEqual({ left: 0, top: 120, row: 2, column: 0 })
    expect(placeOf(layout, 7)).toBeUndefined()
    expect(placeOf(layout, -1)).toBeUndefined()
    expect(cellsOfRow(layout, 1)).toEqual({ group: 0, first: 3, end: 5 })
    expect(cellsOfRow(layout, 2)).toEqual({ group: 1, first: 5, end: 7 })
    expect(cellsOfRow(layout, 3)).toBeUndefined()
  })

  it('has one column where it is too narrow for a cell, and is empty without clients', () => {
    expect(mapLayout([3], 'named', 10)).toMatchObject({ columns: 1, rows: 3 })
    const empty = mapLayout([], 'small', 100)
    expect(empty.height).toBe(0)
    expect(placeOf(empty, 0)).toBeUndefined()
    expect(cellAt(empty, 1, 1)).toBeUndefined()
    expect(movedFrom(empty, 0, 'down', 5)).toBe(0)
    expect(cellsBetween(empty, 0, 100)).toEqual({ first: 0, end: 0 })
  })

  it('has nothing between cells, in headings, and beside the last cell of a group', () => {
    const layout = mapLayout([5, 2], 'medium', 66)
    const points = [
      [0, 30],
      [21, 30],
      [5, 51],
      [5, 10],
      [50, 60],
      [70, 35],
      [-1, 35],
      [5, 500],
    ] as const
    expect(points.map(([x, y]) => cellAt(layout, x, y))).toEqual([0, ...Array.from({ length: 7 }, () => undefined)])
  })

  const layouts = fc
    .tuple(
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(...CELL_SIZES),
      fc.integer({ min: 1, max: 900 }),
    )
    .map(([counts, size, width]) => mapLayout(counts, size, width))

  it('finds every cell at its own place', () => {
    fc.assert(
      fc.property(layouts, layout => {
        for (let index = 0; index < layout.count; index++) {
          const place = placeOf(layout, index)
          if (place === undefined) throw new Error('A cell has no place.')
          const { width, height } = layout.cell
          expect(cellAt(layout, place.left, place.top)).toBe(index)
          expect(cellAt(layout, place.left + width - 1, place.top + height - 1)).toBe(index)
          const row = cellsOfRow(layout, place.row)
          expect(row?.first).toBe(index - place.column)
        }
      }),
    )
  })

  it('knows which cells are in view', () => {
    fc.assert(
      fc.property(
        layouts,
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 1, max: 800 }),
        (layout, top, height) => {
          const { first, end } = cellsBetween(layout, top, top + height)
          const inView = (index: number): boolean => {
            const place = placeOf(layout, index)
            return place !== undefined && place.top < top + height && place.top + layout.cell.height > top
          }
          for (let index = 0; index < layout.count; index++)
            if (inView(index)) expect(index >= first && index < end).toBe(true)
          // At most one row too many at the upper edge.
          expect(end - first).toBeLessThanOrEqual(
            Array.from({ length: layout.count }, (_, index) => index).filter(inView).length + layout.columns,
          )
        },
      ),
    )
  })
})

describe('moving over cells', () => {
  const layout = mapLayout([5, 2], 'medium', 66)
  // 0 1 2
  // 3 4
  //
  // 5 6
  it.each<[from: number, MapMove, to: number]>([
    [0, 'left', 0],
    [2, 'right', 3],
    [6, 'right', 6],
    [2, 'down', 4],
    [4, 'down', 6],
    [6, 'down', 6],
    [5, 'up', 3],
    [1, 'up', 1],
    [1, 'rowEnd', 2],
    [4, 'rowStart', 3],
    [0, 'pageDown', 5],
    [6, 'pageUp', 1],
    [3, 'first', 0],
    [3, 'last', 6],
    [99, 'left', 0],
  ])('from %i %s leads to %i', (from, move, to) => {
    expect(movedFrom(layout, from, move, 9)).toBe(to)
  })
})

it('the name of a cell contains client, state and points per day', () => {
  expect(cellText(client('attic', { ppd: 1200 }))).toBe('attic, Folding, 1,200 PPD')
  expect(cellText(client('attic', { isConnected: false, state: 'disconnected' }))).toBe('attic, Disconnected')
})
