import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  LONGEST_VIEW_NAME,
  MAX_VIEWS,
  NO_VIEWS,
  parseViews,
  readViewsFile,
  searchOf,
  viewNameOf,
  viewParamsOf,
  withView,
  writeViewsFile,
} from './saved-views.ts'

describe('the parameters of a view', () => {
  it('are the known ones of an address, in one order', () => {
    const params = viewParamsOf('?x=1&sort=-ppd&filter=state%3Apaused+desk&density=')
    expect(params).toEqual({ filter: 'state:paused desk', sort: '-ppd' })
    expect(searchOf(params)).toBe('?filter=state%3Apaused+desk&sort=-ppd')
    expect(searchOf({})).toBe('')
  })

  it('include the chart above the clients, and how the map is drawn', () => {
    const search = '?layout=map&group=tag&cell=large&chart=ppd&range=month'
    expect(searchOf(viewParamsOf(search))).toBe(search)
  })
})

describe('a name', () => {
  it('is trimmed and shortened', () => {
    expect(viewNameOf('  my \n view ')).toBe('my view')
    expect(viewNameOf('x'.repeat(99))?.length).toBe(LONGEST_VIEW_NAME)
    expect(viewNameOf('\t ')).toBeUndefined()
  })
})

describe('views', () => {
  it('are limited in number', () => {
    const full = Array.from({ length: MAX_VIEWS + 5 }).reduce<typeof NO_VIEWS>(
      (all, _, index) => withView(all, `view ${index}`, {}),
      NO_VIEWS,
    )
    expect(full.views.length).toBe(MAX_VIEWS)
  })

  it('are the same after export and import', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), fc.string()), {
          selector: ([name]) => name,
          maxLength: 5,
        }),
        entries => {
          const views = entries.reduce((all, [typed, filter]) => {
            const name = viewNameOf(typed)
            return name === undefined ? all : withView(all, name, viewParamsOf(searchOf({ filter })))
          }, NO_VIEWS)
          const saved = { ...views, chosen: views.views[0]?.name }
          expect(readViewsFile(writeViewsFile(saved))).toEqual(saved)
        },
      ),
    )
  })

  it('of a file hold only what is valid', () => {
    const file: unknown = {
      format: 'foldboard-views',
      views: [
        { name: 'A', params: { filter: 'x', secret: 'y', sort: 7 } },
        { name: 'a', params: {} },
        { name: ' ', params: {} },
        { params: {} },
        'text',
      ],
      default: 'B',
    }
    expect(readViewsFile(JSON.stringify(file))).toEqual({ views: [{ name: 'A', params: {} }], chosen: undefined })
  })

  it('of other files are refused', () => {
    expect(
      ['', '[]', '{"format":"else","views":[]}', '{"views":[]}', '{"format":"foldboard-views"}'].map(readViewsFile),
    ).toEqual(Array.from({ length: 5 }))
    expect(readViewsFile(' '.repeat(1_000_000))).toBeUndefined()
    expect(parseViews('text')).toBeUndefined()
  })
})
