import { refusal } from './errors.ts'

function wrong(name: string): Error {
  return refusal(400, `${name}: Not a page of this dashboard`)
}

function readUrl(name: string, text: string, allowed: readonly string[]): URL {
  if (!URL.canParse(text)) throw wrong(name)
  const url = new URL(text)
  // Links in emails and redirects must not lead to other sites.
  if (!allowed.includes(url.origin) || url.username !== '' || url.password !== '') throw wrong(name)
  return url
}

/** The page for links in emails: the dashboard's `/verify` or `/reset`, which the caller may leave out. */
export function pageForLinks(
  name: string,
  text: string,
  path: '/verify' | '/reset',
  allowed: readonly string[],
): string {
  const { origin, pathname } = readUrl(name, text, allowed)
  const base = pathname.replace(/(?<!\/)\/+$/, '')
  return `${origin}${base.endsWith(path) ? base : `${base}${path}`}`
}

/** The page to which a provider redirects. */
export function pageToReturnTo(name: string, text: string, allowed: readonly string[]): string {
  const url = readUrl(name, text, allowed)
  url.hash = ''
  return url.href
}
