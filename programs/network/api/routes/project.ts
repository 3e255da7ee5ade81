import { Hono } from 'hono'
import { withExpiredCredits } from '../../statistics/expired-credits.ts'
import { causes, projectById } from '../../store/catalog.ts'
import { creditsOf } from '../../store/credits.ts'
import type { ApiServices } from '../context.ts'
import { refusal } from '../errors.ts'
import { readId } from '../reading.ts'

const FOR_AN_HOUR = 'public, max-age=3600'

/** Public: without a session. */
export function projectRoutes({ store, seed }: ApiServices): Hono {
  const routes = new Hono()

  routes.get('/cause', async context => {
    context.header('Cache-Control', FOR_AN_HOUR)
    return context.json(await causes(store))
  })

  routes.get('/:id', async context => {
    const project = await projectById(store, readId(context.req.param('id')))
    if (project === undefined) throw refusal(404, 'Project not found')
    context.header('Cache-Control', FOR_AN_HOUR)
    const picture = new URL(`/asset/project-${project.id}/web`, context.req.url).href
    return context.json({ ...project, thumb: project.thumb === '' ? picture : project.thumb })
  })

  routes.get('/:project/run/:run/clone/:clone/gen/:gen', async context => {
    const { project, run, clone, gen } = context.req.param()
    const unit = { project: readId(project), run: readId(run), clone: readId(clone), gen: readId(gen) }
    return context.json(withExpiredCredits(seed, unit, await creditsOf(store, unit)))
  })

  return routes
}
