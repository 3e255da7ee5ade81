/** Where the build writes the texts of a language: scripts/vite/texts.ts. */
export function textsAddress(locale: string, group: string, version: string): string {
  return `/assets/texts-${locale}-${group}-${version}.js`
}
