/** Plain pages of the network, the outbox and the provider, without scripts, frames and external resources. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

const STYLE = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}body{max-width:44rem;margin:2rem auto;padding:0 1rem}
article{border-top:1px solid;padding:.5rem 0}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}a{overflow-wrap:anywhere}
li{margin:.75rem 0}small{opacity:.75}`

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

/** Safe HTML, created by `html` from templates and escaped values. */
export type Html = { readonly html: string }

/** A template whose values are escaped, except `Html`. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const text = (value: string | Html | readonly Html[] | undefined): string => {
    if (value === undefined) return ''
    if (typeof value === 'string') return escaped(value)
    return 'html' in value ? value.html : value.map(part => part.html).join('')
  }
  return { html: parts.map((part, index) => `${part}${text(values[index])}`).join('') }
}

export function page(title: string, body: Html): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style><main><h1>${escaped(title)}</h1>${body.html}</main></html>\n`
}
