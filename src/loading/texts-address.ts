/** Where the build writes the texts of a language, below the address of the page: scripts/vite/texts.ts. */
export function textsAddress(locale: string, group: string, version: string): string {
  return `assets/texts-${locale}-${group}-${version}.js`
}
