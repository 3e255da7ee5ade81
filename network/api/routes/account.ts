import { Hono } from 'hono'
import * as v from 'valibot'
import { editAccount } from '../../store/accounts.ts'
import type { AccountEdit } from '../../store/accounts.ts'
import { machinesOf } from '../../store/machines.ts'
import { teamsFoundedBy } from '../../store/teams.ts'
import type { ApiServices, SignedInEnv } from '../context.ts'
import { readBody } from '../reading.ts'
import { avatar, cause, config, node, passkey, teamNumber, userName } from '../rules.ts'
import { signedIn } from '../signed-in.ts'

/** Everything a person may change here. Other fields of an account, sent back as they came, are ignored. */
const accountEdit = v.partial(v.object({ user: userName, team: teamNumber, passkey, cause, avatar, node, config }))

const withoutUndefined = (fields: v.InferOutput<typeof accountEdit>): AccountEdit =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

export const accountRoutes = (services: ApiServices): Hono<SignedInEnv> => {
  const { store, nodeAddress } = services
  const routes = new Hono<SignedInEnv>()
  routes.use(signedIn(services))

  routes.get('/', async (context) => {
    const account = context.get('account')
    const [machines, teams] = await Promise.all([machinesOf(store, account.id), teamsFoundedBy(store, account.id)])
    const settings: unknown = JSON.parse(account.config)
    return context.json({
      id: account.key_id,
      email: account.email,
      created: account.created,
      user: account.user,
      team: account.team,
      passkey: account.passkey,
      cause: account.cause,
      avatar: account.avatar,
      node: account.node === '' ? nodeAddress : account.node,
      token: account.token,
      pubkey: account.pubkey,
      config: settings,
      machines,
      teams,
    })
  })

  routes.put('/', async (context) => {
    const edit = withoutUndefined(await readBody(context, accountEdit))
    // The address of this network's own node changes with its port: it is never kept as if somebody had chosen it.
    const chosen = edit.node === nodeAddress ? { ...edit, node: '' } : edit
    await editAccount(store, context.get('account').id, chosen)
    return context.json({})
  })

  return routes
}
