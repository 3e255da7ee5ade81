/** An entry of the list that the build makes. */
export type CachedFile = { readonly url: string; readonly revision: string | null }

function scriptsOf(html: string): readonly string[] {
  return Array.from(html.matchAll(/<script\b[^>]*\bsrc="([^"]+)"/g), ([, address = '']) => address)
}

/** Whether two pages start the same scripts. Their settings may differ. */
export function isSameVersion(html: string, other: string): boolean {
  const scripts = scriptsOf(html)
  const others = scriptsOf(other)
  return (
    scripts.length > 0 && scripts.length === others.length && scripts.every((script, index) => script === others[index])
  )
}

/**
 * The stores to delete when a version becomes active: all but its own and the newest other one, which tabs may still use.
 * `names`: oldest first, as browsers list them.
 */
export function outdatedCaches(names: readonly string[], currentName: string): readonly string[] {
  return names.filter(name => name !== currentName).slice(0, -1)
}

function languageOf(address: string): string | undefined {
  return /\/texts-([\w-]+?)-[a-z]+-[^-]+\.js$/.exec(address)?.[1]
}

/** Those files of texts whose language is one of these addresses. */
export function textsOfLanguages(files: readonly string[], addresses: readonly string[]): readonly string[] {
  const languages = new Set(addresses.flatMap(address => languageOf(address) ?? []))
  return files.filter(file => languages.has(languageOf(file) ?? ''))
}
