import type { Realm } from '../realms/realm.ts'

/** An event target that counts its listeners among what the realm holds. */
export function createTarget(realm: Realm, name: string) {
  const target = new EventTarget()
  const releases = new Map<string, Map<unknown, () => void>>()
  return {
    addEventListener: (type: string, listener: EventListener, options?: AddEventListenerOptions): void => {
      const listeners = releases.get(type) ?? new Map<unknown, () => void>()
      releases.set(type, listeners)
      if (!listeners.has(listener)) listeners.set(listener, realm.hold(`listener of ${name} ${type}`))
      target.addEventListener(type, listener, options)
    },
    removeEventListener: (type: string, listener: EventListener): void => {
      releases.get(type)?.get(listener)?.()
      releases.get(type)?.delete(listener)
      target.removeEventListener(type, listener)
    },
    dispatchEvent: (event: Event): boolean => target.dispatchEvent(event),
  }
}
