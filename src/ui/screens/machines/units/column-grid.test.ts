import { describe, expect, it } from 'vitest'
import { columnsOf } from '../../../../folding/unit/column-sets.ts'
import { columnsMinWidth, columnTracks, noticeStart } from './column-grid.ts'

describe('the columns of the unit table', () => {
  it('have fixed widths, and those that grow share the room that is left', () => {
    expect(columnTracks(columnsOf(['Project', 'Status', 'Progress']))).toBe(
      'calc(9ch + 1rem) calc(17ch + 1rem) minmax(calc(16ch + 1rem), 16fr) 2.75rem',
    )
  })

  it('leave the room to the actions when none grows', () => {
    expect(columnTracks(columnsOf(['Project', 'PPD']))).toBe('calc(9ch + 1rem) calc(11ch + 1rem) minmax(2.75rem, 1fr)')
  })

  it('have the second line of a row begin below the status, or at the edge without one', () => {
    expect(noticeStart(columnsOf(['Project', 'PPD', 'Status']))).toBe('calc(0px + (9ch + 1rem) + (11ch + 1rem))')
    expect(noticeStart(columnsOf(['Project', 'PPD']))).toBe('calc(0px)')
  })

  it('have it begin at the edge where a column before the status may be of any width', () => {
    expect(noticeStart(columnsOf(['Progress', 'Status']))).toBe('0px')
  })

  it('need at least the sum of their widths', () => {
    expect(columnsMinWidth(columnsOf(['Project', 'PPD']))).toBe('calc((9ch + 1rem) + (11ch + 1rem) + 2.75rem)')
  })
})
