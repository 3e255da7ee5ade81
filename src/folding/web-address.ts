import { withScheme } from './validation.ts'

/**
 * The address of a site that somebody named, as it may be opened: http or https, nothing else, in the browser's own
 * spelling. Undefined for `javascript:`, `data:` and whatever is no address.
 */
export const safeWebAddress = (named: unknown): string | undefined => {
  if (typeof named !== 'string' || named.trim() === '') return undefined
  const typed = withScheme(named.trim())
  if (!URL.canParse(typed)) return undefined
  const { protocol, hostname, href } = new URL(typed)
  return (protocol === 'https:' || protocol === 'http:') && hostname !== '' ? href : undefined
}

/** A picture that is part of the data itself, so that showing it asks nobody for anything. */
export const ownPicture = (picture: unknown): string | undefined =>
  typeof picture === 'string' && /^data:image\/(?:webp|png|jpeg|gif);base64,/.test(picture) ? picture : undefined
