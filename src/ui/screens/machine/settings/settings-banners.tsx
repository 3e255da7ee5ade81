import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import type { Path } from '../../../../folding/shared/edits.ts'
import { isSameList } from '../../../../folding/shared/equal.ts'
import { settingName, settingValueText } from '../../../../folding/client/setting-texts.ts'
import {
  selectChangesElsewhere,
  selectSettingsReport,
} from '../../../../machines/connection/client-settings/client-settings.selectors.ts'
import { selectConflicts, selectDraft } from '../../../../machines/shared/draft/draft.selectors.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { Banner } from '../../../parts/feedback/banner.tsx'
import { resourceChange, resourceChangeText } from '../../../../folding/client/resource-changes.ts'
import { selectData } from '../../../../machines/connection/client/client.selectors.ts'
import { useClient } from '../../../hooks/client-context.ts'
import { useIsAwaited } from '../../../hooks/use-relay-pending.ts'
import { useClock } from '../../../hooks/system-context.ts'
import { useDraft, useSettings } from './settings-context.ts'
import styles from './settings.module.css'
import { formatList } from '../../../../folding/text/format.ts'

/** Names of settings. GPUs have the names that the client reports now. */
function useNames() {
  const info = useSelector(useClient(), ({ context }) => context.record.data?.info)
  return {
    nameOf: (path: Path): string => settingName(path, info),
    listOf: (paths: readonly Path[]): string => formatList(paths.map(path => settingName(path, info))),
  }
}

function Disconnected() {
  const { isConnected, form } = useSelector(useSettings(), selectSettingsReport)
  const isLoading = useIsAwaited()
  if (isConnected) return null
  if (isLoading)
    return (
      <Banner tone="stale" icon="loading">
        {t`Connecting to the machine.`}
      </Banner>
    )
  return (
    <Banner tone="stale" icon="offline" help="/help/when-something-is-wrong#out-of-reach">
      {form.groups === undefined
        ? t`The machine is not connected. Its settings appear when it is back.`
        : t`The machine is not connected. Your changes stay here; you can save them when it is back.`}
    </Banner>
  )
}

function Conflict({ path }: { readonly path: Path }) {
  const draft = useDraft()
  const { nameOf } = useNames()
  const mine = useSelector(draft, snapshot => settingValueText(path, selectDraft(snapshot) ?? {}))
  const theirs = useSelector(draft, snapshot => settingValueText(path, snapshot.context.saved ?? {}))
  return (
    <Banner
      tone="warning"
      icon="warning"
      isUrgent
      help="/help/when-something-is-wrong#a-setting-was-not-saved"
      actions={
        <>
          <Button isSmall onPress={() => draft.send({ type: 'draft.resolveConflict', path, side: 'mine' })}>
            {t`Keep mine`}
          </Button>
          <Button isSmall onPress={() => draft.send({ type: 'draft.resolveConflict', path, side: 'theirs' })}>
            {t`Use the machine’s`}
          </Button>
        </>
      }
    >
      <Trans>
        <strong>{nameOf(path)}</strong> was changed here and on the machine. Yours: {mine}. On the machine: {theirs}.
      </Trans>
    </Banner>
  )
}

function ChangesElsewhere() {
  const settings = useSettings()
  const all = useSelector(settings, selectChangesElsewhere)
  const conflicts = useSelector(useDraft(), selectConflicts)
  const { listOf } = useNames()
  const paths = all.filter(path => !conflicts.some(conflict => isSameList(conflict, path)))
  if (paths.length === 0) return null
  return (
    <Banner
      tone="transfer"
      icon="outdated"
      actions={
        <Button isSmall onPress={() => settings.send({ type: 'settings.dismiss' })}>
          {t`Dismiss`}
        </Button>
      }
    >
      {t`Changed on the machine since you opened this page: ${listOf(paths)}.`}
    </Banner>
  )
}

function NotSaved() {
  const refusal = useSelector(useDraft(), ({ context }) => context.refusal)
  const { listOf } = useNames()
  if (refusal === undefined) return null
  return (
    <Banner tone="failed" icon="fail" isUrgent help="/help/when-something-is-wrong#a-setting-was-not-saved">
      <strong>{t`Not saved: ${listOf(refusal.missing)}.`}</strong> {refusal.because}
    </Banner>
  )
}

/** What saving does to work units that run. */
function Disturbed() {
  const form = useSelector(useDraft(), selectDraft)
  const data = useSelector(useClient(), selectData)
  const text = useClock(now =>
    form === undefined || data === undefined ? undefined : resourceChangeText(resourceChange(data, form, now)),
  )
  if (text === undefined) return null
  return (
    <Banner tone="warning" icon="warning">
      {text}
    </Banner>
  )
}

/** Why the form and the client differ: disconnected, not saved, conflicts, changes made elsewhere; and what saving does. */
export function SettingsBanners() {
  const conflicts = useSelector(useDraft(), selectConflicts)
  return (
    <div className={styles['banners']}>
      <Disconnected />
      <NotSaved />
      {conflicts.map(path => (
        <Conflict key={JSON.stringify(path)} path={path} />
      ))}
      <ChangesElsewhere />
      <Disturbed />
    </div>
  )
}
