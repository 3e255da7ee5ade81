/**
 * JSON with a space after each colon and comma, the text that a client signs to link itself (docs/protocol.md §11.1).
 */
export function spacedText(fields: Readonly<Record<string, string>>): string {
  const written = Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  return `{${written.join(', ')}}`.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
