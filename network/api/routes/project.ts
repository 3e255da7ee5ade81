import { Hono } from 'hono'
import { causes, projectById } from '../../store/catalogue.ts'
import type { ApiServices } from '../context.ts'
import { refusal } from '../errors.ts'
import { readId } from '../reading.ts'

const FOR_AN_HOUR = 'public, max-age=3600'

/** Public: no session is asked for. */
export const projectRoutes = ({ store }: ApiServices): Hono => {
  const routes = new Hono()

  routes.get('/cause', async (context) => {
    context.header('Cache-Control', FOR_AN_HOUR)
    return context.json(await causes(store))
  })

  routes.get('/:id', async (context) => {
    const project = await projectById(store, readId(context.req.param('id')))
    if (project === undefined) throw refusal(404, 'Project not found')
    context.header('Cache-Control', FOR_AN_HOUR)
    return context.json(project)
  })

  return routes
}
