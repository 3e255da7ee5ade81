import { t } from '@lingui/core/macro'
import { formatList } from '../../folding/text/format.ts'
import { LOCALES } from '../../folding/text/locales.ts'
import { loadCode } from '../../loading/load-code.ts'
import { useSystem } from '../hooks/system-context.ts'
import { useSelector } from '../hooks/use-selector.ts'
import type { MenuEntry } from '../parts/overlays/menu-popover.tsx'

const PREFIX = 'language-'
const OF_BROWSER = `${PREFIX}auto`

/** Loads the page again, without the language of a link. */
function reload(): void {
  const address = new URL(window.location.href)
  address.searchParams.delete('locale')
  if (address.href === window.location.href) window.location.reload()
  else window.location.assign(address)
}

/** Each language in itself; the page is loaded again in the one that is chosen, unless changes would be lost. */
export function useLanguages() {
  const system = useSystem()
  const language = useSelector(system.preferences, ({ context }) => context.shown.language)
  const entries = (): readonly MenuEntry[] => [
    { id: OF_BROWSER, label: t`Language of the browser`, icon: 'language' },
    ...LOCALES.map(({ code, name }) => ({ id: `${PREFIX}${code}`, label: name })),
  ]
  const choose = async (id: string): Promise<void> => {
    const chosen = id === OF_BROWSER ? undefined : id.slice(PREFIX.length)
    system.preferences.send({ type: 'preferences.change', change: { language: chosen } })
    const { findUnsaved } = await loadCode(() => import('../../machines/app/updates/unsaved.ts'))
    const unsaved = findUnsaved(system)
    if (unsaved.length === 0) {
      reload()
      return
    }
    const names = formatList(unsaved)
    system.dialogs.send({
      type: 'dialogs.showMessage',
      message: {
        level: 'info',
        title: t`The language was chosen`,
        text: t`It is shown when the page is loaded again, which would lose unsaved changes: ${names}. Save or discard them first.`,
      },
    })
  }
  return {
    entries,
    chosen: language === undefined ? OF_BROWSER : `${PREFIX}${language}`,
    isLanguage: (id: string): boolean => id.startsWith(PREFIX),
    choose: (id: string): void => {
      choose(id).catch(reload)
    },
  }
}
