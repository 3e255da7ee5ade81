import type { ApiResult } from '../../protocol/api/api-fault.ts'
import type { Result } from '../../protocol/fault.ts'
import type { Json } from '../../protocol/json.ts'
import {
  decodeArticleNews,
  decodeAuthor,
  decodeMedia,
  decodePosts,
  newsItemOf,
  type NewsItem,
  type Post,
} from '../../protocol/api/news.ts'
import { below, type WebUrl } from '../../protocol/url.ts'
import { fetchPublic } from './public-call.ts'

export type NewsSettings = {
  /** The API's articles, or the posts, media and users of the older WordPress site. */
  readonly newsSource: 'api' | 'wordpress'
  /** Base address of the calls. */
  readonly newsUrl: WebUrl
  /** Address of an article of the API, without its slug. */
  readonly articleUrl: WebUrl
}

export type NewsDeps = {
  readonly fetch: typeof globalThis.fetch
  readonly settings: NewsSettings
  readonly random: () => number
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** The news, with a random number for each item, as it is cached. A public call, without session. */
export async function fetchNews(deps: NewsDeps): Promise<ApiResult<Json>> {
  const items = await (deps.settings.newsSource === 'api' ? fetchArticles(deps) : fetchPosts(deps))
  return items.ok ? { ok: true, value: { items: items.value, chances: items.value.map(deps.random) } } : items
}

function fetchArticles(deps: NewsDeps): Promise<ApiResult<readonly NewsItem[]>> {
  const { newsUrl, articleUrl } = deps.settings
  return fetchPublic(deps, below(newsUrl, '/article'), decodeArticleNews(newsUrl, articleUrl))
}

async function fetchPosts(deps: NewsDeps): Promise<ApiResult<readonly NewsItem[]>> {
  const posts = await fetchPublic(deps, addressOf(deps, 'posts?context=embed'), decodePosts)
  if (!posts.ok) return posts
  const pictures = await fetchByIds(
    deps,
    'media',
    posts.value.map(post => post.featured_media),
    decodeMedia,
  )
  const authors = await fetchByIds(
    deps,
    'users',
    posts.value.map(post => post.author),
    decodeAuthor,
  )
  return {
    ok: true,
    value: posts.value.map((post: Post) =>
      newsItemOf(post, pictures.get(post.featured_media) ?? '', authors.get(post.author) ?? ''),
    ),
  }
}

function addressOf({ settings: { newsUrl } }: NewsDeps, path: string): WebUrl {
  return below(newsUrl, `/${path}`)
}

/** Pictures and authors by id. Those that cannot be fetched are left out. */
async function fetchByIds(
  deps: NewsDeps,
  kind: 'media' | 'users',
  ids: readonly (number | undefined)[],
  decode: (json: Json) => Result<string>,
): Promise<ReadonlyMap<number | undefined, string>> {
  const wanted = [...new Set(ids)].filter(id => id !== undefined && id > 0)
  const answers = await Promise.all(
    wanted.map(id =>
      fetchPublic(deps, addressOf(deps, `${kind}/${id}${kind === 'media' ? '?context=embed' : ''}`), decode),
    ),
  )
  return new Map(
    wanted.flatMap((id, at) => {
      const answer = answers[at]
      return answer?.ok === true ? [[id, answer.value] as const] : []
    }),
  )
}
