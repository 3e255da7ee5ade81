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

// Nothing relative: it would be read as an address of this page.
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

/** Paragraphs, lists, tables, links and pictures. */
export const wholePart = (html: string): DocumentFragment =>
  purifier.sanitize(html, {
    ...shared,
    ALLOWED_TAGS: wholeTags,
    ALLOWED_ATTR: ['href', 'src', 'alt', 'title', 'width', 'height', 'colspan', 'rowspan'],
  })

/** Words and emphasis alone. */
export const inlinePart = (html: string): DocumentFragment =>
  purifier.sanitize(html, { ...shared, ALLOWED_TAGS: inlineTags, ALLOWED_ATTR: [] })
