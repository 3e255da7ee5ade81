/**
 * Has the browser load what it needs to format numbers and times, which takes 30 ms at the first use and is kept for all
 * threads of a page: in a worker, while the page is busy with its own code.
 */
export function loadFormats(locales: readonly string[]): void {
  const tags = [...locales]
  new Intl.NumberFormat(tags).format(0)
  new Intl.DateTimeFormat(tags, { dateStyle: 'medium', timeStyle: 'short' }).format(0)
  new Intl.PluralRules(tags).select(1)
  new Intl.ListFormat(tags).format(['', ''])
}
