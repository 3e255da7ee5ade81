import { factActor } from './fact-actor.ts'

export type KeptValueDeps<Value, Fact> = {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | undefined
  readonly key: string
  /** Decodes what any version of this page may have stored; undefined when it is nothing of the kind. */
  readonly parse: (value: unknown) => Value | undefined
  /** What is stored for a value; as JSON. */
  readonly serialize: (value: Value) => unknown
  readonly toFact: (value: Value) => Fact
}

/**
 * Keeps one value in local storage. Reports it when it starts, and when another tab changed it. Where the browser forbids
 * storage, the value lasts until the page is closed.
 */
export const keptValue = <Value, Fact extends { readonly type: string }>({
  window,
  storage,
  key,
  parse,
  serialize,
  toFact,
}: KeptValueDeps<Value, Fact>) =>
  factActor<{ readonly type: 'store.keep'; readonly value: Value }, undefined, Fact>(({ report, receive }) => {
    const read = (text: string | null): void => {
      const value = text === null ? undefined : decode(text, parse)
      if (value !== undefined) report(toFact(value))
    }
    const onStorage = ({ key: changed, newValue }: StorageEvent): void => {
      if (changed === key) read(newValue)
    }
    read(stored(storage, key))
    window.addEventListener('storage', onStorage)
    receive(({ value }) => {
      try {
        storage?.setItem(key, JSON.stringify(serialize(value)))
      } catch {
        // Storage is full or forbidden.
      }
    })
    return () => window.removeEventListener('storage', onStorage)
  })

const stored = (storage: Pick<Storage, 'getItem'> | undefined, key: string): string | null => {
  try {
    return storage?.getItem(key) ?? null
  } catch {
    return null
  }
}

const decode = <Value>(text: string, parse: (value: unknown) => Value | undefined): Value | undefined => {
  try {
    return parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
