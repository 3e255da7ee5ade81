import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import type { AccountDraftRef } from '../../../machines/account/settings/settings.machine.ts'
import { selectDraft } from '../../../machines/shared/draft/draft.selectors.ts'
import { Switch } from '../../parts/fields/switch.tsx'
import { useMedia } from '../../hooks/use-media.ts'
import styles from './account.module.css'
import { ColumnLists } from './column-lists.tsx'

type Props = { readonly draft: AccountDraftRef }
type Flag = 'dark' | 'compact' | 'wide' | 'hide_empty_groups'

const Look = ({
  draft,
  flag,
  fallback = false,
  children,
}: Props & { readonly flag: Flag; readonly fallback?: boolean; readonly children: string }) => {
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

/** How things look, wherever the account is signed in. Shown at once, kept when it is saved. */
export const AppearanceTab = ({ draft }: Props) => {
  const isSystemDark = useMedia('(prefers-color-scheme: dark)')
  return (
    <div className={styles['looks']}>
      <section className={styles['section']} aria-label={t`Display`}>
        <p className={styles['quiet']}>{t`Changes show immediately and are kept when you save.`}</p>
        <Look draft={draft} flag="dark" fallback={isSystemDark}>
          {t`Dark mode`}
        </Look>
        <Look draft={draft} flag="compact">
          {t`Compact`}
        </Look>
        <Look draft={draft} flag="wide">
          {t`Wide display`}
        </Look>
        <Look draft={draft} flag="hide_empty_groups">
          {t`Hide empty resource groups`}
        </Look>
      </section>
      <ColumnLists draft={draft} />
    </div>
  )
}
