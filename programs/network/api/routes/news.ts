import { Hono } from 'hono'
import { ARTICLES } from '../../news/articles.ts'
import { heroPicture } from '../../news/picture.ts'
import { refusal } from '../errors.ts'
import { PICTURE_HEADERS } from '../pictures.ts'

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
