export { pathPart } from '../../protocol/url.ts'
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

const IMAGE_TYPES = [
  ['/9j/', 'jpeg'],
  ['iVBORw0KGgo', 'png'],
  ['R0lGOD', 'gif'],
  ['UklGR', 'webp'],
] as const

/** A picture that may be shown: a data URL, a web address, or nothing but an image file in base64. Undefined for anything else. */
export const shownPicture = (picture: unknown): string | undefined => {
  const own = ownPicture(picture)
  if (own !== undefined || typeof picture !== 'string') return own
  const type = IMAGE_TYPES.find(([start]) => picture.startsWith(start))?.[1]
  if (type !== undefined && /^[\w+/=\s]+$/.test(picture))
    return `data:image/${type};base64,${picture.replaceAll(/\s/g, '')}`
  return /^https?:\/\//i.test(picture) ? safeWebAddress(picture) : undefined
}

/** Whether a host is one of the project's own. */
const isProjectHost = (host: string): boolean => host === 'foldingathome.org' || host.endsWith('.foldingathome.org')

/**
 * Whether a picture in a text may be loaded: it tells its host who reads the text. Only the servers that this page is set up
 * to ask (`origins`) and the project's own hosts may know.
 */
export const isPictureAllowed = (address: unknown, origins: readonly string[]): boolean => {
  if (typeof address !== 'string' || !URL.canParse(address)) return false
  const { protocol, hostname, origin } = new URL(address)
  return (protocol === 'https:' && isProjectHost(hostname)) || origins.includes(origin)
}

/** A picture that may be shown beside a text: part of the data, or from where pictures may come. Undefined for any other. */
export const allowedPicture = (picture: unknown, origins: readonly string[]): string | undefined => {
  const shown = shownPicture(picture)
  return shown === undefined || shown.startsWith('data:') || isPictureAllowed(shown, origins) ? shown : undefined
}
