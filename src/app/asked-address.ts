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
