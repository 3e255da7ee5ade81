import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useEffect, useState } from 'react'
import { Navigate, useNavigate, useParams } from 'react-router-dom'
import {
  isAccountLoading,
  isAccountUnreachable,
  selectAccount,
  selectSettings,
} from '../../../machines/account/account/account.selectors.ts'
import type { AccountSnapshot } from '../../../machines/account/account/account.machine.ts'
import type { AccountDraftRef, SettingsRef } from '../../../machines/account/settings/settings.machine.ts'
import { selectAccountDraft } from '../../../machines/account/settings/settings.selectors.ts'
import { isModified } from '../../../machines/shared/draft/draft.selectors.ts'
import { Tabs } from '../../parts/actions/tabs.tsx'
import { focusContentSoon } from '../../parts/focus-content.ts'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { AFTER_SIGN_IN } from '../../hooks/use-return-after-sign-in.ts'
import { useLeaveGuard } from '../../hooks/use-leave-guard.ts'
import { DraftActions, DraftSubtitle } from '../draft-actions.tsx'
import { Page } from '../page.tsx'
import { AppearanceTab } from './appearance-tab.tsx'
import { Conflicts } from './conflicts.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { TeamsTab } from './teams-tab.tsx'

const tabs: readonly string[] = ['settings', 'appearance', 'teams']

function isAccountPath(path: string): boolean {
  return /^\/account(?:\/|$)/.test(path)
}

/** The email address, or else the donor's name. */
function selectAccountName(snapshot: AccountSnapshot): string {
  const { email, user } = selectAccount(snapshot) ?? {}
  return email ?? user ?? t`Anonymous`
}

type SettingsProps = { readonly settings: SettingsRef; readonly draft: AccountDraftRef; readonly tab: string }

function Settings({ settings, draft, tab }: SettingsProps) {
  const navigate = useNavigate()
  const hasChanges = useSelector(draft, isModified)
  const name = useSelector(useSystem().account, selectAccountName)
  useLeaveGuard(draft, hasChanges, isAccountPath)
  return (
    <Page
      title={t`Account Settings`}
      subtitle={<DraftSubtitle draft={draft}>{name}</DraftSubtitle>}
      hasStickyActions
      actions={<DraftActions draft={draft} closes />}
    >
      <Conflicts draft={draft} />
      <Tabs
        label={t`Account Settings`}
        selected={tab}
        onChange={id => void navigate(`/account/${id}`, { replace: true })}
        tabs={[
          { id: 'settings', label: t`Settings`, content: <SettingsTab settings={settings} draft={draft} /> },
          { id: 'appearance', label: t`Appearance`, content: <AppearanceTab draft={draft} /> },
          { id: 'teams', label: t`Teams`, content: <TeamsTab settings={settings} /> },
        ]}
      />
    </Page>
  )
}

function LoadingAccount() {
  return (
    <Page title={t`Account Settings`}>
      <Skeleton label={t`Loading the account…`} shape="form" />
    </Page>
  )
}

/** The reason and a retry button are in the notices above. */
function AccountUnavailable() {
  return (
    <Page title={t`Account Settings`}>
      <EmptyState icon="offline" title={t`The account cannot be shown right now`}>
        <p>{t`Its settings appear here when the account server can be reached again.`}</p>
      </EmptyState>
    </Page>
  )
}

/** Leads a link to an account page away to the machines, and asks to sign in; the shell then leads back here. */
function SignInFirst({ tab }: { readonly tab: string }) {
  const { signIn } = useSystem()
  useEffect(() => signIn.send({ type: 'signIn.open' }), [signIn])
  return <Navigate to="/machines" replace state={{ [AFTER_SIGN_IN]: `/account/${tab}` }} />
}

/** A busy page takes so long to show the machines. */
const LEAVING_FRAMES = 60

/** Leads to the machines; the focused button is gone with the account. */
function SignedOut() {
  useEffect(() => focusContentSoon(LEAVING_FRAMES), [])
  return <Navigate to="/machines" replace />
}

/** The signed-in account; asks to sign in when a link leads here, and redirects after sign-out. */
export function AccountScreen() {
  const { account } = useSystem()
  const { tab } = useParams()
  const shown = tabs.find(candidate => candidate === tab)
  const isLoading = useSelector(account, isAccountLoading)
  const isUnreachable = useSelector(account, isAccountUnreachable)
  const signedIn = useSelector(account, snapshot => snapshot.hasTag('signedIn'))
  // Signing out on this page redirects; without an account, only a link leads here.
  const [wasSignedIn, setWasSignedIn] = useState(signedIn)
  if (signedIn && !wasSignedIn) setWasSignedIn(true)
  const settings = useSelector(account, selectSettings)
  const draft = settings === undefined ? undefined : selectAccountDraft(settings.getSnapshot())
  if (isLoading) return <LoadingAccount />
  if (isUnreachable) return <AccountUnavailable />
  if (!signedIn) return wasSignedIn ? <SignedOut /> : <SignInFirst tab={shown ?? 'settings'} />
  if (settings === undefined || draft === undefined) return <LoadingAccount />
  if (shown === undefined) return <Navigate to="/account/settings" replace />
  return <Settings key={draft.sessionId} settings={settings} draft={draft} tab={shown} />
}
