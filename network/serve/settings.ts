/** Run-time settings of the dashboard, by their names after `foldboard:`. */
export type PageSettings = Readonly<Record<string, string>>

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Adds the settings to the head as meta elements, which no Content-Security-Policy forbids. */
export const withSettings = (html: string, settings: PageSettings): string => {
  const tags = Object.entries(settings).map(
    ([name, value]) => `<meta name="foldboard:${escaped(name)}" content="${escaped(value)}">`,
  )
  return html.replace(/\s*<\/head>/i, end => `${tags.map(tag => `\n    ${tag}`).join('')}${end}`)
}
