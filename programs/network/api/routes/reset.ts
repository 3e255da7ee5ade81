import { Hono } from 'hono'
import * as v from 'valibot'
import { resetEmail } from '../../mail/emails.ts'
import { accountByEmail, accountById, replaceKeys, verifyAccount } from '../../store/accounts.ts'
import { machinesOf } from '../../store/machines.ts'
import { closeSessionsOf } from '../../store/sessions.ts'
import { accountOfTicket, issueTicket, consumeTickets } from '../../store/tickets.ts'
import type { ApiServices } from '../context.ts'
import { refusal } from '../errors.ts'
import { createLimiter } from '../../../host/limiter.ts'
import { keyIdFor } from '../new-account.ts'
import { pageForLinks } from '../page-address.ts'
import { readBody } from '../reading.ts'
import { email, password, pubkey, wrappedSecret } from '../rules.ts'

const request = v.object({ email, url: v.string() })
const newKeys = v.object({ pubkey, password, secret: wrappedSecret })

const MAX_EMAILS = 20
const WITHIN_MS = 600_000

/** Reset of a forgotten passphrase. The old key cannot be decrypted, so the account gets a new one. */
export function resetRoutes(services: ApiServices): Hono {
  const { store, mail, allowedOrigins, onKeyRevoked, now, report } = services
  const emails = createLimiter({ most: MAX_EMAILS, withinMs: WITHIN_MS, now })
  const routes = new Hono()

  routes.put('/', async context => {
    const requested = await readBody(context, request)
    const page = pageForLinks('url', requested.url, '/reset', allowedOrigins)
    const account = await accountByEmail(store, requested.email)
    if (account === undefined) throw refusal(404, 'Account not found')
    const wait = emails.secondsToWait(account.email)
    if (wait !== undefined) {
      context.header('Retry-After', String(wait))
      throw refusal(429, 'Too many emails to this address: please wait')
    }
    emails.count(account.email)
    try {
      await mail.send(resetEmail({ email: account.email, page, token: await issueTicket(store, account.id, 'reset') }))
    } catch (error) {
      report(`An email could not be sent: ${error instanceof Error ? error.message : 'unknown reason'}`)
      throw refusal(502, 'The email could not be sent')
    }
    return context.json({})
  })

  routes.put('/:token', async context => {
    const body = await readBody(context, newKeys)
    const id = await accountOfTicket(store, context.req.param('token'), 'reset')
    const account = id === undefined ? undefined : await accountById(store, id)
    if (account === undefined) throw refusal(404, 'This reset token is unknown or was used already')
    const keyId = await keyIdFor(store, body.pubkey, account)
    await consumeTickets(store, account.id, 'reset')
    await replaceKeys(store, account.id, { ...body, keyId })
    // The token was in an email, so the address is verified too.
    await verifyAccount(store, account.id)
    await consumeTickets(store, account.id, 'verify')
    await closeSessionsOf(store, account.id)
    if (keyId !== account.key_id) onKeyRevoked((await machinesOf(store, account.id)).map(client => client.id))
    return context.json({})
  })

  return routes
}
