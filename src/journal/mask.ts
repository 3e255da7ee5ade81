import { t } from '@lingui/core/macro'
import { addressOf, isActorRef } from './address.ts'
import { ActorLink, linked } from './links.ts'

/**
 * Takes secrets out of what is recorded. A secret is replaced by another text that is as empty, as long and as valid
 * to every rule of this product, and equal texts by equal ones, so that a machine decides the same when the recording is replayed.
 */
export type Mask = {
  /** The value without its secrets; the value itself when it has none. */
  readonly apply: (value: unknown) => Masked
  /** The same for something that shares its parts with what was given before: only new parts are looked at. */
  readonly applyShared: (value: unknown) => Masked
  /** Runs something that applies the mask to everything that is still there, and forgets all secrets that it did not meet. */
  readonly forgetUnseenDuring: <Result>(run: () => Result) => Result
  /** Takes the secrets that are known now out of a text that quotes one. */
  readonly clean: (text: string) => string
  /** Whether it remembers a secret, which is in memory as long as it does. */
  readonly remembers: (secret: string) => boolean
}

export type Masked = {
  readonly value: unknown
  /** About so many bytes of memory are new. */
  readonly size: number
}

/** Shorter ones would be found in innocent words. */
const SHORTEST_SEARCHED = 6
/** A machine that sends thousands of secrets must not make every text be searched for each: the newest are looked for. */
const MAX_SEARCHED = 256

const OBJECT_BYTES = 32
const FIELD_BYTES = 12

