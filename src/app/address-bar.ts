/**
 * The address in `?connect=host:port`, which is taken out of the page's own address, so that a reload does not ask
 * again. Nothing is connected to: the person is asked first.
 */
export const askedAddress = (
  location: Pick<Location, 'href'>,
  history: Pick<History, 'replaceState' | 'state'>,
): string | undefined => {
  const url = new URL(location.href)
  const address = url.searchParams.get('connect')
  if (address === null) return undefined
  url.searchParams.delete('connect')
  history.replaceState(history.state, '', url)
  return address
}

/**
 * What a provider sent the person back with, which is taken out of the page's own address: it is good for one use, and
 * no business of a bookmark. Undefined for a page that was opened in any other way.
 */
export const takeProviderQuery = (
  location: Pick<Location, 'href'>,
  history: Pick<History, 'replaceState' | 'state'>,
): Readonly<Record<string, string>> | undefined => {
  const url = new URL(location.href)
  if (url.pathname !== '/' || !url.searchParams.has('state')) return undefined
  const query = Object.fromEntries(url.searchParams)
  url.search = ''
  history.replaceState(history.state, '', url)
  return query
}
