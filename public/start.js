/*
 * Runs before the first paint, so that the page does not appear in another theme first. The app reads the same preferences,
 * with all checks, in src/actors/storage.ts.
 */
try {
  const { theme, compact, wide } = JSON.parse(localStorage.getItem('foldboard.preferences') ?? '{}')
  const root = document.documentElement
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme
  if (compact === true) root.dataset.density = 'compact'
  if (wide === true) root.dataset.wide = 'true'
} catch {
  // Storage is forbidden or damaged: the defaults remain.
}
