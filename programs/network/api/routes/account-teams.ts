import { Hono } from 'hono'
import * as v from 'valibot'
import { deleteTeam, editTeam, foundTeam, teamsFoundedBy, type TeamForm } from '../../store/teams.ts'
import type { ApiServices, SignedInEnv } from '../context.ts'
import { refusal } from '../errors.ts'
import { readBody, readId } from '../reading.ts'
import { teamLogo, teamName, teamUrl } from '../rules.ts'
import { requireAccount } from '../signed-in.ts'

const newTeam = v.object({ name: teamName, url: v.optional(teamUrl, ''), logo: v.optional(teamLogo, '') })
const changedTeam = v.partial(v.object({ name: teamName, url: teamUrl, logo: teamLogo }))

function withoutUndefined(fields: v.InferOutput<typeof changedTeam>): Partial<TeamForm> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function nameTaken(): Error {
  return refusal(409, 'A team of this name exists already')
}
function notFound(): Error {
  return refusal(404, 'Team not found')
}

/** The caller's own teams; other teams are not found. */
export function accountTeamRoutes(services: ApiServices): Hono<SignedInEnv> {
  const { store, standings } = services
  const routes = new Hono<SignedInEnv>()
  routes.use(requireAccount(services))

  routes.post('/', async context => {
    const team = await foundTeam(store, context.get('account').id, await readBody(context, newTeam))
    if (team === undefined) throw nameTaken()
    return context.json({ team })
  })

  routes.put('/:team', async context => {
    const form = withoutUndefined(await readBody(context, changedTeam))
    const outcome = await editTeam(store, context.get('account').id, readId(context.req.param('team')), form)
    if (outcome === 'unknown') throw notFound()
    if (outcome === 'taken') throw nameTaken()
    return context.json({})
  })

  routes.delete('/:team', async context => {
    const { id } = context.get('account')
    const number = readId(context.req.param('team'))
    const founded = (await teamsFoundedBy(store, id)).filter(({ team }) => team === number)
    const [found] = await standings.withScores(founded)
    if (found === undefined) throw notFound()
    if (found.wus > 0) throw refusal(409, 'Only teams with no points can be deleted')
    await deleteTeam(store, id, number)
    return context.json({})
  })

  return routes
}
