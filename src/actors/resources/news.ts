import type { ApiResult } from '../../protocol/api-fault.ts'
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
} from '../../protocol/news.ts'
import { below, type WebUrl } from '../../protocol/url.ts'
import { askPublicly } from './public-call.ts'

export type NewsSettings = {
  /** Whose calls: the API's articles, or the older WordPress site's posts, media and users. */
  readonly newsSource: 'api' | 'wordpress'
  /** What the calls' paths are appended to. */
  readonly newsUrl: WebUrl
  /** Where an article of the API is read, before its slug. */
  readonly articleUrl: WebUrl
}

export type NewsDeps = {
  readonly fetch: typeof globalThis.fetch
  readonly settings: NewsSettings
  readonly random: () => number
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** The news with a chance for each item, as this browser keeps it. Public: no session goes along. */
export const fetchNews = async (deps: NewsDeps): Promise<ApiResult<Json>> => {
  const items = await (deps.settings.newsSource === 'api' ? fetchArticles(deps) : fetchPosts(deps))
  return items.ok ? { ok: true, value: { items: items.value, chances: items.value.map(deps.random) } } : items
}

const fetchArticles = (deps: NewsDeps): Promise<ApiResult<readonly NewsItem[]>> => {
  const { newsUrl, articleUrl } = deps.settings
  return askPublicly(deps, below(newsUrl, '/article'), decodeArticleNews(newsUrl, articleUrl))
}

const fetchPosts = async (deps: NewsDeps): Promise<ApiResult<readonly NewsItem[]>> => {
  const posts = await askPublicly(deps, addressOf(deps, 'posts?context=embed'), decodePosts)
  if (!posts.ok) return posts
  const pictures = await named(
    deps,
    'media',
    posts.value.map(post => post.featured_media),
    decodeMedia,
  )
  const authors = await named(
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

const addressOf = ({ settings: { newsUrl } }: NewsDeps, path: string): WebUrl => below(newsUrl, `/${path}`)

/** What cannot be had is left out: an article without its picture is still one. */
const named = async (
  deps: NewsDeps,
  kind: 'media' | 'users',
  ids: readonly (number | undefined)[],
  decode: (json: Json) => Result<string>,
): Promise<ReadonlyMap<number | undefined, string>> => {
  const wanted = [...new Set(ids)].filter(id => id !== undefined && id > 0)
  const answers = await Promise.all(
    wanted.map(id =>
      askPublicly(deps, addressOf(deps, `${kind}/${id}${kind === 'media' ? '?context=embed' : ''}`), decode),
    ),
  )
  return new Map(
    wanted.flatMap((id, at) => {
      const answer = answers[at]
      return answer?.ok === true ? [[id, answer.value] as const] : []
    }),
  )
}
