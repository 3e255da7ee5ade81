import { IDBFactory } from 'fake-indexeddb'
import { writeToDisk } from './disk.ts'
import type { Realm } from '../realms/realm.ts'
import { createLocks, type Locks } from './locks.ts'

/** What tabs and workers of one browser share, and what it keeps while no tab is open. */
export type Device = {
  readonly name: string
  /** Milliseconds by which its clock is ahead. */
  ahead: number
  /** The same while no fault sets it. */
  usualAhead: number
  /** Whether it has a network: told to its pages, which have connections or not by the conditions of the internet. */
  isOnline: boolean
  readonly indexedDB: () => IDBFactory
  readonly locks: Locks
  /** `localStorage` as a tab sees it. `whenChanged` runs in it for changes by other tabs. */
  readonly openStorage: (realm: Realm, whenChanged: (key: string | null) => void) => Storage
  /** The class `BroadcastChannel` of a realm. */
  readonly channelOf: ReturnType<typeof createChannels>
  /** Deletes all that is stored, while no page is open. */
  readonly evict: () => void
}

/** Characters; browsers allow about as many for one origin. */
const QUOTA = 5_000_000

type Watcher = { readonly realm: Realm; readonly whenChanged: (key: string | null) => void }

function createStorage() {
  const entries = new Map<string, string>()
  const watchers = new Set<Watcher>()
  const sizeWith = (name: string, value: string): number =>
    [...entries].reduce(
      (sum, [key, text]) => sum + (key === name ? 0 : key.length + text.length),
      name.length + value.length,
    )

  const open = (realm: Realm, whenChanged: (key: string | null) => void): Storage => {
    const ownWatcher = { realm, whenChanged }
    watchers.add(ownWatcher)
    realm.onEnd(() => void watchers.delete(ownWatcher))
    const notify = (key: string | null): void => {
      for (const watcher of watchers)
        if (watcher !== ownWatcher) watcher.realm.after(0, `storage ${key}`, () => watcher.whenChanged(key))
    }
    return {
      getItem: name => entries.get(name) ?? null,
      setItem: (name, value) => {
        if (sizeWith(name, value) > QUOTA) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
        if (entries.get(name) === value) return
        writeToDisk(value, 'localStorage')
        entries.set(name, value)
        notify(name)
      },
      removeItem: name => {
        if (entries.delete(name)) notify(name)
      },
      clear: () => {
        entries.clear()
        notify(null)
      },
      key: index => [...entries.keys()][index] ?? null,
      get length() {
        return entries.size
      },
    }
  }
  return { open, evict: () => entries.clear() }
}

type Member = { readonly realm: Realm; readonly name: string; readonly receive: (data: unknown) => void }

function createChannels() {
  const members = new Set<Member>()
  return (realm: Realm) =>
    class SimulatedChannel extends EventTarget {
      onmessage: ((event: Event) => void) | null = null
      readonly name: string
      #member: Member
      #release: () => void

      constructor(name: string) {
        super()
        this.name = name
        this.#release = realm.hold(`channel ${name}`)
        this.#member = {
          realm,
          name,
          receive: data => {
            const event = Object.assign(new Event('message'), { data })
            this.onmessage?.(event)
            this.dispatchEvent(event)
          },
        }
        members.add(this.#member)
        realm.onEnd(() => void members.delete(this.#member))
      }

      postMessage(data: unknown): void {
        for (const member of members) {
          if (member === this.#member || member.name !== this.name) continue
          const copy: unknown = structuredClone(data)
          member.realm.after(0, `channel ${this.name} ${JSON.stringify(data)}`, () => {
            if (members.has(member)) member.receive(copy)
          })
        }
      }

      close(): void {
        members.delete(this.#member)
        this.#release()
      }
    }
}

export function createDevice(name: string): Device {
  const storage = createStorage()
  let databases = new IDBFactory()
  return {
    name,
    ahead: 0,
    usualAhead: 0,
    isOnline: true,
    indexedDB: () => databases,
    locks: createLocks(),
    openStorage: storage.open,
    channelOf: createChannels(),
    evict: () => {
      storage.evict()
      databases = new IDBFactory()
    },
  }
}
