import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { selectClientSettings, selectId, selectName } from '../../../../machines/connection/client/client.selectors.ts'
import type { ClientSettingsRef } from '../../../../machines/connection/client-settings/client-settings.machine.ts'
import { unlockQuestion } from '../../../../machines/connection/client-settings/client-settings.questions.ts'
import {
  needsAdvanced,
  selectSettingsReport,
} from '../../../../machines/connection/client-settings/client-settings.selectors.ts'
import { isModified } from '../../../../machines/shared/draft/draft.selectors.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { useLeaveGuard } from '../../../hooks/use-leave-guard.ts'
import { useClient, useClientSelector } from '../../../hooks/client-context.ts'
import { DraftActions, DraftSubtitle, ResultDetail } from '../../draft-actions.tsx'
import { SubPage } from '../../page.tsx'
import { WhenLoaded } from '../../when-loaded.tsx'
import { useMachinePath } from '../machine-top.tsx'
import { DonorSection } from './donor-section.tsx'
import { GroupSettings } from './group-settings.tsx'
import { GroupsSection } from './groups-section.tsx'
import { ClientSection } from './client-section.tsx'
import { SettingsBanners } from './settings-banners.tsx'
import { SettingsContext, useDraft, useSettings } from './settings-context.ts'
import { useAskedSetting } from './use-asked-setting.ts'

function Lock() {
  const { dialogs, preferences } = useSystem()
  const isOpen = useSelector(preferences, ({ context }) => context.shown.advanced)
  return (
    <div>
      {isOpen ? (
        <Button
          icon="lock"
          onPress={() => preferences.send({ type: 'preferences.change', change: { advanced: false } })}
        >
          {t`Lock advanced settings`}
        </Button>
      ) : (
        <Button icon="unlock" onPress={() => dialogs.send({ type: 'dialogs.ask', dialog: unlockQuestion })}>
          {t`Unlock advanced settings`}
        </Button>
      )}
    </div>
  )
}

/** Advanced settings cannot be locked while a group uses them. */
function Groups() {
  const isNeeded = useSelector(useDraft(), needsAdvanced)
  const isOpen = useSelector(useSystem().preferences, ({ context }) => context.shown.advanced)
  const isConnected = useSelector(useSettings(), snapshot => selectSettingsReport(snapshot).isConnected)
  return (
    <>
      {isNeeded || isOpen ? <GroupsSection /> : <GroupSettings group="" isAdvanced={false} />}
      {isNeeded || !isConnected ? undefined : <Lock />}
    </>
  )
}

function Settings({ settings }: { readonly settings: ClientSettingsRef }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const name = useClientSelector(selectName)
  const home = useMachinePath(useClientSelector(selectId))
  const draft = useDraft()
  const hasChanges = useSelector(draft, isModified)
  const { isSignedIn, form } = useSelector(settings, selectSettingsReport)
  // Whom it folds for is the account’s to say, and it is not signed in here.
  const isOwned = useClientSelector(({ context }) => (context.record.data?.info.account ?? '') !== '') && !isSignedIn
  const asked = useAskedSetting()?.group
  useLeaveGuard(draft, hasChanges, path => path === pathname)
  useEffect(() => {
    if (asked !== undefined) settings.send({ type: 'settings.showGroup', name: asked })
  }, [settings, asked])
  useEffect(() => {
    const unlinked = settings.on('settings.unlinked', () => void navigate('/machines'))
    return () => unlinked.unsubscribe()
  }, [settings, navigate])
  return (
    <SubPage
      title={t`Settings`}
      subtitle={
        <DraftSubtitle
          draft={draft}
          saved={
            isOwned ? (
              <Trans>
                Sent
                <ResultDetail>
                  : user, team, passkey and cause of the account replace these when it next connects.
                </ResultDetail>
              </Trans>
            ) : (
              <Trans>
                Saved<ResultDetail>: confirmed by the machine.</ResultDetail>
              </Trans>
            )
          }
          sent={
            <Trans>
              Sent<ResultDetail>: waiting for the machine to confirm.</ResultDetail>
            </Trans>
          }
        >
          {name}
        </DraftSubtitle>
      }
      hasStickyActions
      actions={<DraftActions draft={draft} leavesTo={home} />}
    >
      <SettingsBanners />
      {isSignedIn ? <ClientSection /> : undefined}
      {form.donor === undefined ? undefined : <DonorSection />}
      {form.groups === undefined ? undefined : <Groups />}
    </SubPage>
  )
}

/** The settings machine exists while this page is open. */
function Opened() {
  const client = useClient()
  const settings = useSelector(client, selectClientSettings)
  useEffect(() => {
    client.send({ type: 'client.openSettings' })
    return () => client.send({ type: 'client.closeSettings' })
  }, [client])
  const name = useClientSelector(selectName)
  if (settings === undefined)
    return (
      <SubPage title={t`Settings`} subtitle={<bdi>{name}</bdi>}>
        {undefined}
      </SubPage>
    )
  return (
    <SettingsContext key={settings.sessionId} value={settings}>
      <Settings settings={settings} />
    </SettingsContext>
  )
}

/** The settings of a client: its name and link, whom it folds for, when, and on what. */
export function SettingsScreen() {
  return (
    <WhenLoaded part="clientSettings" what={t`This screen`} shape="form">
      <Opened />
    </WhenLoaded>
  )
}
