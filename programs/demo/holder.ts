import type { Tour } from './tours.ts'

/** What start.js leaves to the page. */
export const holder = globalThis as {
  foldboardDemo?: { readonly tour: Tour; readonly network: Worker }
}
