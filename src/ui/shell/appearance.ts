import type { Preferences } from '../../machines/app/preferences/preferences.events.ts'
import type { PreferencesRef } from '../../machines/app/preferences/preferences.machine.ts'
import { selectPreferences } from '../../machines/app/preferences/preferences.selectors.ts'

function apply(root: HTMLElement, { theme, compact, wide }: Preferences): void {
  root.dataset['theme'] = theme
  root.dataset['density'] = compact ? 'compact' : 'comfortable'
  root.dataset['wide'] = String(wide)
}

/** Keeps the root element's data attributes in line with the preferences. Returns a function that stops it. */
export function applyAppearance(preferences: PreferencesRef, root: HTMLElement): () => void {
  apply(root, selectPreferences(preferences.getSnapshot()))
  const subscription = preferences.subscribe(snapshot => apply(root, selectPreferences(snapshot)))
  return () => subscription.unsubscribe()
}
