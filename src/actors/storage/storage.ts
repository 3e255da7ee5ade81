import * as v from 'valibot'
import {
  FLEET_LAYOUTS,
  GRID_DENSITIES,
  MAX_COLUMNS,
  MAX_EXCEPTIONS,
  MAX_WIDTH,
  MIN_WIDTH,
  type FleetView,
} from '../../folding/fleet/fleet-view.ts'
import { MOST_PUT_AWAY } from '../../folding/client/put-away.ts'
import { SPEED_BASES } from '../../folding/unit/watched.ts'
import { LOCALES } from '../../folding/text/locales.ts'
import { distinctColumns } from '../../folding/unit/column-sets.ts'
import { directClientOf, withClients, type DirectClient } from '../../folding/client/direct-clients.ts'
import type { Preferences } from '../../machines/app/preferences/preferences.events.ts'
import { storedValue, storeValue } from './kept-value.ts'

/** Preferences and addresses in local storage. Where the browser forbids it, reads give defaults and writes do nothing. */
export type LocalStore = {
  /** Whether there is an entry. */
  readonly has: (key: string) => boolean
  readonly readPreferences: (fallback: Preferences) => Preferences
  readonly writePreferences: (preferences: Preferences) => void
  readonly readAddresses: () => readonly DirectClient[]
  readonly writeAddresses: (addresses: readonly DirectClient[]) => void
}

const PREFERENCES = 'foldboard.preferences'
export const ADDRESSES = 'foldboard.addresses'

export function createLocalStore(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined): LocalStore {
  const read = (key: string): unknown => storedValue(storage, key, value => value)
  return {
    has: key => {
      try {
        return typeof storage?.getItem(key) === 'string'
      } catch {
        return false
      }
    },
    readPreferences: fallback => parsePreferences(read(PREFERENCES), fallback),
    writePreferences: preferences => storeValue(storage, PREFERENCES, preferences),
    readAddresses: () => v.parse(addressesSchema, read(ADDRESSES)),
    // A client without a name is written as every version wrote it, so that older ones read it.
    writeAddresses: addresses =>
      storeValue(
        storage,
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

/** Ids as this page gives them to columns: none is a name that objects inherit. */
const COLUMN_ID = /^[a-z][a-z0-9-]{0,39}$/

const columnIds = v.pipe(
  v.array(v.unknown()),
  v.transform((ids): readonly string[] =>
    ids.filter((id): id is string => typeof id === 'string' && COLUMN_ID.test(id)).slice(0, MAX_COLUMNS),
  ),
)

function gridColumns(fallback: FleetView['machineColumns']) {
  return v.fallback(
    v.object({
      shown: v.fallback(v.undefinedable(columnIds), () => undefined),
      pinned: v.fallback(v.undefinedable(columnIds), () => undefined),
      widths: v.fallback(
        v.pipe(
          v.record(v.string(), v.unknown()),
          v.transform((widths): Readonly<Record<string, number>> =>
            Object.fromEntries(
              Object.entries(widths)
                .flatMap(([id, width]) =>
                  COLUMN_ID.test(id) && typeof width === 'number' && width >= MIN_WIDTH && width <= MAX_WIDTH
                    ? [[id, width] as const]
                    : [],
                )
                .slice(0, MAX_COLUMNS),
            ),
          ),
        ),
        {},
      ),
    }),
    fallback,
  )
}

const MAX_ID_LENGTH = 200

function fleetView(fallback: FleetView) {
  return v.fallback(
    v.object({
      layout: v.fallback(v.undefinedable(v.picklist(FLEET_LAYOUTS)), () => undefined),
      density: v.fallback(v.undefinedable(v.picklist(GRID_DENSITIES)), () => undefined),
      machineColumns: gridColumns(fallback.machineColumns),
      unitColumns: gridColumns(fallback.unitColumns),
      collapsed: v.fallback(
        v.object({
          all: v.boolean(),
          except: v.pipe(
            texts,
            v.transform((ids): readonly string[] =>
              ids.filter(id => id.length <= MAX_ID_LENGTH).slice(-MAX_EXCEPTIONS),
            ),
          ),
        }),
        fallback.collapsed,
      ),
    }),
    fallback,
  )
}

/** Each field that is missing or unreadable gets its default. */
function preferencesSchema(fallback: Preferences) {
  return v.fallback(
    v.object({
      theme: v.fallback(v.picklist(['auto', 'dark', 'light']), fallback.theme),
      language: v.fallback(v.undefinedable(v.picklist(LOCALES.map(({ code }) => code))), () => undefined),
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
      listKeys: v.fallback(v.boolean(), fallback.listKeys),
      showsLogBook: v.fallback(v.boolean(), fallback.showsLogBook),
      putAway: v.fallback(
        v.pipe(
          v.record(v.pipe(v.string(), v.maxLength(MAX_ID_LENGTH)), v.pipe(v.number(), v.finite())),
          v.check(clients => Object.keys(clients).length <= MOST_PUT_AWAY),
        ),
        fallback.putAway,
      ),
      speed: v.fallback(v.picklist(SPEED_BASES), fallback.speed),
      order: v.fallback(v.picklist(['usual', 'problems', 'ppd', 'name']), fallback.order),
      fleetView: fleetView(fallback.fleetView),
    }),
    fallback,
  )
}

/** Preferences as any version of this page may have written them. */
export function parsePreferences(value: unknown, fallback: Preferences): Preferences {
  return v.parse(preferencesSchema(fallback), value)
}
