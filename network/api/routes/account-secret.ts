import { Hono } from 'hono'
import * as v from 'valibot'
import { idOfKey, readPublicKey } from '../../keys.ts'
import { passwordFits, replaceKeys } from '../../store/accounts.ts'
import type { ApiServices, SignedInEnv } from '../context.ts'
import { refusal } from '../errors.ts'
import { readBody, readQuery } from '../reading.ts'
import { password } from '../rules.ts'
import { signedIn } from '../signed-in.ts'

const secretQuery = v.object({ password })
const secretBody = v.object({
  pubkey: v.pipe(v.string(), v.maxLength(2_000)),
  password,
  secret: v.pipe(v.string(), v.maxLength(16_384), v.base64('The secret is not base64')),
})

export const accountSecretRoutes = (services: ApiServices): Hono<SignedInEnv> => {
  const { store } = services
  const routes = new Hono<SignedInEnv>()
  routes.use(signedIn(services))

  routes.get('/', (context) => {
    const query = readQuery(context, secretQuery)
    const account = context.get('account')
    if (!passwordFits(account, query.password)) throw refusal(401, 'Wrong passphrase')
    return context.json({ secret: account.secret })
  })

  routes.put('/', async (context) => {
    const body = await readBody(context, secretBody)
    const key = readPublicKey(body.pubkey)
    if (key === undefined) throw refusal(400, 'Invalid public key')
    await replaceKeys(store, context.get('account').id, { ...body, keyId: idOfKey(key) })
    return context.json({})
  })

  return routes
}
