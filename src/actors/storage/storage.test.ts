import { describe, expect, it } from 'vitest'
import { defaultFleetView, defaultGridColumns, MAX_COLUMNS, MAX_EXCEPTIONS } from '../../folding/fleet/fleet-view.ts'
import type { Preferences } from '../../machines/app/preferences/preferences.events.ts'
import { createLocalStore, parsePreferences } from './storage.ts'

const defaults: Preferences = {
  theme: 'auto',
  language: undefined,
  compact: false,
  wide: false,
  columns: undefined,
  hidesEmptyGroups: true,
  order: 'usual',
  advanced: false,
  wrapsLog: true,
  localLogTime: false,
  listKeys: true,
  showsLogBook: true,
  putAway: {},
  speed: 'usual',
  followed: undefined,
  fleetView: defaultFleetView,
}

function storageWith(entries: Readonly<Record<string, string>>) {
  return {
    getItem: (key: string) => entries[key] ?? null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
}

describe('preferences in local storage', () => {
  it('are read back as they were written', () => {
    const changed: Preferences = { ...defaults, theme: 'dark', columns: ['ppd'], followed: '{}', order: 'name' }
    expect(parsePreferences(JSON.parse(JSON.stringify(changed)), defaults)).toEqual(changed)
  })

  it.each([[undefined], [null], [5], ['dark'], [true]])('are the defaults for %j', value => {
    expect(parsePreferences(value, defaults)).toBe(defaults)
  })

  it('get a default for each field that is missing, unknown or of another type', () => {
    const value: unknown = JSON.parse(
      '{"theme":"pink","compact":1,"wide":true,"columns":[3,null],"order":["name"],"followed":7,"other":1,"__proto__":{"theme":"dark","advanced":true}}',
    )
    expect(parsePreferences(value, defaults)).toEqual({ ...defaults, wide: true })
    expect(parsePreferences([], defaults)).toEqual(defaults)
  })

  it('keep the names of columns once, and skip what is no name', () => {
    expect(parsePreferences({ columns: ['ppd', 4, 'PPD', 'eta'] }, defaults).columns).toEqual(['ppd', 'eta'])
    expect(parsePreferences({ columns: [] }, { ...defaults, columns: ['eta'] }).columns).toEqual(['eta'])
  })
})

describe('the view of the clients in local storage', () => {
  const read = (fleetView: unknown) => parsePreferences({ fleetView }, defaults).fleetView

  it('is read back as it was written', () => {
    const view = {
      layout: 'units',
      density: 'compact',
      machineColumns: { shown: ['name', 'gpu-names'], pinned: [], widths: { name: 300 } },
      unitColumns: defaultGridColumns,
      collapsed: { all: true, except: ['@host:7396'] },
    }
    expect(read(JSON.parse(JSON.stringify(view)))).toEqual(view)
  })

  it('gets a default for each part that is missing or unreadable', () => {
    expect(read({ layout: 'spiral', density: 3, machineColumns: [], collapsed: { all: 1 } })).toEqual(defaultFleetView)
    expect(read('grid')).toEqual(defaultFleetView)
  })

  it('holds a limited number of ids of columns and panels, and sane widths', () => {
    const many = Array.from({ length: 3000 }, (_, index) => `c${index}`)
    const view = read({
      machineColumns: JSON.parse(
        `{"shown":["ppd","Not an id","__proto__"],"pinned":null,"widths":{"ppd":100,"name":1e9,"os":"9","__proto__":100}}`,
      ) as unknown,
      unitColumns: { shown: many, widths: Object.fromEntries(many.map(id => [id, 100])) },
      collapsed: { all: false, except: [...many, 'x'.repeat(1000)] },
    })
    expect(view.machineColumns).toEqual({ shown: ['ppd'], pinned: undefined, widths: { ppd: 100 } })
    expect(view.unitColumns.shown?.length).toEqual(MAX_COLUMNS)
    expect(Object.keys(view.unitColumns.widths).length).toEqual(MAX_COLUMNS)
    expect(view.collapsed.except).toHaveLength(MAX_EXCEPTIONS)
  })
})

describe('local storage', () => {
  it('gives defaults where it holds no JSON, or does not exist', () => {
    for (const storage of [undefined, storageWith({ 'foldboard.preferences': '{', 'foldboard.addresses': 'x' })]) {
      const remembered = createLocalStore(storage)
      expect(remembered.readPreferences(defaults)).toEqual(defaults)
      expect(remembered.readAddresses()).toEqual([])
    }
  })

  it('gives at most 64 addresses, and strings alone', () => {
    const addresses = JSON.stringify([1, null, ...Array.from({ length: 70 }, (_, index) => `host-${index}:7396`)])
    const read = createLocalStore(storageWith({ 'foldboard.addresses': addresses })).readAddresses()
    expect(read.length).toBe(64)
    expect(read[0]).toEqual({ address: 'host-0:7396', name: undefined })
  })

  it('reads lists of addresses as every version wrote them: canonical, each once, with names where there are some', () => {
    const stored = [
      ' NAS ',
      'nas:7396',
      { address: '10.0.0.7', name: ' At\ntic ' },
      { name: 'x' },
      'http://nas',
      { address: 'b', name: 5 },
    ]
    const read = createLocalStore(storageWith({ 'foldboard.addresses': JSON.stringify(stored) })).readAddresses()
    expect(read).toEqual([
      { address: 'nas:7396', name: undefined },
      { address: '10.0.0.7:7396', name: 'At tic' },
      { address: 'b:7396', name: undefined },
    ])
  })

  it('writes addresses that older versions read, and reads them back', () => {
    const entries = new Map<string, string>()
    const store = createLocalStore({
      getItem: key => entries.get(key) ?? null,
      setItem: (key, value) => entries.set(key, value),
    })
    const clients = [
      { address: 'nas:7396', name: undefined },
      { address: 'b:7396', name: 'Attic' },
    ]
    store.writeAddresses(clients)
    expect(entries.get('foldboard.addresses')).toBe('["nas:7396",{"address":"b:7396","name":"Attic"}]')
    expect(store.readAddresses()).toEqual(clients)
  })

  it('may be full', () => {
    expect(() =>
      createLocalStore(storageWith({})).writeAddresses([{ address: 'a:7396', name: undefined }]),
    ).not.toThrow()
  })
})
