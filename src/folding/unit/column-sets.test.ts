import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chosenColumns, disableColumns, distinctColumns, placeColumns, unchosenColumns } from './column-sets.ts'

const chosen = ['Project', 'Status', 'PPD', 'ETA']

describe('moved columns', () => {
  it.each([
    [['ETA'], { name: 'Project', side: 'before' }, ['ETA', 'Project', 'Status', 'PPD']],
    [['Project'], { name: 'PPD', side: 'after' }, ['Status', 'PPD', 'Project', 'ETA']],
    [['Project', 'ETA'], { name: 'PPD', side: 'before' }, ['Status', 'Project', 'ETA', 'PPD']],
    [['Core'], { name: 'Status', side: 'after' }, ['Project', 'Status', 'Core', 'PPD', 'ETA']],
    [['Status'], undefined, ['Project', 'PPD', 'ETA', 'Status']],
    [['Status'], { name: 'Gone', side: 'after' }, chosen],
  ] as const)('stand there: %o, %o', (names, anchor, placed) => {
    expect(placeColumns(chosen, names, anchor)).toEqual(placed)
  })

  it('are never lost or doubled', () => {
    const some = fc.uniqueArray(fc.constantFrom('Project', 'Status', 'PPD', 'ETA', 'Core', 'OS'), { minLength: 1 })
    fc.assert(
      fc.property(some, some, fc.constantFrom('before' as const, 'after' as const), (before, moved, side) => {
        const anchor = before.find(name => !moved.includes(name))
        const placed = placeColumns(before, moved, anchor === undefined ? undefined : { name: anchor, side })
        expect([...placed].sort()).toEqual([...new Set([...before, ...moved])].sort())
      }),
    )
  })
})

describe('duplicate columns', () => {
  it('stay at their first position, whatever their spelling', () => {
    const names = ['Base Credit', 'PPD', 'base_credit', 'Warp Factor', 'ppd', 'warp-factor', '__proto__']
    expect(distinctColumns(names)).toEqual(['Base Credit', 'PPD', 'Warp Factor', '__proto__'])
    expect(chosenColumns([...names, 7, ''])).toEqual(distinctColumns(names))
  })
})

describe('disabled columns', () => {
  it('are removed from the chosen ones and offered again', () => {
    const left = disableColumns(chosen, ['Status', 'ETA'])
    expect(left).toEqual(['Project', 'PPD'])
    expect(unchosenColumns(left)).toEqual(expect.arrayContaining(['Status', 'ETA']))
  })

  it('are never all, since no choice means the defaults', () => {
    expect(disableColumns(chosen, chosen)).toEqual(['Project'])
    expect(chosenColumns([])).not.toEqual([])
  })
})
