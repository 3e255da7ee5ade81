import { Hono } from 'hono'
import * as v from 'valibot'
import { awardPicture, milestoneFor } from '../../statistics/award.ts'
import type { ApiServices } from '../context.ts'
import { refusal } from '../errors.ts'
import { PICTURE_HEADERS } from '../pictures.ts'
import { readId, readQuery } from '../reading.ts'
import { typedTeam } from '../rules.ts'

const userQuery = v.object({
  team: v.optional(typedTeam),
  passkey: v.optional(v.pipe(v.string(), v.maxLength(64)), ''),
})
const awardQuery = v.object({
  user: v.optional(v.string()),
  team: v.optional(typedTeam),
  type: v.optional(v.picklist(['wus', 'score'], 'Unknown kind of award'), 'wus'),
})

/** Points, ranks and awards of donors and teams. Public, as on the real network. */
export function standingsRoutes({ standings }: ApiServices): Hono {
  const routes = new Hono()

  routes.get('/team/:team', async context => {
    const team = await standings.team(readId(context.req.param('team')))
    if (team === undefined) throw refusal(404, 'Team not found')
    return context.json(team)
  })

  routes.get('/user/:name', async context => {
    const { team, passkey } = readQuery(context, userQuery)
    const donor = await standings.donor({ name: context.req.param('name'), team, passkey })
    if (donor === undefined) throw refusal(404, 'User not found')
    return context.json(donor)
  })

  routes.get('/awards', async context => {
    const { user, team: number, type } = readQuery(context, awardQuery)
    const team = number === undefined ? undefined : await standings.team(number)
    const donor = user === undefined ? undefined : await standings.donor({ name: user, team: number, passkey: '' })
    const holder = user === undefined ? team : donor
    const reached = holder === undefined ? 0 : milestoneFor(holder[type])
    if (holder === undefined || reached === 0) throw refusal(404, 'No award')
    return context.body(
      awardPicture({ user: holder.name, team: user === undefined ? undefined : team?.name, kind: type, reached }),
      200,
      PICTURE_HEADERS,
    )
  })

  return routes
}
