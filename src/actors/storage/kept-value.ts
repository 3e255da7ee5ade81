import { parsedJson } from '../../folding/shared/read.ts'
import { factActor } from '../fact-actor.ts'

/** The keys of values in local storage. */
export const TAGS_KEY = 'foldboard.tags'
export const PROCESSORS_KEY = 'foldboard.processors'
export const IDLE_TIMES_KEY = 'foldboard.idle-times'
export const POWER_KEY = 'foldboard.power'
export const VIEWS_KEY = 'foldboard.views'

export type KeptValueDeps<Value, Fact> = {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | undefined
  readonly key: string
  /** Decodes what any version of this page may have stored; undefined when it is nothing of the kind. */
  readonly parse: (value: unknown) => Value | undefined
  /** What is stored for a value; as JSON. Default: the value. */
  readonly serialize?: (value: Value) => unknown
  readonly toFact: (value: Value) => Fact
}

/**
 * Keeps one value in local storage. Reports it when it starts, and when another tab changed it.
 */
export function keptValue<Value, Fact extends { readonly type: string }>({
  window,
  storage,
  key,
  parse,
  serialize = value => value,
  toFact,
}: KeptValueDeps<Value, Fact>) {
  return factActor<{ readonly type: 'store.keep'; readonly value: Value }, undefined, Fact>(({ report, receive }) => {
    const onStorage = ({ key: changed, newValue }: StorageEvent): void => {
      const other = changed === key && newValue !== null ? decode(newValue, parse) : undefined
      if (other !== undefined) report(toFact(other))
    }
    const value = storedValue(storage, key, parse)
    if (value !== undefined) report(toFact(value))
    window.addEventListener('storage', onStorage)
    receive(({ value }) => storeValue(storage, key, serialize(value)))
    return () => window.removeEventListener('storage', onStorage)
  })
}

/** Where storage is full or forbidden, the value lasts until the page is closed. */
export function storeValue(storage: Pick<Storage, 'setItem'> | undefined, key: string, value: unknown): void {
  try {
    storage?.setItem(key, JSON.stringify(value))
  } catch {
    // Nothing is stored.
  }
}

/** Undefined when there is none, or it cannot be read. */
export function storedValue<Value>(
  storage: Pick<Storage, 'getItem'> | undefined,
  key: string,
  parse: (value: unknown) => Value | undefined,
): Value | undefined {
  try {
    const text = storage?.getItem(key) ?? undefined
    return text === undefined ? undefined : decode(text, parse)
  } catch {
    return undefined
  }
}

function decode<Value>(text: string, parse: (value: unknown) => Value | undefined): Value | undefined {
  const value = parsedJson(text)
  return value === undefined ? undefined : parse(value)
}
