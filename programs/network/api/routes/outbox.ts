import { Hono } from 'hono'
import { html, page, PAGE_HEADERS } from '../../../host/html.ts'
import type { StoredEmail } from '../../store/emails.ts'
import type { ApiServices } from '../context.ts'

function emailView({ to, subject, text, link, sent }: StoredEmail) {
  const [before = '', after = ''] = text.split(link)
  return html`<article>
    <h2>${subject}</h2>
    <small>to ${to}, ${sent}</small>
    <pre>${before}<a href="${link}">${link}</a>${after}</pre>
  </article>`
}

function outboxPage(mails: readonly StoredEmail[]): string {
  return page(
    'Outbox',
    mails.length === 0
      ? html`<p>No emails yet. This network stores its emails here instead of sending them.</p>`
      : html`<p>Emails of this network, newest first. They are not sent; their links work from here.</p>
          ${mails.map(emailView)}`,
  )
}

/** Emails that were stored instead of sent. */
export function outboxRoutes({ mail }: ApiServices): Hono {
  const routes = new Hono()

  routes.get('/outbox', async context => context.html(outboxPage(await mail.outbox()), 200, { ...PAGE_HEADERS }))
  routes.get('/outbox.json', async context => context.json(await mail.outbox()))
  return routes
}
