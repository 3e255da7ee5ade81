/* Languages that are written from right to left, and texts of the other direction within their sentences. */
import type { I18n, MessageDescriptor, MessageOptions } from '@lingui/core'
import { chosenLocales } from './format.ts'
import { isReadable, LOCALES } from './locales.ts'

/** Whether the chosen locale is written from right to left. */
export function isRightToLeft(): boolean {
  const chosen = [chosenLocales() ?? ''].flat()[0] ?? ''
  return LOCALES.some(({ code, direction }) => direction === 'rtl' && isReadable(code, chosen))
}

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** The text with a direction of its own: neither it nor what stands around it changes the order of the other. */
export function isolated(text: string): string {
  return `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}`
}

/** Nothing, or a number: the text around it orders it. */
const PLAIN = /^[\p{Nd}.,٫٬]*$/u

/** A number that plural rules read as it is, and that stands in the text in the digits of the locale. */
function inLocalDigits(value: number): object {
  return {
    [Symbol.toPrimitive]: (hint: string): string | number => {
      if (hint === 'number') return value
      return hint === 'string' ? String(value) : new Intl.NumberFormat(chosenLocales(), UNGROUPED).format(value)
    },
  }
}

const UNGROUPED = { useGrouping: false, maximumFractionDigits: 20 } as const

function shownValue(value: unknown): unknown {
  if (typeof value === 'number') return inLocalDigits(value)
  return typeof value === 'string' && !PLAIN.test(value) ? isolated(value) : value
}

function isolatedValues(values: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  return values === undefined
    ? undefined
    : Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shownValue(value)]))
}

/**
 * From now on, texts that messages contain, such as names, have a direction of their own, and numbers the digits of the
 * locale. For languages from right to left: a Latin name would turn the order of what stands beside it.
 */
export function isolateValues(texts: I18n): void {
  const translate = texts._.bind(texts)
  function translated(
    message: string | MessageDescriptor,
    values?: Record<string, unknown>,
    options?: MessageOptions,
  ): string {
    if (typeof message === 'string') return translate(message, isolatedValues(values), options)
    const shownValues = isolatedValues(message.values)
    return translate(shownValues === undefined ? message : { ...message, values: shownValues })
  }
  texts._ = translated
}
