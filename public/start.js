/*
 * Runs before the first paint and the app's own script. Anything unexpected leaves the defaults, and the work to the app.
 */

// So that the page does not appear in another theme first. The app reads the same preferences, with all checks, in
// src/actors/storage.ts.
try {
  const { theme, compact, wide } = JSON.parse(localStorage.getItem('foldboard.preferences') ?? '{}')
  const root = document.documentElement
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme
  if (compact === true) root.dataset.density = 'compact'
  if (wide === true) root.dataset.wide = 'true'
} catch {
  // Storage is forbidden or damaged.
}

// The connection to the first client is made while the app's script is loaded. src/app/main.tsx takes the worker over, and
// the worker closes the connection when the app wants none to that address.
try {
  const { worker: script, client } = document.currentScript.dataset
  if (script !== undefined) {
    const worker = new Worker(script, { type: 'module', name: 'wire' })
    worker.onmessage = () => (worker.isReady = true)
    worker.onerror = () => (worker.hasFailed = true)
    const told = document.querySelector('meta[name="foldboard:direct-address"]')?.content ?? client
    const [first] = told.split(',')
    const address = first.trim() === 'self' ? location.host : first.trim()
    if (/^[\w.-]+:\d+$/.test(address))
      worker.postMessage({ type: 'direct.prepare', url: `ws://${address}/api/websocket` })
    window.foldboardWire = worker
  }
} catch {
  // No workers, or a damaged setting.
}

// Formatting the first number takes a browser milliseconds, for which there is time while the app's script is loaded. Safari
// has no such callback.
window.requestIdleCallback?.(() =>
  new Intl.NumberFormat(navigator.languages.find(tag => tag.startsWith('en')) ?? 'en').format(1),
)
