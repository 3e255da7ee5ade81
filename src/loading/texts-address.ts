/** Where the build writes the texts of a language: vite.texts.ts. */
export const textsAddress = (locale: string, group: string, version: string): string =>
  `/assets/texts-${locale}-${group}-${version}.js`