/** `secretNames`: whatever sits under one of them is a secret. `makePlaceholder` gives what is put in its place. */
export const createMask = (
  secretNames: ReadonlySet<string>,
  makePlaceholder: (secret: string, number: number) => string = placeholderFor,
): Mask => {
  const isSecretKey = (key: unknown): boolean => typeof key === 'string' && secretNames.has(key)
  const placeholders = new Map<string, string>()
  /** All that were ever made, and what those stand for that are still needed. */
  const allPlaceholders = new Set<string>()
  const originals = new Map<string, string>()
  const known = new WeakMap<object, unknown>()
  /** What of it is secret, by the value that holds it, so that it is forgotten with it. */
  const heldBy = new WeakMap<object, ReadonlySet<string>>()
  /** Secrets met in the shared value that is looked at, and in a whole round of such values. */
  let met: Set<string> | undefined
  let round: Set<string> | undefined
  let searchedSecrets: string[] = []
  let count = 0
  let size = 0

  const placeholderOf = (secret: string): string => {
    if (secret === '' || allPlaceholders.has(secret)) {
      // A replay holds the stand-in where the page holds the secret.
      const original = originals.get(secret)
      if (original !== undefined) met?.add(original)
      return secret
    }
    met?.add(secret)
    const before = placeholders.get(secret)
    if (before !== undefined) return before
    const made = makePlaceholder(secret, ++count)
    placeholders.set(secret, made)
    originals.set(made, secret)
    allPlaceholders.add(made)
    if (secret.length >= SHORTEST_SEARCHED) searchedSecrets.push(secret)
    if (searchedSecrets.length > MAX_SEARCHED) searchedSecrets.shift()
    return made
  }

  const clean = (text: string): string => {
    let cleaned = text
    for (const secret of searchedSecrets)
      if (cleaned.length >= secret.length && cleaned.includes(secret))
        cleaned = cleaned.replaceAll(secret, () => placeholders.get(secret) ?? '')
    return cleaned
  }

  const hide = (value: unknown, isSecret: boolean, isShared: boolean): unknown => {
    if (typeof value === 'string') {
      size += value.length
      return isSecret ? placeholderOf(value) : clean(value)
    }
    if (typeof value === 'number') return isSecret ? 0 : value
    if (typeof value === 'function' || typeof value === 'symbol') return undefined
    if (typeof value !== 'object' || value === null) return value
    if (!isShared || isSecret) return hideObject(value, isSecret, isShared)
    const outer = met
    const before = known.get(value)
    if (before !== undefined) {
      for (const secret of heldBy.get(value) ?? []) outer?.add(secret)
      return before
    }
    met = new Set()
    const masked = hideObject(value, isSecret, isShared)
    known.set(value, masked)
    if (met.size > 0) heldBy.set(value, met)
    for (const secret of met) outer?.add(secret)
    met = outer
    return masked
  }

  const hideObject = (value: object, isSecret: boolean, isShared: boolean): unknown => {
    size += OBJECT_BYTES
    if (Array.isArray(value)) return hideList(value, isSecret, isShared)
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype || prototype === null) return hideRecord(value, isSecret, isShared)
    if (value instanceof Map) return hideMap(value, isSecret, isShared)
    if (ArrayBuffer.isView(value)) {
      size += value.byteLength
      return isSecret ? undefined : value
    }
    if (value instanceof ActorLink || value instanceof Set || value instanceof Error) return value
    if (isActorRef(value)) return new ActorLink(addressOf(value))
    // A value of a class that can say what it holds may stay; keys, files and the like may not.
    return 'toJSON' in value ? value : { hidden: Object.prototype.toString.call(value).slice(8, -1) }
  }

  const hideList = (list: readonly unknown[], isSecret: boolean, isShared: boolean): unknown => {
    let copy: unknown[] | undefined
    let hasLinks = false
    for (let at = 0; at < list.length; at++) {
      const before = list[at]
      // A change names its place first: `['config', 'passkey', 'abc…']`.
      const after = hide(before, isSecret || (at > 0 && at === list.length - 1 && isSecretKey(list[at - 1])), isShared)
      hasLinks ||= isLinked(after)
      if (after !== before) (copy ??= list.slice())[at] = after
    }
    size += list.length * 8
    if (hasLinks && copy !== undefined) linked.add(copy)
    return copy ?? list
  }

  const hideRecord = (record: object, isSecret: boolean, isShared: boolean): unknown => {
    const fields = record as Readonly<Record<string, unknown>>
    let copy: Record<string, unknown> | undefined
    let hasLinks = false
    for (const key in fields) {
      size += FIELD_BYTES
      const before = fields[key]
      const after = hide(before, isSecret || secretNames.has(key), isShared)
      hasLinks ||= isLinked(after)
      if (after !== before) (copy ??= { ...fields })[key] = after
    }
    if (hasLinks && copy !== undefined) linked.add(copy)
    return copy ?? record
  }

  const hideMap = (map: ReadonlyMap<unknown, unknown>, isSecret: boolean, isShared: boolean): unknown => {
    const entries = [...map].map(([key, value]) => [key, hide(value, isSecret || isSecretKey(key), isShared)] as const)
    if (!entries.some(([key, value]) => map.get(key) !== value)) return map
    const copy = new Map(entries)
    if (entries.some(([, value]) => isLinked(value))) linked.add(copy)
    return copy
  }

  const measured = (act: () => unknown): Masked => {
    size = 0
    return { value: act(), size }
  }

  return {
    apply: value => measured(() => hide(value, false, false)),
    applyShared: value =>
      measured(() => {
        met = round
        const masked = hide(value, false, true)
        met = undefined
        return masked
      }),
    forgetUnseenDuring: run => {
      const kept = new Set<string>()
      round = kept
      try {
        return run()
      } finally {
        round = undefined
        const gone = [...placeholders.keys()].filter(secret => !kept.has(secret))
        for (const secret of gone) {
          originals.delete(placeholders.get(secret) ?? '')
          placeholders.delete(secret)
        }
        if (gone.length > 0) searchedSecrets = searchedSecrets.filter(secret => kept.has(secret))
      }
    },
    clean,
    remembers: secret => placeholders.has(secret),
  }
}

const isLinked = (value: unknown): boolean =>
  value instanceof ActorLink || (typeof value === 'object' && value !== null && linked.has(value))

const PASSKEY = /^[0-9a-f]{30,32}$/i
/** The shortest passphrase that is one (docs/product.md §5). */
const PASSPHRASE = 10

/** As valid as the secret: a passkey for a passkey, long enough for what is long enough. Of its letters nothing is left. */
const placeholderFor = (secret: string, number: number): string => {
  if (PASSKEY.test(secret)) return number.toString(16).padStart(secret.length, '0')
  return secret.length < PASSPHRASE ? `hid ${number}`.slice(0, PASSPHRASE - 1) : t`hidden no. ${number}`
}
