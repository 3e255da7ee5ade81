import { t } from '@lingui/core/macro'
import createPurifier, { type Config } from 'dompurify'

const inlineTags = ['b', 'strong', 'i', 'em', 'u', 's', 'sub', 'sup', 'code', 'br']
const wholeTags = [
  ...inlineTags,
  'p',
  'a',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'blockquote',
  'pre',
  'hr',
  'img',
  'figure',
  'figcaption',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
]

// Relative addresses are rejected: they would resolve against this page.
const ADDRESS = /^https?:\/\//i

const shared: Config & { RETURN_DOM_FRAGMENT: true } = {
  RETURN_DOM_FRAGMENT: true,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: ADDRESS,
}

const purifier = createPurifier(window)

purifier.addHook('afterSanitizeAttributes', element => {
  if (element.nodeName === 'A') {
    element.setAttribute('target', '_blank')
    element.setAttribute('rel', 'noopener noreferrer')
    element.setAttribute('referrerpolicy', 'no-referrer')
  }
  if (element.nodeName === 'IMG') {
    element.setAttribute('loading', 'lazy')
    element.setAttribute('decoding', 'async')
    element.setAttribute('referrerpolicy', 'no-referrer')
    if (!element.hasAttribute('alt')) element.setAttribute('alt', '')
  }
})

/**
 * Keeps paragraphs, lists, tables, links and images. Images that may not be loaded become links before the fragment is
 * attached to the document, so that they are never fetched.
 */
export function sanitizeBlocks(html: string, mayLoad: (address: string) => boolean): DocumentFragment {
  const part = purifier.sanitize(html, {
    ...shared,
    ALLOWED_TAGS: wholeTags,
    ALLOWED_ATTR: ['href', 'src', 'alt', 'title', 'width', 'height', 'colspan', 'rowspan'],
  })
  for (const picture of part.querySelectorAll('img')) {
    const address = picture.getAttribute('src') ?? ''
    if (address === '') picture.remove()
    else if (!mayLoad(address)) picture.replaceWith(replacementOf(picture, address))
  }
  return part
}

function replacementOf(picture: HTMLImageElement, address: string): Node {
  const text = picture.alt === '' ? t`Image not loaded` : t`Image: ${picture.alt}`
  const { ownerDocument } = picture
  if (picture.closest('a') !== null) return ownerDocument.createTextNode(text)
  const link = ownerDocument.createElement('a')
  link.href = address
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  link.referrerPolicy = 'no-referrer'
  link.textContent = text
  return link
}

/** Keeps text and emphasis only. */
export function sanitizeInline(html: string): DocumentFragment {
  return purifier.sanitize(html, { ...shared, ALLOWED_TAGS: inlineTags, ALLOWED_ATTR: [] })
}
