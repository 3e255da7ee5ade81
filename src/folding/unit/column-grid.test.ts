import { describe, expect, it } from 'vitest'
import { columnsOf } from './column-sets.ts'
import { columnsMinWidth, columnTracks, noticeStart } from './column-grid.ts'

describe('the columns of the unit table', () => {
  it('have fixed widths; growing columns share the remaining room', () => {
    expect(columnTracks(columnsOf(['Project', 'Status', 'Progress']))).toBe(
      'calc(9ch + 1rem) calc(17ch + 1rem) minmax(calc(16ch + 1rem), 16fr) 2.75rem',
    )
  })

  it('give the remaining room to the actions when no column grows', () => {
    expect(columnTracks(columnsOf(['Project', 'PPD']))).toBe('calc(9ch + 1rem) calc(11ch + 1rem) minmax(2.75rem, 1fr)')
  })

  it('start the notice below the status, or at the edge without a status column', () => {
    expect(noticeStart(columnsOf(['Project', 'PPD', 'Status']))).toBe('calc(0px + (9ch + 1rem) + (11ch + 1rem))')
    expect(noticeStart(columnsOf(['Project', 'PPD']))).toBe('calc(0px)')
  })

  it('start the notice at the edge when a growing column precedes the status', () => {
    expect(noticeStart(columnsOf(['Progress', 'Status']))).toBe('0px')
  })

  it('have a least width that is the sum of their widths', () => {
    expect(columnsMinWidth(columnsOf(['Project', 'PPD']))).toBe('calc((9ch + 1rem) + (11ch + 1rem) + 2.75rem)')
  })
})
