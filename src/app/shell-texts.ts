/** Markup in parts, as without a session in English, with the parts that are others elsewhere, by their index. */
export type ShellTexts = {
  readonly parts: readonly string[]
  readonly others: Readonly<Record<string, Readonly<Record<number, string>>>>
}

export function shellKey(locale: string, hasSession: boolean): string {
  return hasSession ? `${locale} session` : locale
}

export function shellIn({ parts, others }: ShellTexts, locale: string, hasSession: boolean): string {
  const localTexts = { ...others[locale], ...(hasSession ? others[shellKey(locale, hasSession)] : {}) }
  return parts.map((part, at) => localTexts[at] ?? part).join('')
}
