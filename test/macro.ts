/*
 * Texts for tests that Playwright compiles itself, without the step that turns macros into messages: English as it is
 * written, through the tsconfig that `playwright.config.ts` names.
 */
type Forms = { readonly one?: string; readonly other: string }

export const t = (parts: TemplateStringsArray, ...values: readonly unknown[]): string =>
  parts.map((part, index) => (index === 0 ? part : `${String(values[index - 1])}${part}`)).join('')

export const plural = (count: number, { one, other }: Forms): string =>
  (count === 1 ? (one ?? other) : other).replaceAll('#', count.toLocaleString('en-US'))
