import { describe, expect, it } from 'vitest'
import { decodeArticleNews, decodeMedia, decodeNews, decodePosts } from './news.ts'

describe('the news', () => {
  it('are decoded with missing or invalid fields [3.8]', () => {
    expect(decodeArticleNews('https://a.test', 'https://s.test')([{ slug: 7, title: 'T', future: 1 }])).toMatchObject({
      ok: true,
      value: [{ url: '', image: '', title: 'T', author: '', date: '', description: '' }],
    })
    expect(decodeArticleNews('https://a.test', 'https://s.test')({ error: 'down' }).ok).toBe(false)
    expect(decodePosts([{ title: 'T', link: 'https://s.test' }])).toMatchObject({
      ok: true,
      value: [{ link: 'https://s.test' }],
    })
    expect(decodeMedia({ source_url: 'whole', media_details: { sizes: {} } })).toMatchObject({ value: 'whole' })
  })

  it('cannot change the URL by a name', () => {
    expect(decodeArticleNews('https://a.test', 'https://s.test')([{ slug: '../x', hero: 'a/../../b' }])).toMatchObject({
      value: [{ url: 'https://s.test/..%2Fx', image: 'https://a.test/asset/a%2F..%2F..%2Fb/web' }],
    })
  })

  it('from the cache are decoded only when complete', () => {
    const item = { url: 'u', image: 'i', title: 't', author: 'a', date: 'd', description: 'x' }
    expect(decodeNews({ items: [item], chances: [0.5] })).toMatchObject({ ok: true, value: { items: [item] } })
    expect(decodeNews({ items: [item] }).ok).toBe(false)
  })
})
