/**
 * The address in `?connect=host:port`. It is removed from the page's URL, so that a reload does not ask again. The user
 * is asked before anything connects.
 */
export function takeConnectAddress(
  location: Pick<Location, 'href'>,
  history: Pick<History, 'replaceState' | 'state'>,
): string | undefined {
  const url = new URL(location.href)
  const address = url.searchParams.get('connect')
  if (address === null) return undefined
  url.searchParams.delete('connect')
  history.replaceState(history.state, '', url)
  return address
}

/**
 * The query of a redirect from a sign-in provider, which is removed from the page's URL: it can be used once, and should
 * not be bookmarked. Undefined when the page was opened in another way.
 */
export function takeProviderQuery(
  location: Pick<Location, 'href'>,
  history: Pick<History, 'replaceState' | 'state'>,
): Readonly<Record<string, string>> | undefined {
  const url = new URL(location.href)
  if (url.pathname !== import.meta.env.BASE_URL || !url.searchParams.has('state')) return undefined
  const query = Object.fromEntries(url.searchParams)
  url.search = ''
  history.replaceState(history.state, '', url)
  return query
}
