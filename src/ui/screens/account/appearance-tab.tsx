import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import type { AccountDraftRef } from '../../../machines/account/settings/settings.machine.ts'
import { selectDraft } from '../../../machines/shared/draft/draft.selectors.ts'
import { Switch } from '../../parts/fields/switch.tsx'
import { useMedia } from '../../hooks/use-media.ts'
import { ColumnLists } from './column-lists.tsx'

type Props = { readonly draft: AccountDraftRef }
type Flag = 'dark' | 'compact' | 'wide' | 'hide_empty_groups'

function AppearanceSwitch({
  draft,
  flag,
  fallback = false,
  children,
}: Props & { readonly flag: Flag; readonly fallback?: boolean; readonly children: string }) {
  const isOn = useSelector(draft, snapshot => selectDraft(snapshot)?.config[flag])
  return (
    <Switch
      isSelected={isOn ?? fallback}
      onChange={isSelected => draft.send({ type: 'draft.edit', change: { config: { [flag]: isSelected } } })}
    >
      {children}
    </Switch>
  )
}

/** Appearance settings of the account. Previewed immediately, stored when saved. */
export function AppearanceTab({ draft }: Props) {
  const isSystemDark = useMedia('(prefers-color-scheme: dark)')
  return (
    <div className="stack gap-6">
      <section className="grid gap-3" aria-label={t`Display`}>
        <p className="quiet type-3">{t`Changes show immediately and are kept when you save.`}</p>
        <AppearanceSwitch draft={draft} flag="dark" fallback={isSystemDark}>
          {t`Dark mode`}
        </AppearanceSwitch>
        <AppearanceSwitch draft={draft} flag="compact">
          {t`Compact`}
        </AppearanceSwitch>
        <AppearanceSwitch draft={draft} flag="wide">
          {t`Wide display`}
        </AppearanceSwitch>
        <AppearanceSwitch draft={draft} flag="hide_empty_groups">
          {t`Hide empty resource groups`}
        </AppearanceSwitch>
      </section>
      <ColumnLists draft={draft} />
    </div>
  )
}
