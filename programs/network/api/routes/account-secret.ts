import { Hono } from 'hono'
import * as v from 'valibot'
import { passwordFits, replaceKeys } from '../../store/accounts.ts'
import { machinesOf } from '../../store/machines.ts'
import type { Guest } from '../../store/provider-logins.ts'
import type { ApiServices, VisitorEnv } from '../context.ts'
import { refusal } from '../errors.ts'
import { createLimiter } from '../../../host/limiter.ts'
import { keyIdFor, makeAccount } from '../new-account.ts'
import { readBody, readQuery } from '../reading.ts'
import { avatar, cause, config, node, passkey, password, pubkey, typedTeam, userName, wrappedSecret } from '../rules.ts'
import { requireAccount, requireVisitor } from '../signed-in.ts'

const secretQuery = v.object({ password })
const secretBody = v.object({ pubkey, password, secret: wrappedSecret })
const profileOf = v.object({
  user: v.optional(userName),
  team: v.optional(typedTeam, 0),
  passkey: v.optional(passkey, ''),
  cause: v.optional(cause, 'any'),
  avatar: v.optional(avatar, ''),
  node: v.optional(node, ''),
  config: v.optional(config, '{}'),
})

const MAX_FAILURES = 10
const WITHIN_MS = 60_000

export function accountSecretRoutes(services: ApiServices): Hono<VisitorEnv> {
  const { store, onKeyRevoked, now } = services
  const failures = createLimiter({ most: MAX_FAILURES, withinMs: WITHIN_MS, now })
  const routes = new Hono<VisitorEnv>()

  routes.get('/', requireAccount(services), context => {
    const query = readQuery(context, secretQuery)
    const account = context.get('account')
    const wait = failures.secondsToWait(account.email)
    if (wait !== undefined) {
      context.header('Retry-After', String(wait))
      throw refusal(429, `Too many attempts: please wait ${wait} seconds`)
    }
    if (!passwordFits(account, query.password)) {
      failures.count(account.email)
      throw refusal(401, 'Wrong passphrase')
    }
    failures.reset(account.email)
    return context.json({ secret: account.secret })
  })

  /**
   * The last step of a guest's registration: creates the account from the provider's address, the saved profile and the
   * keys.
   */
  const createFromGuest = async (guest: Guest, keys: v.InferOutput<typeof secretBody>): Promise<void> => {
    const profile = v.parse(profileOf, guest.profile)
    await makeAccount(services, { ...profile, ...keys, user: profile.user ?? '', email: guest.email }, guest)
  }

  routes.put('/', requireVisitor(services), async context => {
    const body = await readBody(context, secretBody)
    const visitor = context.get('visitor')
    if (visitor.kind === 'guest') {
      await createFromGuest(visitor.guest, body)
      return context.json({})
    }
    const { account } = visitor
    const keyId = await keyIdFor(store, body.pubkey, account)
    await replaceKeys(store, account.id, { ...body, keyId })
    if (keyId !== account.key_id) onKeyRevoked((await machinesOf(store, account.id)).map(({ id }) => id))
    return context.json({})
  })

  return routes
}
