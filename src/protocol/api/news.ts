import { pathPart } from '../url.ts'
import * as v from 'valibot'
import { decodeArticles, decodeAs } from './api.ts'
import { good, type Result } from '../fault.ts'
import type { Json } from '../json.ts'
import { field, numberField, object, plainField, plainNumber, plainText } from '../schema.ts'

/** The project's news from either source (docs/product.md §7, §10). Titles and descriptions are untrusted HTML. */
export type NewsItem = {
  readonly url: string
  readonly image: string
  readonly title: string
  readonly author: string
  /** As in the source: an instant, UTC without a zone. */
  readonly date: string
  readonly description: string
}

/** `chances`: a random number from 0 to 1 for each item, drawn when they were fetched, for shuffling. */
export type News = { readonly items: readonly NewsItem[]; readonly chances: readonly number[] }

const item = object({
  url: plainText,
  image: plainText,
  title: plainText,
  author: plainText,
  date: plainText,
  description: plainText,
})
const news = object({ items: v.array(item), chances: v.array(plainNumber) })

const rendered = object({ rendered: plainField })
const post = object({
  date: plainField,
  link: plainField,
  title: field(rendered),
  excerpt: field(rendered),
  featured_media: numberField,
  author: numberField,
})
const size = object({ source_url: plainField })
const media = object({
  source_url: plainField,
  media_details: field(object({ sizes: field(object({ medium: field(size) })) })),
})
const author = object({ name: plainField })

export type Post = v.InferOutput<typeof post>

/** News as cached in this browser. */
export function decodeNews(json: Json): Result<News> {
  return decodeAs(news, json)
}

/** GET /article. `pictures`: base URL of '/asset'; `site`: base URL of slugs. */
export function decodeArticleNews(pictures: string, site: string) {
  return (json: Json): Result<readonly NewsItem[]> => {
    const articles = decodeArticles(json)
    if (!articles.ok) return articles
    return good(
      articles.value.map(({ slug = '', title = '', author: by = '', published = '', excerpt = '', hero = '' }) => ({
        url: slug === '' ? '' : `${site}/${pathPart(slug)}`,
        image: hero === '' ? '' : `${pictures}/asset/${pathPart(hero)}/web`,
        title,
        author: by,
        date: published,
        description: excerpt,
      })),
      articles.faults,
    )
  }
}

/** WordPress: GET posts. */
export function decodePosts(json: Json): Result<readonly Post[]> {
  return decodeAs(v.array(post), json)
}

/** WordPress: GET media/{id}; the URL of the medium size, else of the original. */
export function decodeMedia(json: Json): Result<string> {
  const reply = decodeAs(media, json)
  if (!reply.ok) return reply
  const { source_url: whole = '', media_details: details } = reply.value
  return good(details?.sizes?.medium?.source_url ?? whole, reply.faults)
}

/** WordPress: GET users/{id}. */
export function decodeAuthor(json: Json): Result<string> {
  const reply = decodeAs(author, json)
  return reply.ok ? good(reply.value.name ?? '', reply.faults) : reply
}

export function newsItemOf({ link = '', title, date = '', excerpt }: Post, image: string, by: string): NewsItem {
  return {
    url: link,
    image,
    title: title?.rendered ?? '',
    author: by,
    date,
    description: excerpt?.rendered ?? '',
  }
}
