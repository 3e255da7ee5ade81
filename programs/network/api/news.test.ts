import { afterAll, expect, test } from 'vitest'
import { startTestApi } from '../../../test/network/api.ts'

const api = await startTestApi()
const { ask } = api

afterAll(() => api.stop())

type Article = { slug: string; title: string; author: string; published: string; excerpt: string; hero: string }
test('articles are sorted newest first, each with a picture', async () => {
  const articles = (await ask('GET', '/article')).body as Article[]
  expect(articles[0]).toEqual({
    slug: 'five-proteins-one-weekend',
    title: 'Five proteins, one weekend &amp; a lot of coffee',
    author: 'Mira Lindqvist',
    published: '2026-11-14T09:00:00Z',
    excerpt: expect.stringMatching(/^<p>.*<\/p>$/) as unknown,
    hero: 'five-proteins',
  })
  const dates = articles.map(({ published }) => published)
  expect([...dates].sort().reverse()).toEqual(dates)

  for (const { hero } of articles) {
    const picture = await fetch(`${api.base}/asset/${hero}/web`)
    expect({ status: picture.status, type: picture.headers.get('Content-Type') }).toEqual({
      status: 200,
      type: 'image/svg+xml; charset=utf-8',
    })
  }
})

test('a picture of no article is not found', async () => {
  expect((await ask('GET', '/asset/none/web')).status).toBe(404)
})
