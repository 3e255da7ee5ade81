/**
 * Keeps the screen on while the page is seen, where the browser can and lets it; returns what ends that. A browser releases the
 * lock of a page that is hidden, so it is requested again.
 */
export function keepAwake(): () => void {
  let lock: Promise<WakeLockSentinel> | undefined
  const release = (): void => void lock?.then(granted => granted.release()).catch(() => undefined)
  const request = (): void => {
    if (document.hidden || !('wakeLock' in navigator)) return
    release()
    lock = navigator.wakeLock.request('screen')
    // Refused, as while a battery is low: then the screen turns off as usual.
    lock.catch(() => undefined)
  }
  request()
  document.addEventListener('visibilitychange', request)
  return () => {
    document.removeEventListener('visibilitychange', request)
    release()
  }
}
