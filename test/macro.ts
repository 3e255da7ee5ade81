/*
 * Texts for what tests compile by themselves, without the step that turns macros into messages: English as it is written.
 * Playwright finds this file through the tsconfig that its configuration names.
 */
type Forms = { readonly one?: string; readonly other: string }

type Described = { readonly message: string; readonly context: string }

export function t(parts: TemplateStringsArray | Described, ...values: readonly unknown[]): string {
  if ('message' in parts) return parts.message
  return parts.map((part, index) => (index === 0 ? part : `${String(values[index - 1])}${part}`)).join('')
}

export function plural(count: number, { one, other }: Forms): string {
  return (count === 1 ? (one ?? other) : other).replaceAll('#', count.toLocaleString('en-US'))
}
