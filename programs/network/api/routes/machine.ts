import { Hono } from 'hono'
import * as v from 'valibot'
import { idOfKey, readPublicKey, signatureFits } from '../../keys.ts'
import { spacedText } from '../../signed-text.ts'
import { accountByToken } from '../../store/accounts.ts'
import { linkMachine, machineWithAccount } from '../../store/machines.ts'
import type { ApiServices } from '../context.ts'
import { refusal } from '../errors.ts'
import { readBody } from '../reading.ts'
import { clientName } from '../rules.ts'

const linkBody = v.object({
  data: v.object({ name: clientName, token: v.string() }),
  signature: v.pipe(v.string(), v.maxLength(2_000)),
  pubkey: v.pipe(v.string(), v.maxLength(2_000)),
})

/** Calls of clients (docs/protocol.md §11.1), authenticated by the client's key instead of a session. */
export function machineRoutes({ store, nodeAddress }: ApiServices): Hono {
  const routes = new Hono()

  routes.put('/:id', async context => {
    const { data, signature, pubkey } = await readBody(context, linkBody)
    const id = context.req.param('id')
    const key = readPublicKey(pubkey)
    if (key === undefined || idOfKey(key) !== id) throw refusal(400, 'The public key is not the key of this machine')
    if (!signatureFits(key, spacedText(data), signature)) throw refusal(401, 'Invalid signature')
    const account = await accountByToken(store, data.token)
    if (account === undefined) throw refusal(404, 'Account not found')
    await linkMachine(store, { id, account: account.id, name: data.name, pubkey })
    return context.json({})
  })

  routes.get('/:id', async context => {
    const client = await machineWithAccount(store, context.req.param('id'))
    if (client === undefined) throw refusal(404, 'Machine not found')
    const { account, name } = client
    return context.json({
      pubkey: account.pubkey,
      node: account.node === '' ? nodeAddress : account.node,
      mach_name: name,
      user: account.user,
      team: account.team,
      passkey: account.passkey,
      cause: account.cause,
    })
  })

  return routes
}
