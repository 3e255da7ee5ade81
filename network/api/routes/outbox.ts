import { Hono } from 'hono'
import { html, page, PAGE_HEADERS } from '../../pages.ts'
import type { StoredEmail } from '../../store/emails.ts'
import type { ApiServices } from '../context.ts'
import { refusal } from '../errors.ts'

const emailView = ({ to, subject, text, link, sent }: StoredEmail) => {
  const [before = '', after = ''] = text.split(link)
  return html`<article>
    <h2>${subject}</h2>
    <small>to ${to}, ${sent}</small>
    <pre>${before}<a href="${link}">${link}</a>${after}</pre>
  </article>`
}

const outboxPage = (mails: readonly StoredEmail[]): string =>
  page(
    'Outbox',
    mails.length === 0
      ? html`<p>
          No letters yet. Those of this network, such as the one that confirms an address, are not sent but kept here.
        </p>`
      : html`<p>Letters of this network, newest first. They are not sent to anybody: their links work from here.</p>
          ${mails.map(emailView)}`,
  )

/** Emails that were stored instead of sent. Not found if there is an SMTP server. */
export const outboxRoutes = ({ mail }: ApiServices): Hono => {
  const routes = new Hono()

  const kept = (): Promise<StoredEmail[]> => {
    if (mail.outbox === undefined) throw refusal(404, 'Mail is sent, not kept')
    return mail.outbox()
  }

  routes.get('/outbox', async context => context.html(outboxPage(await kept()), 200, { ...PAGE_HEADERS }))
  routes.get('/outbox.json', async context => context.json(await kept()))
  return routes
}
