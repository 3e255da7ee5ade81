import { Hono } from 'hono'
import * as v from 'valibot'
import { verificationEmail } from '../../mail/emails.ts'
import { deleteAccount, verifyAccount } from '../../store/accounts.ts'
import { accountOfTicket, issueTicket, consumeTickets } from '../../store/tickets.ts'
import type { ApiServices } from '../context.ts'
import { refusal } from '../errors.ts'
import { makeAccount } from '../new-account.ts'
import { pageForLinks } from '../page-address.ts'
import { readBody } from '../reading.ts'
import { avatar, email, node, passkey, password, pubkey, typedTeam, userName, wrappedSecret } from '../rules.ts'
import { visitorOf } from '../signed-in.ts'

const registration = v.object({
  user: v.optional(userName, ''),
  team: v.optional(typedTeam, 0),
  passkey: v.optional(passkey, ''),
  avatar: v.optional(avatar, ''),
  node: v.optional(node, ''),
  email,
  password,
  pubkey,
  secret: wrappedSecret,
  verify_url: v.optional(v.string()),
})

/** Registration and verification of email addresses. */
export function registerRoutes(services: ApiServices): Hono {
  const { store, mail, allowedOrigins, report } = services
  const routes = new Hono()

  routes.put('/register', async context => {
    const { verify_url: verifyUrl, ...wanted } = await readBody(context, registration)
    const visitor = await visitorOf(services, context)
    const isVouchedFor = visitor?.kind === 'guest' && visitor.guest.email.toLowerCase() === wanted.email.toLowerCase()
    if (isVouchedFor) {
      await makeAccount(services, { ...wanted, cause: 'any' }, visitor.guest)
      return context.json({})
    }
    const page = pageForLinks('verify_url', verifyUrl ?? '', '/verify', allowedOrigins)
    const account = await makeAccount(services, { ...wanted, cause: 'any' }, undefined)
    try {
      await mail.send(
        verificationEmail({ email: account.email, page, token: await issueTicket(store, account.id, 'verify') }),
      )
    } catch (error) {
      // Without the email, the address could neither be verified nor registered again.
      await deleteAccount(store, account, [])
      report(`An email could not be sent: ${error instanceof Error ? error.message : 'unknown reason'}`)
      throw refusal(502, 'The email could not be sent')
    }
    return context.json({})
  })

  routes.get('/verify/:token', async context => {
    const account = await accountOfTicket(store, context.req.param('token'), 'verify')
    if (account === undefined) throw refusal(404, 'This verification token is unknown or was used already')
    await consumeTickets(store, account, 'verify')
    await verifyAccount(store, account)
    return context.json({})
  })

  return routes
}
