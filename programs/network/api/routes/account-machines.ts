import { Hono } from 'hono'
import * as v from 'valibot'
import { renameMachine, unlinkMachine } from '../../store/machines.ts'
import type { ApiServices, SignedInEnv } from '../context.ts'
import { refusal } from '../errors.ts'
import { readBody } from '../reading.ts'
import { accountClientName } from '../rules.ts'
import { requireAccount } from '../signed-in.ts'

const nameBody = v.object({ name: accountClientName })

/** Changes the database only: a client gets its new name, or learns that it is unlinked, at its next login. */
export function accountMachineRoutes(services: ApiServices): Hono<SignedInEnv> {
  const { store } = services
  const routes = new Hono<SignedInEnv>()
  routes.use(requireAccount(services))

  routes.put('/:id', async context => {
    const { name } = await readBody(context, nameBody)
    const renamed = await renameMachine(store, context.get('account').id, context.req.param('id'), name)
    if (!renamed) throw refusal(404, 'Machine not found')
    return context.json({})
  })

  routes.delete('/:id', async context => {
    const unlinked = await unlinkMachine(store, context.get('account').id, context.req.param('id'))
    if (!unlinked) throw refusal(404, 'Machine not found')
    return context.json({})
  })

  return routes
}
