import { useSelector } from '../../hooks/use-selector.ts'
import { useMedia } from '../../hooks/use-media.ts'
import { useSystem } from '../../hooks/system-context.ts'

/** The theme in effect, with `auto` resolved by the browser's color scheme. */
export function useTheme(): 'light' | 'dark' {
  const theme = useSelector(useSystem().preferences, ({ context }) => context.shown.theme)
  const isDark = useMedia('(prefers-color-scheme: dark)')
  if (theme === 'auto') return isDark ? 'dark' : 'light'
  return theme
}
