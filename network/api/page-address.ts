import { refusal } from './errors.ts'

const wrong = (name: string): Error => refusal(400, `${name}: Not a page of this dashboard`)

const readUrl = (name: string, text: string, allowed: readonly string[]): URL => {
  if (!URL.canParse(text)) throw wrong(name)
  const url = new URL(text)
  // A letter or a provider of ours must never lead anybody to somebody else's site.
  if (!allowed.includes(url.origin) || url.username !== '' || url.password !== '') throw wrong(name)
  return url
}

/** Where links of letters lead: the dashboard's `/verify` or `/reset`, whether or not the caller has written it. */
export const pageForLinks = (
  name: string,
  text: string,
  path: '/verify' | '/reset',
  allowed: readonly string[],
): string => {
  const { origin, pathname } = readUrl(name, text, allowed)
  const base = pathname.replace(/(?<!\/)\/+$/, '')
  return `${origin}${base.endsWith(path) ? base : `${base}${path}`}`
}

/** Where a provider sends people back to. */
export const pageToReturnTo = (name: string, text: string, allowed: readonly string[]): string => {
  const url = readUrl(name, text, allowed)
  url.hash = ''
  return url.href
}
