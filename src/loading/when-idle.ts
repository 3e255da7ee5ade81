/** Calls back when the browser has nothing else to do, or after `timeout` milliseconds. */
export function whenIdle(run: () => void, timeout = 10_000): void {
  // Missing in Safari.
  if ('requestIdleCallback' in globalThis) globalThis.requestIdleCallback(run, { timeout })
  else setTimeout(run)
}
