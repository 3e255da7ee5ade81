import type { Context } from 'hono'
import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { LOCALES } from '../../../src/folding/text/locales.ts'
import { inLanguage, languageOf, loadLanguage } from '../locale.ts'
import { html, PAGE_HEADERS, type Html } from '../../host/html.ts'

/** As other pages of the host, but its form is sent to this server. */
export const FORM_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  // With no-referrer a browser sends the form with the Origin `null`.
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': (PAGE_HEADERS['Content-Security-Policy'] ?? '').replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
}

export function tooManyAttempts(): string {
  return t`There were too many attempts. Wait a minute, then try again.`
}

const MESSAGES: Readonly<Record<string, () => string>> = {
  wrong: () => t`The name or the password is wrong.`,
  'slow-down': tooManyAttempts,
}

/** A page in the language of the reader that sent a request. */
export async function inReadersLanguage(context: Context, write: () => string): Promise<string> {
  const language = languageOf(context)
  await loadLanguage(language)
  return inLanguage(language, write)
}

/** Colors and sizes of src/ui/styles/tokens.css: the files of the dashboard are not needed for these pages. */
const STYLE = `:root{color-scheme:light dark;--page:light-dark(oklch(.968 .006 80),oklch(.185 .007 65));
--panel:light-dark(oklch(.993 .003 85),oklch(.218 .008 65));--line:light-dark(oklch(.9 .008 80),oklch(.312 .009 65));
--strong:light-dark(oklch(.6 .014 70),oklch(.575 .014 70));--text:light-dark(oklch(.27 .012 65),oklch(.93 .008 80));
--quiet:light-dark(oklch(.49 .014 65),oklch(.725 .012 75));--accent:light-dark(oklch(.475 .15 345),oklch(.56 .128 345));
--hover:light-dark(oklch(.425 .145 345),oklch(.52 .128 345));--on:light-dark(oklch(.99 .006 345),oklch(.985 .008 345));
--focus:light-dark(oklch(.475 .15 345),oklch(.77 .115 345));--bad:light-dark(oklch(.495 .17 27),oklch(.77 .125 25));
--soft:light-dark(oklch(.945 .022 25),oklch(.29 .055 25))}
*{box-sizing:border-box}body{margin:0;min-block-size:100dvh;display:grid;place-items:center;padding:1rem;
background:var(--page);color:var(--text);font:.875rem/1.45 'Segoe UI Variable Text','Segoe UI',-apple-system,BlinkMacSystemFont,Roboto,'Noto Sans','Liberation Sans',system-ui,sans-serif}
main{inline-size:min(24rem,100%);padding:2rem;background:var(--panel);border:1px solid var(--line);border-radius:.5rem}
h1{margin:0 0 .25rem;font-size:1.25rem;font-weight:650;line-height:1.2}p{margin:0;text-wrap:pretty}.quiet{color:var(--quiet)}
form{display:grid;gap:1rem;margin-block-start:1.5rem}label{display:grid;gap:.25rem;font-weight:550}
input{inline-size:100%;min-block-size:2.75rem;padding:0 .75rem;border:1px solid var(--strong);border-radius:.3125rem;background:var(--page);color:inherit;font:inherit;font-size:1rem}
button{min-block-size:2.75rem;border:0;border-radius:.3125rem;background:var(--accent);color:var(--on);font:inherit;font-weight:650;cursor:pointer}
button:hover{background:var(--hover)}:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
[role=alert]{padding:.5rem .75rem;border-radius:.3125rem;background:var(--soft);color:var(--bad);font-weight:550}
a{color:var(--accent)}main>*+*{margin-block-start:1rem}[role=alert]::before{content:'⚠ ' / ''}`

function page(title: string, body: Html): string {
  return `<!doctype html><html lang="${i18n.locale}" dir="${LOCALES.find(({ code }) => code === i18n.locale)?.direction ?? 'ltr'}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${html`<title>${title}</title>`.html}<style>${STYLE}</style>${body.html}</html>\n`
}

/** The page to sign in. `next`: the address that was asked for; `name`: what was typed before. */
export function loginPage(next: string, message: string | undefined, name = ''): string {
  const text = message === undefined ? undefined : MESSAGES[message]?.()
  const isAgain = text !== undefined && name !== ''
  const body = html`<main>
    <h1>${t`Sign in to Foldboard`}</h1>
    <p class="quiet">${t`This server shows and controls folding machines.`}</p>
    <form method="post" action="/api/server/login">
      ${text === undefined ? html`` : html`<p role="alert" id="fault">${text}</p>`}
      <label
        >${t`Name`}<input
          name="name"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          required
          maxlength="64"
          value="${name}"
          ${isAgain ? html`` : html`autofocus`}
      /></label>
      <label
        >${t`Password`}<input
          name="password"
          type="password"
          autocomplete="current-password"
          required
          maxlength="1024"
          ${text === undefined ? html`` : html`aria-describedby="fault"`}
          ${isAgain ? html`autofocus` : html``}
      /></label>
      <input type="hidden" name="next" value="${next}" />
      <button type="submit">${t`Sign in`}</button>
    </form>
  </main>`
  return page(t`Sign in to Foldboard`, body)
}

export type EnrollPage = {
  readonly isEnrolled: boolean
  /** Why nothing can be enrolled here; undefined when it can. */
  readonly blocked: string | undefined
  /** Why the last attempt failed. */
  readonly fault?: string | undefined
  /** Clients of the account that was enrolled now. */
  readonly machines?: number | undefined
}

/** The page on which an administrator enrolls an account. */
export function enrollPage({ isEnrolled, blocked, fault, machines: clients }: EnrollPage): string {
  const done =
    clients === undefined
      ? html``
      : html`<p role="status">
          ${plural(clients, {
            one: 'The account is enrolled, with # machine. It appears within a minute.',
            other: 'The account is enrolled, with # machines. They appear within a minute.',
          })}
        </p>`
  const form = html`<form method="post" action="/api/server/enroll">
    ${fault === undefined ? html`` : html`<p role="alert" id="fault">${fault}</p>`}
    <label>${t`Email`}<input name="email" type="email" autocomplete="off" required maxlength="320" autofocus /></label>
    <label
      >${t`Passphrase`}<input
        name="passphrase"
        type="password"
        autocomplete="off"
        required
        maxlength="1024"
        ${fault === undefined ? html`` : html`aria-describedby="fault"`}
    /></label>
    <button type="submit">${t`Enroll`}</button>
  </form>`
  const body = html`<main>
    <h1>${t`Enroll an account`}</h1>
    <p class="quiet">
      ${t`The server reaches the machines of a Folding@home account through its relay node. It keeps the private key of the account, encrypted; the passphrase is used once and not stored.`}
    </p>
    ${
      isEnrolled && clients === undefined
        ? html`<p class="quiet">${t`An account is enrolled. Another one takes its place.`}</p>`
        : html``
    }
    ${done} ${blocked === undefined ? (clients === undefined ? form : html``) : html`<p role="alert">${blocked}</p>`}
    <p class="quiet"><a href="/">${t`Back to the machines`}</a></p>
  </main>`
  return page(t`Enroll an account`, body)
}

/** A path of this server; '/' for anything that could lead elsewhere. */
export function localPath(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[\w\-./?=&%~:@,+]*$/.test(next) ? next : '/'
}
