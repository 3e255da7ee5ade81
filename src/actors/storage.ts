import * as v from 'valibot'
import { distinctColumns } from '../folding/unit/column-sets.ts'
import { directClientOf, withClients, type DirectClient } from '../folding/machine/direct-clients.ts'
import type { Preferences } from '../machines/app/preferences/preferences.events.ts'

/** Preferences and addresses in local storage. Where the browser forbids it, reads give defaults and writes do nothing. */
export type LocalStore = {
  readonly readPreferences: (fallback: Preferences) => Preferences
  readonly writePreferences: (preferences: Preferences) => void
  readonly readAddresses: () => readonly DirectClient[]
  readonly writeAddresses: (addresses: readonly DirectClient[]) => void
}

const PREFERENCES = 'foldboard.preferences'
const ADDRESSES = 'foldboard.addresses'

export const createLocalStore = (storage: Pick<Storage, 'getItem' | 'setItem'> | undefined): LocalStore => {
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
      // Storage is full or forbidden: the value lasts until the page is closed.
    }
  }
  return {
    readPreferences: fallback => parsePreferences(read(PREFERENCES), fallback),
    writePreferences: preferences => write(PREFERENCES, preferences),
    readAddresses: () => v.parse(addressesSchema, read(ADDRESSES)),
    // A client without a name is written as every version wrote it, so that older ones read it.
    writeAddresses: addresses =>
      write(
        ADDRESSES,
        addresses.map(({ address, name }) => (name === undefined ? address : { address, name })),
      ),
  }
}

/** The strings of a list; none of anything else. */
const texts = v.fallback(
  v.pipe(
    v.array(v.unknown()),
    v.transform(items => items.filter(item => typeof item === 'string')),
  ),
  [],
)

/** A list of addresses, as strings or with names; those that are none, and those beyond the limit, are left out. */
const addressesSchema = v.fallback(
  v.pipe(
    v.array(
      v.fallback(
        v.union([
          v.pipe(
            v.string(),
            v.transform(address => directClientOf(address, undefined)),
          ),
          v.pipe(
            v.object({ address: v.string(), name: v.fallback(v.optional(v.string()), undefined) }),
            v.transform(({ address, name }) => directClientOf(address, name)),
          ),
        ]),
        undefined,
      ),
    ),
    v.transform((clients): readonly DirectClient[] =>
      withClients(
        [],
        clients.filter(client => client !== undefined),
      ),
    ),
  ),
  [],
)

/** Each field that is missing or unreadable gets its default. */
const preferencesSchema = (fallback: Preferences) =>
  v.fallback(
    v.object({
      theme: v.fallback(v.picklist(['auto', 'dark', 'light']), fallback.theme),
      compact: v.fallback(v.boolean(), fallback.compact),
      wide: v.fallback(v.boolean(), fallback.wide),
      columns: v.fallback(
        v.undefinedable(
          v.pipe(
            texts,
            v.transform((names): readonly string[] => distinctColumns(names)),
            v.check(names => names.length > 0),
          ),
        ),
        () => fallback.columns,
      ),
      hidesEmptyGroups: v.fallback(v.boolean(), fallback.hidesEmptyGroups),
      followed: v.fallback(v.undefinedable(v.string()), () => undefined),
      advanced: v.fallback(v.boolean(), fallback.advanced),
      wrapsLog: v.fallback(v.boolean(), fallback.wrapsLog),
      localLogTime: v.fallback(v.boolean(), fallback.localLogTime),
      order: v.fallback(v.picklist(['usual', 'problems', 'ppd', 'name']), fallback.order),
    }),
    fallback,
  )

/** Preferences as any version of this page may have written them. */
export const parsePreferences = (value: unknown, fallback: Preferences): Preferences =>
  v.parse(preferencesSchema(fallback), value)
