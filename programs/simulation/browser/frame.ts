import type { Realm } from '../realms/realm.ts'

/** Where a frame may connect to, as its own policy says. */
const POLICY = /connect-src (?<origin>[^\s";]+)/

/** A link, by which a file is saved. */
const LINK = { href: '', download: '', click: (): void => undefined }

/** Frames of a page, whose documents are empty and have a policy. */
export function framesOf(realm: Realm, fetch: typeof globalThis.fetch) {
  const createFrame = () => {
    let origin = ''
    let whenLoaded = (): void => undefined
    const release = realm.hold('frame')
    return {
      hidden: false,
      title: '',
      setAttribute: (name: string, value: string): void => {
        if (name === 'srcdoc') origin = POLICY.exec(value)?.groups?.['origin'] ?? ''
      },
      addEventListener: (_: 'load', listener: () => void): void => {
        whenLoaded = listener
      },
      contentWindow: {
        fetch: (url: string, init: RequestInit): Promise<Response> =>
          new URL(url).origin === origin ? fetch(url, init) : Promise.reject(new TypeError('Failed to fetch')),
      },
      load: (): void => void realm.after(1, 'frame', whenLoaded),
      remove: release,
    }
  }
  return {
    createElement: (tag: string) => (tag === 'iframe' ? createFrame() : LINK),
    body: { append: (frame: ReturnType<typeof createFrame>): void => frame.load() },
  }
}
