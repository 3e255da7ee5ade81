import { Hono } from 'hono'
import type { ApiServices } from '../context.ts'

/** Replaces the download host's list of client versions, newest first. */
export function releaseRoutes({ latestVersion }: ApiServices): Hono {
  const routes = new Hono()
  routes.get('/latest.json', context =>
    context.json([{ version: latestVersion, mode: 'Release', package: 'fah-client' }]),
  )
  return routes
}
