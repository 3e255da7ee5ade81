import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NewsItem } from '../../protocol/api/news.ts'
import { newsInOrder } from './news.ts'

function itemCalled(title: string): NewsItem {
  return { url: '', image: '', title, author: '', date: '', description: '' }
}
function titles(items: readonly NewsItem[]): readonly string[] {
  return items.map(({ title }) => title)
}

describe('the news', () => {
  it('keep their order without randomness, and are complete with it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { maxLength: 30 }),
        chances => {
          const items = chances.map((_, index) => itemCalled(String(index)))
          expect(newsInOrder({ items, chances: [] })).toEqual(items)
          const shuffled = titles(newsInOrder({ items, chances }))
          expect([...shuffled].sort((a, b) => Number(a) - Number(b))).toEqual(titles(items))
          // No item moves by more than four places.
          for (const [place, title] of shuffled.entries())
            expect(Math.abs(place - Number(title))).toBeLessThanOrEqual(4)
        },
      ),
    )
  })

  it('are shuffled [9.12]', () => {
    const items = ['a', 'b', 'c'].map(itemCalled)
    expect(titles(newsInOrder({ items, chances: [0.9, 0, 0.1] }))).toEqual(['b', 'c', 'a'])
  })

  it('are left out when they are empty', () => {
    expect(newsInOrder({ items: [itemCalled(' '), itemCalled('a')], chances: [0, 0] })).toEqual([itemCalled('a')])
  })
})
