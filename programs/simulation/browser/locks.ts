import type { Realm } from '../realms/realm.ts'

type Mode = 'exclusive' | 'shared'
type Options = { readonly mode?: Mode; readonly ifAvailable?: boolean }
type Lock = { readonly name: string; readonly mode: Mode }
type Use = (lock: Lock | null) => unknown

type Request = Lock & { readonly realm: Realm; readonly grant: () => void }

/** `navigator.locks` of all tabs of a browser. */
export type Locks = {
  readonly of: (realm: Realm) => {
    readonly request: (name: string, options: Options | Use, use?: Use) => Promise<unknown>
    readonly query: () => Promise<{ readonly held: readonly Lock[]; readonly pending: readonly Lock[] }>
  }
}

export function createLocks(): Locks {
  let held: Request[] = []
  let waiting: Request[] = []

  const fits = ({ name, mode }: Lock): boolean =>
    held.every(one => one.name !== name || (one.mode === 'shared' && mode === 'shared'))

  const grantNext = (): void => {
    const blocked = new Set<string>()
    for (const request of [...waiting]) {
      if (blocked.has(request.name) || !fits(request)) blocked.add(request.name)
      else {
        waiting = waiting.filter(one => one !== request)
        held.push(request)
        request.realm.after(0, `lock ${request.name}`, request.grant)
      }
    }
  }

  const release = (request: Request): void => {
    held = held.filter(one => one !== request)
    waiting = waiting.filter(one => one !== request)
    grantNext()
  }

  const namesOf = (list: readonly Lock[]): readonly Lock[] => list.map(({ name, mode }) => ({ name, mode }))

  const request = async (
    realm: Realm,
    name: string,
    { mode = 'exclusive', ifAvailable = false }: Options,
    use: Use,
  ) => {
    const isFree = fits({ name, mode }) && !waiting.some(one => one.name === name)
    if (ifAvailable && !isFree) return use(null)
    let ownRequest: Request | undefined
    const forget = realm.onEnd(() => {
      if (ownRequest !== undefined) release(ownRequest)
    })
    await new Promise<void>(resolve => {
      ownRequest = { name, mode, realm, grant: resolve }
      waiting.push(ownRequest)
      grantNext()
    })
    try {
      return await use({ name, mode })
    } finally {
      forget()
      if (ownRequest !== undefined) release(ownRequest)
    }
  }

  return {
    of: realm => ({
      request: (name, options, use) =>
        typeof options === 'function'
          ? request(realm, name, {}, options)
          : request(realm, name, options, use ?? (() => undefined)),
      query: () => Promise.resolve({ held: namesOf(held), pending: namesOf(waiting) }),
    }),
  }
}
