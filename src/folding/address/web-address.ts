export { pathPart } from '../../protocol/url.ts'
import { parsedUrl } from '../../protocol/url.ts'
import { withScheme } from '../shared/validation.ts'

/**
 * An untrusted address as it may be opened: http or https only, normalized by the browser's parser. Undefined for
 * `javascript:`, `data:` and anything that is not an address.
 */
export function safeWebUrl(named: unknown): string | undefined {
  if (typeof named !== 'string' || named.trim() === '') return undefined
  const url = parsedUrl(withScheme(named.trim()))
  if (url === undefined) return undefined
  const { protocol, hostname, href } = url
  return (protocol === 'https:' || protocol === 'http:') && hostname !== '' ? href : undefined
}

/** An image as a data URL: showing it makes no request. */
export function dataUrlImage(picture: unknown): string | undefined {
  return typeof picture === 'string' && /^data:image\/(?:webp|png|jpeg|gif);base64,/.test(picture) ? picture : undefined
}

/** The first base64 characters of image files. */
const IMAGE_TYPES: readonly (readonly [start: '/9j/' | 'iVBORw0KGgo' | 'R0lGOD' | 'UklGR', type: string])[] = [
  ['/9j/', 'jpeg'],
  ['iVBORw0KGgo', 'png'],
  ['R0lGOD', 'gif'],
  ['UklGR', 'webp'],
]

/** An image that may be shown: a data URL, a web address, or a bare base64 image file. Undefined for anything else. */
export function safeImage(picture: unknown): string | undefined {
  const inlineImage = dataUrlImage(picture)
  if (inlineImage !== undefined || typeof picture !== 'string') return inlineImage
  const type = IMAGE_TYPES.find(([start]) => picture.startsWith(start))?.[1]
  if (type !== undefined && /^[\w+/=\s]+$/.test(picture))
    return `data:image/${type};base64,${picture.replaceAll(/\s/g, '')}`
  return /^https?:\/\//i.test(picture) ? safeWebUrl(picture) : undefined
}

function isProjectHost(host: string): boolean {
  return host === 'foldingathome.org' || host.endsWith('.foldingathome.org')
}

/**
 * Whether an image in an article may be loaded. A request tells its host who reads the article, so only the servers that
 * this page is configured for (`origins`) and the project's own hosts are allowed.
 */
export function isImageAllowed(address: unknown, origins: readonly string[]): boolean {
  const url = typeof address === 'string' ? parsedUrl(address) : undefined
  if (url === undefined) return false
  const { protocol, hostname, origin } = url
  return (protocol === 'https:' && isProjectHost(hostname)) || origins.includes(origin)
}

/** An image as a data URL or from an allowed host; undefined for any other. */
export function allowedImage(picture: unknown, origins: readonly string[]): string | undefined {
  const shown = safeImage(picture)
  return shown === undefined || shown.startsWith('data:') || isImageAllowed(shown, origins) ? shown : undefined
}
