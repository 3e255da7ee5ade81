/* Values within messages of programs and sensors. */

const LARGEST = 1e12
/** Words of sensors that are on or off, present or away. */
const WORDS: Readonly<Record<string, number>> = {
  on: 1,
  off: 0,
  true: 1,
  false: 0,
  home: 1,
  not_home: 0,
  open: 1,
  closed: 0,
}

/** A value as a number; undefined for what is none. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  const text = typeof value === 'string' ? value.trim() : undefined
  const number = text === undefined ? value : text === '' ? undefined : (WORDS[text.toLowerCase()] ?? Number(text))
  return typeof number === 'number' && Number.isFinite(number) && Math.abs(number) <= LARGEST ? number : undefined
}

/** What a path of keys leads to in a value of JSON. Only own keys are followed. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (found, key) =>
        typeof found === 'object' && found !== null && Object.hasOwn(found, key)
          ? (found as Readonly<Record<string, unknown>>)[key]
          : undefined,
      value,
    )
}
