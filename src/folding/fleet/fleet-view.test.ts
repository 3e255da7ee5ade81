import { describe, expect, it } from 'vitest'
import {
  collapseAll,
  defaultFleetView,
  defaultGridColumns,
  isCollapsed,
  layoutFor,
  MAX_EXCEPTIONS,
  MAX_WIDTH,
  MIN_WIDTH,
  moveColumn,
  shownColumns,
  stepColumn,
  toggleCollapsed,
  withColumnWidth,
} from './fleet-view.ts'

describe('the layout of the clients', () => {
  it.each([
    [undefined, undefined, 1, 'single'],
    [undefined, undefined, 2, 'panels'],
    [undefined, undefined, 12, 'panels'],
    [undefined, undefined, 13, 'grid'],
    [undefined, 'panels', 5000, 'panels'],
    [undefined, 'units', 1, 'units'],
    ['panels', 'grid', 40, 'panels'],
    [undefined, 'map', 1, 'single'],
    ['grid', undefined, 1, 'grid'],
    ['panels', undefined, 1, 'panels'],
    [undefined, 'panels', 1, 'panels'],
    ['single', 'panels', 1, 'single'],
    ['single', 'grid', 2, 'panels'],
    [undefined, 'single', 13, 'grid'],
  ] as const)('asked %s, chosen %s, with %i clients: %s', (asked, chosen, clients, layout) => {
    expect(layoutFor(asked, chosen, clients)).toBe(layout)
  })
})

describe('collapsed panels', () => {
  it('are none at first', () => {
    expect(isCollapsed(defaultFleetView.collapsed, 'a')).toBe(false)
  })

  it('are collapsed one by one, and expanded again', () => {
    const one = toggleCollapsed(defaultFleetView.collapsed, 'a')
    expect(isCollapsed(one, 'a')).toBe(true)
    expect(isCollapsed(one, 'b')).toBe(false)
    expect(toggleCollapsed(one, 'a')).toEqual(defaultFleetView.collapsed)
  })

  it('are collapsed all at once, those that join later included, and expanded one by one', () => {
    const all = toggleCollapsed(collapseAll(true), 'a')
    expect(isCollapsed(all, 'a')).toBe(false)
    expect(isCollapsed(all, 'joined later')).toBe(true)
  })

  it('forget the oldest exceptions beyond the limit', () => {
    let panels = defaultFleetView.collapsed
    for (let client = 0; client <= MAX_EXCEPTIONS; client++) panels = toggleCollapsed(panels, `machine ${client}`)
    expect(panels.except).toHaveLength(MAX_EXCEPTIONS)
    expect(isCollapsed(panels, 'machine 0')).toBe(false)
    expect(isCollapsed(panels, 'machine 1')).toBe(true)
  })
})

describe('the shown columns', () => {
  const available = ['name', 'state', 'ppd', 'os']
  const shown = (change: Partial<typeof defaultGridColumns>, asked?: readonly string[]) =>
    shownColumns({ ...defaultGridColumns, ...change }, available, ['name', 'state', 'ppd'], 'name', asked)

  it('are the default ones with the first pinned while nothing was chosen', () => {
    expect(shown({})).toEqual({ ids: ['name', 'state', 'ppd'], pinned: 1 })
  })

  it('are those of the address, else the chosen ones, without unknown and repeated ones', () => {
    expect(shown({ shown: ['os', 'name'] }).ids).toEqual(['name', 'os'])
    expect(shown({ shown: ['os'] }, ['ppd', 'ppd', 'invented', '__proto__']).ids).toEqual(['name', 'ppd'])
  })

  it('have the pinned ones first, in their order', () => {
    expect(shown({ shown: ['state', 'os', 'name', 'ppd'], pinned: ['ppd', 'os'] })).toEqual({
      ids: ['os', 'ppd', 'state', 'name'],
      pinned: 2,
    })
    expect(shown({ pinned: [] })).toEqual({ ids: ['name', 'state', 'ppd'], pinned: 0 })
  })
})

describe('arranging columns', () => {
  const ids = ['a', 'b', 'c']

  it('moves a column before another one, or to the end', () => {
    expect(moveColumn(ids, 'c', 'a')).toEqual(['c', 'a', 'b'])
    expect(moveColumn(ids, 'a', undefined)).toEqual(['b', 'c', 'a'])
  })

  it('changes nothing for unknown columns', () => {
    expect(moveColumn(ids, 'x', 'a')).toEqual(ids)
    expect(moveColumn(ids, 'a', 'x')).toEqual(ids)
    expect(moveColumn(ids, 'a', 'a')).toEqual(ids)
  })

  it('moves a column by one place, not beyond the ends', () => {
    expect(stepColumn(ids, 'b', -1)).toEqual(['b', 'a', 'c'])
    expect(stepColumn(ids, 'b', 1)).toEqual(['a', 'c', 'b'])
    expect(stepColumn(ids, 'a', -1)).toEqual(ids)
    expect(stepColumn(ids, 'c', 1)).toEqual(ids)
  })

  it('keeps widths within limits, and resets them', () => {
    const wide = withColumnWidth(defaultGridColumns, 'ppd', 99_999)
    expect(wide.widths).toEqual({ ppd: MAX_WIDTH })
    expect(withColumnWidth(wide, 'ppd', 1).widths).toEqual({ ppd: MIN_WIDTH })
    expect(withColumnWidth(wide, 'ppd', undefined)).toEqual(defaultGridColumns)
  })
})
