import { Hono } from 'hono'
import * as v from 'valibot'
import { deleteAccount, editAccount, type Account, type AccountEdit } from '../../store/accounts.ts'
import { machinesOf } from '../../store/machines.ts'
import { saveProfile, type Guest } from '../../store/provider-logins.ts'
import { teamsFoundedBy } from '../../store/teams.ts'
import type { ApiServices, VisitorEnv } from '../context.ts'
import { readBody } from '../reading.ts'
import { avatar, cause, config, node, passkey, typedTeam, userName } from '../rules.ts'
import { requireAccount, requireVisitor } from '../signed-in.ts'

/** The fields that can be changed. Other fields are ignored, so an account can be sent back whole. */
const accountEdit = v.partial(v.object({ user: userName, team: typedTeam, passkey, cause, avatar, node, config }))

function withoutUndefined(fields: v.InferOutput<typeof accountEdit>): AccountEdit {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Without `created`, since there is no account yet. */
function guestView({ email, name, provider, profile }: Guest) {
  return { user: name, ...profile, email, provider }
}

async function accountView({ store, nodeAddress, standings }: ApiServices, account: Account) {
  const [clients, teams] = await Promise.all([machinesOf(store, account.id), teamsFoundedBy(store, account.id)])
  const settings: unknown = JSON.parse(account.config)
  return {
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
    machines: clients,
    teams: await standings.withScores(teams),
  }
}

export function accountRoutes(services: ApiServices): Hono<VisitorEnv> {
  const { store, nodeAddress, standings, onKeyRevoked } = services
  const routes = new Hono<VisitorEnv>()

  routes.get('/', requireVisitor(services), async context => {
    const visitor = context.get('visitor')
    return context.json(
      visitor.kind === 'guest' ? guestView(visitor.guest) : await accountView(services, visitor.account),
    )
  })

  routes.put('/', requireVisitor(services), async context => {
    const visitor = context.get('visitor')
    const edit = withoutUndefined(await readBody(context, accountEdit))
    // The address of this network's node depends on its port, so it is stored as ''.
    const chosen = edit.node === nodeAddress ? { ...edit, node: '' } : edit
    if (visitor.kind === 'account') await editAccount(store, visitor.account.id, chosen)
    else await saveProfile(store, visitor.guest.session, { ...visitor.guest.profile, ...chosen })
    return context.json({})
  })

  routes.delete('/', requireAccount(services), async context => {
    const account = context.get('account')
    const [clients, founded] = await Promise.all([machinesOf(store, account.id), teamsFoundedBy(store, account.id)])
    const teams = await standings.withScores(founded)
    await deleteAccount(
      store,
      account,
      teams.filter(({ wus }) => wus === 0).map(({ team }) => team),
    )
    onKeyRevoked(clients.map(({ id }) => id))
    return context.json({})
  })

  return routes
}
