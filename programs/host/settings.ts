/** Run-time settings of the dashboard, by their names after `foldboard:`. */
export type PageSettings = Readonly<Record<string, string>>

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/**
 * Adds the settings to the head as meta elements, which no Content-Security-Policy forbids: after the title, so that the
 * page's first script finds them.
 */
export function withSettings(html: string, settings: PageSettings): string {
  const tags = Object.entries(settings).map(
    ([name, value]) => `<meta name="foldboard:${escaped(name)}" content="${escaped(value)}">`,
  )
  return html.replace(/<\/title>/i, end => `${end}${tags.map(tag => `\n    ${tag}`).join('')}`)
}
