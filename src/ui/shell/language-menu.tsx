import { t } from '@lingui/core/macro'
import { i18n } from '@lingui/core'
import { LOCALES } from '../../folding/text/locales.ts'
import { MenuButton } from '../parts/overlays/menu-button.tsx'
import { useLanguages } from './language.ts'

/** Shows the language of the page, and offers the others. */
export function LanguageMenu() {
  const { entries, chosen, choose } = useLanguages()
  const name = LOCALES.find(({ code }) => code === i18n.locale)?.name ?? i18n.locale
  return (
    <MenuButton label={t`Language: ${name}`} icon="language" entries={entries} chosen={[chosen]} onChoose={choose}>
      {name}
    </MenuButton>
  )
}
