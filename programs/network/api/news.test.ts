import { afterAll, expect, test } from 'vitest'
import { startTestApi } from '../../../test/network/api.ts'

const api = await startTestApi()
const { ask } = api

afterAll(() => api.stop())

type Article = { slug: string; title: string; author: string; published: string; excerpt: string; hero: string }
type Post = {
  id: number
  date: string
  link: string
  title: { rendered: string }
  excerpt: { rendered: string }
  featured_media: number
  author: number
}

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

test('the older news calls give the same articles', async () => {
  const articles = (await ask('GET', '/article')).body as Article[]
  const posts = (await ask('GET', '/news/posts', { query: { context: 'embed' } })).body as Post[]
  const retold = await Promise.all(
    posts.map(async mail => {
      const media = (await ask('GET', `/news/media/${mail.featured_media}`, { query: { context: 'embed' } })).body as {
        media_details: { sizes: { medium: { source_url: string } } }
      }
      const { name } = (await ask('GET', `/news/users/${mail.author}`)).body as { name: string }
      return {
        title: mail.title.rendered,
        author: name,
        published: `${mail.date}Z`,
        excerpt: mail.excerpt.rendered,
        picture: media.media_details.sizes.medium.source_url,
        link: mail.link,
      }
    }),
  )

  expect(retold).toEqual(
    articles.map(({ title, author, published, excerpt, hero, slug }) => ({
      title,
      author,
      published,
      excerpt,
      picture: `${api.base}/asset/${hero}/web`,
      link: `${api.base}/article/${slug}`,
    })),
  )
})

test.each(['/asset/none/web', '/news/media/99', '/news/users/99', '/news/users/x'])('%s is not found', async path => {
  expect((await ask('GET', path)).status).toBe(404)
})
