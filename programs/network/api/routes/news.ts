import { Hono } from 'hono'
import type { Context } from 'hono'
import { articleById, ARTICLES, authorById, authorId } from '../../news/articles.ts'
import { heroPicture } from '../../news/picture.ts'
import { refusal } from '../errors.ts'
import { PICTURE_HEADERS } from '../pictures.ts'
import { readId } from '../reading.ts'

function pictureAt(context: Context, hero: string): string {
  return new URL(`/asset/${hero}/web`, context.req.url).href
}

/** The current news calls. */
export function articleRoutes(): Hono {
  const routes = new Hono()

  routes.get('/article', context => context.json(ARTICLES))

  routes.get('/asset/:hero/web', context => {
    const hero = context.req.param('hero')
    if (!ARTICLES.some(article => article.hero === hero) && !/^project-\d{1,9}$/.test(hero))
      throw refusal(404, 'Picture not found')
    return context.body(heroPicture(hero), 200, PICTURE_HEADERS)
  })

  return routes
}

/** The same news in the format of the older content site (docs/product.md §7): three calls for each article. */
export function olderNewsRoutes(): Hono {
  const routes = new Hono()

  routes.get('/posts', context =>
    context.json(
      ARTICLES.map(({ slug, title, author, published, excerpt }, index) => ({
        id: index + 1,
        date: published.replace('Z', ''),
        link: new URL(`/article/${slug}`, context.req.url).href,
        title: { rendered: title },
        excerpt: { rendered: excerpt },
        featured_media: index + 1,
        author: authorId(author),
      })),
    ),
  )

  routes.get('/media/:id', context => {
    const id = readId(context.req.param('id'))
    const article = articleById(id)
    if (article === undefined) throw refusal(404, 'Picture not found')
    const source = pictureAt(context, article.hero)
    return context.json({ id, source_url: source, media_details: { sizes: { medium: { source_url: source } } } })
  })

  routes.get('/users/:id', context => {
    const id = readId(context.req.param('id'))
    const name = authorById(id)
    if (name === undefined) throw refusal(404, 'Author not found')
    return context.json({ id, name })
  })

  return routes
}
