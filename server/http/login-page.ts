import { html, page, PAGE_HEADERS } from '../../network/pages.ts'

/** As other pages of the host, but its form is sent to this server. */
export const LOGIN_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  // With no-referrer a browser sends the form with the Origin `null`.
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': (PAGE_HEADERS['Content-Security-Policy'] ?? '').replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
}

const MESSAGES: Readonly<Record<string, string>> = {
  wrong: 'The name or the password is wrong.',
  'slow-down': 'There were too many attempts. Wait a minute, then try again.',
}

/** The page to sign in. `next`: the address that was asked for. */
export const loginPage = (next: string, message: string | undefined): string => {
  const text = message === undefined ? undefined : MESSAGES[message]
  return page(
    'Sign in to Foldboard',
    html`<form method="post" action="/api/server/login">
      ${text === undefined ? html`` : html`<p role="alert">${text}</p>`}
      <p>
        <label
          >Name<br /><input name="name" autocomplete="username" autocapitalize="none" required maxlength="64"
        /></label>
      </p>
      <p>
        <label
          >Password<br /><input
            name="password"
            type="password"
            autocomplete="current-password"
            required
            maxlength="1024"
        /></label>
      </p>
      <input type="hidden" name="next" value="${next}" />
      <p><button type="submit">Sign in</button></p>
    </form>`,
  )
}

/** A path of this server; '/' for anything that could lead elsewhere. */
export const localPath = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])[\w\-./?=&%~:@,+]*$/.test(next) ? next : '/'
