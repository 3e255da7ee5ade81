import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import type { ThemePreference } from '../../machines/app/preferences/preferences.events.ts'
import { isCompact, isWide, selectTheme } from '../../machines/app/preferences/preferences.selectors.ts'
import { MenuButton } from '../parts/overlays/menu-button.tsx'
import type { MenuEntry } from '../parts/overlays/menu-popover.tsx'
import { useLanguages } from './language.ts'
import { useSystem } from '../hooks/system-context.ts'

const themes: Readonly<Record<string, ThemePreference>> = { auto: 'auto', light: 'light', dark: 'dark' }

const entries: readonly MenuEntry[] = [
  { id: 'auto', label: t`System`, icon: 'contrast' },
  { id: 'light', label: t`Light`, icon: 'sun' },
  { id: 'dark', label: t`Dark`, icon: 'moon' },
  { id: 'compact', label: t`Compact`, icon: 'rows', startsGroup: true },
  { id: 'wide', label: t`Wide`, icon: 'widen' },
]

/** Theme, density and width, applied immediately, and the language; stored on this device. */
export const AppearanceMenu = () => {
  const { preferences } = useSystem()
  const theme = useSelector(preferences, selectTheme)
  const compact = useSelector(preferences, isCompact)
  const wide = useSelector(preferences, isWide)
  const languages = useLanguages()
  const choose = (id: string): void => {
    if (id === 'compact') preferences.send({ type: 'preferences.change', change: { compact: !compact } })
    else if (languages.isLanguage(id)) languages.choose(id)
    else if (id === 'wide') preferences.send({ type: 'preferences.change', change: { wide: !wide } })
    else preferences.send({ type: 'preferences.change', change: { theme: themes[id] ?? 'auto' } })
  }
  return (
    <MenuButton
      label={t`Appearance`}
      icon={theme === 'auto' ? 'contrast' : theme === 'dark' ? 'moon' : 'sun'}
      entries={() => [
        ...entries,
        ...languages.entries().map((entry, at) => (at === 0 ? { ...entry, startsGroup: true } : entry)),
      ]}
      chosen={[theme, ...(compact ? ['compact'] : []), ...(wide ? ['wide'] : []), languages.chosen]}
      choosesSeveral
      onChoose={choose}
    />
  )
}
