import { distinctColumns } from '../folding/unit/column-sets.ts'
import type { Preferences } from '../machines/app/preferences/preferences.events.ts'

/** What this browser remembers between visits. A browser that forbids it remembers nothing, and all else works. */
export type Remembered = {
  readonly readPreferences: (fallback: Preferences) => Preferences
  readonly writePreferences: (preferences: Preferences) => void
  readonly readAddresses: () => readonly string[]
  readonly writeAddresses: (addresses: readonly string[]) => void
}

const PREFERENCES = 'foldboard.preferences'
const ADDRESSES = 'foldboard.addresses'
const MOST_ADDRESSES = 64

export const createRemembered = (storage: Pick<Storage, 'getItem' | 'setItem'> | undefined): Remembered => {
  const read = (key: string): unknown => {
    try {
      return JSON.parse(storage?.getItem(key) ?? 'null') as unknown
    } catch {
      return null
    }
  }
  const write = (key: string, value: unknown): void => {
    try {
      storage?.setItem(key, JSON.stringify(value))
    } catch {
      // A full or forbidden storage: the choice holds until the page is closed.
    }
  }
  return {
    readPreferences: fallback => preferencesOf(read(PREFERENCES), fallback),
    writePreferences: preferences => write(PREFERENCES, preferences),
    readAddresses: () => textsOf(read(ADDRESSES)).slice(0, MOST_ADDRESSES),
    writeAddresses: addresses => write(ADDRESSES, addresses),
  }
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item: unknown): item is string => typeof item === 'string') : []

const oneOf = <T extends string>(value: unknown, choices: readonly T[], fallback: T): T =>
  choices.find(choice => choice === value) ?? fallback

/** Preferences as any version of this page may have written them. */
export const preferencesOf = (value: unknown, fallback: Preferences): Preferences => {
  if (typeof value !== 'object' || value === null) return fallback
  const kept = value as Record<string, unknown>
  const columns = distinctColumns(textsOf(kept['columns']))
  return {
    theme: oneOf(kept['theme'], ['auto', 'dark', 'light'], fallback.theme),
    compact: typeof kept['compact'] === 'boolean' ? kept['compact'] : fallback.compact,
    wide: typeof kept['wide'] === 'boolean' ? kept['wide'] : fallback.wide,
    columns: columns.length > 0 ? columns : fallback.columns,
    hidesEmptyGroups:
      typeof kept['hidesEmptyGroups'] === 'boolean' ? kept['hidesEmptyGroups'] : fallback.hidesEmptyGroups,
    followed: typeof kept['followed'] === 'string' ? kept['followed'] : undefined,
    advanced: typeof kept['advanced'] === 'boolean' ? kept['advanced'] : fallback.advanced,
    wrapsLog: typeof kept['wrapsLog'] === 'boolean' ? kept['wrapsLog'] : fallback.wrapsLog,
    localLogTime: typeof kept['localLogTime'] === 'boolean' ? kept['localLogTime'] : fallback.localLogTime,
    order: oneOf(kept['order'], ['usual', 'problems', 'ppd', 'name'], fallback.order),
  }
}
