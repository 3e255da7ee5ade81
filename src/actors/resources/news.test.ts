import { webUrl } from '../../../test/urls.ts'
import { describe, expect, it } from 'vitest'
import { fetchNews, type NewsSettings } from './news.ts'

function fetchOf(pages: Readonly<Record<string, unknown>>, asked: string[] = []) {
  return (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const url = String(input)
    asked.push(url)
    expect(init.credentials).toBe('omit')
    expect(init.referrerPolicy).toBe('no-referrer')
    return Object.hasOwn(pages, url)
      ? Promise.resolve(Response.json(pages[url]))
      : Promise.resolve(new Response('', { status: 500 }))
  }
}

const random = (() => {
  let drawn = 0
  return () => (drawn += 0.25)
})()

describe('the news', () => {
  it('of the API are its articles [10.10]', async () => {
    const settings: NewsSettings = {
      newsSource: 'api',
      newsUrl: webUrl('https://api.test'),
      articleUrl: webUrl('https://site.test/article'),
    }
    const article = {
      slug: 'a b',
      title: 'One &amp; two',
      author: 'Mira',
      published: '2026-11-14T09:00:00Z',
      excerpt: '<p>Text</p>',
      hero: 'pic',
    }
    const item = {
      url: 'https://site.test/article/a%20b',
      image: 'https://api.test/asset/pic/web',
      title: 'One &amp; two',
      author: 'Mira',
      date: '2026-11-14T09:00:00Z',
      description: '<p>Text</p>',
    }
    const empty = { url: '', image: '', title: '', author: '', date: '', description: '' }
    const fetch = fetchOf({ 'https://api.test/article': [article, { title: 5 }] })
    expect(await fetchNews({ fetch, settings, random, now: () => 0 })).toEqual({
      ok: true,
      value: { items: [item, empty], chances: [0.25, 0.5] },
    })
  })

  const older: NewsSettings = {
    newsSource: 'wordpress',
    newsUrl: webUrl('https://site.test/wp/v2'),
    articleUrl: webUrl('https://site.test'),
  }
  const posts = [
    {
      date: '2026-01-02T03:04:05',
      link: 'https://site.test/1',
      title: { rendered: 'One' },
      excerpt: { rendered: '<p>1</p>' },
      featured_media: 8,
      author: 3,
    },
    {
      date: '2026-01-01T00:00:00',
      link: 'https://site.test/2',
      title: { rendered: 'Two' },
      excerpt: { rendered: '<p>2</p>' },
      featured_media: 9,
      author: 3,
    },
    { link: 'https://site.test/3', featured_media: 0 },
  ]

  it('of the older site are its posts, with available pictures and authors, each fetched once [7.30, 10.10]', async () => {
    const asked: string[] = []
    const fetch = fetchOf(
      {
        'https://site.test/wp/v2/posts?context=embed': posts,
        'https://site.test/wp/v2/media/8?context=embed': {
          source_url: 'https://site.test/whole.jpg',
          media_details: { sizes: { medium: { source_url: 'https://site.test/8.jpg' } } },
        },
        'https://site.test/wp/v2/users/3': { name: 'Ade' },
      },
      asked,
    )
    const news = await fetchNews({ fetch, settings: older, random: () => 0, now: () => 0 })
    expect(news).toEqual({
      ok: true,
      value: {
        chances: [0, 0, 0],
        items: [
          {
            url: 'https://site.test/1',
            image: 'https://site.test/8.jpg',
            title: 'One',
            author: 'Ade',
            date: '2026-01-02T03:04:05',
            description: '<p>1</p>',
          },
          {
            url: 'https://site.test/2',
            image: '',
            title: 'Two',
            author: 'Ade',
            date: '2026-01-01T00:00:00',
            description: '<p>2</p>',
          },
          { url: 'https://site.test/3', image: '', title: '', author: '', date: '', description: '' },
        ],
      },
    })
    expect(asked).toHaveLength(4)
  })

  it('that cannot be fetched or read give the reason', async () => {
    const settings: NewsSettings = {
      newsSource: 'api',
      newsUrl: webUrl('https://api.test'),
      articleUrl: webUrl('https://site.test'),
    }
    expect(await fetchNews({ fetch: fetchOf({}), settings, random, now: () => 0 })).toMatchObject({
      ok: false,
      fault: { kind: 'refused', status: 500 },
    })
    expect(
      await fetchNews({ fetch: fetchOf({ 'https://api.test/article': 'no' }), settings, random, now: () => 0 }),
    ).toMatchObject({
      ok: false,
      fault: { kind: 'unreadable' },
    })
    expect(
      await fetchNews({ fetch: () => Promise.reject(new TypeError('gone')), settings: older, random, now: () => 0 }),
    ).toMatchObject({ ok: false, fault: { kind: 'unreachable' } })
  })
})
