/** Markup in parts, with the parts that are others in another language, by their index. */
export type ShellTexts = {
  readonly parts: readonly string[]
  readonly others: Readonly<Record<string, Readonly<Record<number, string>>>>
}

export function shellIn({ parts, others }: ShellTexts, locale: string): string {
  const own = others[locale] ?? {}
  return parts.map((part, at) => own[at] ?? part).join('')
}
