import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { useEffect, useState } from 'react'
import { Navigate, useNavigate, useParams } from 'react-router-dom'
import {
  isAccountLoading,
  isAccountUnreachable,
  isSignedIn,
  selectAccount,
  selectSettings,
} from '../../../machines/account/account/account.selectors.ts'
import type { AccountSnapshot } from '../../../machines/account/account/account.machine.ts'
import type { AccountDraftRef, SettingsRef } from '../../../machines/account/settings/settings.machine.ts'
import { selectAccountDraft } from '../../../machines/account/settings/settings.selectors.ts'
import { isModified } from '../../../machines/shared/draft/draft.selectors.ts'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { Button } from '../../parts/actions/button.tsx'
import { Tabs } from '../../parts/actions/tabs.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useLeaveGuard } from '../../hooks/use-leave-guard.ts'
import { DraftActions, DraftSubtitle } from '../draft-actions.tsx'
import { Page } from '../page.tsx'
import { AppearanceTab } from './appearance-tab.tsx'
import { Conflicts } from './conflicts.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { TeamsTab } from './teams-tab.tsx'

const tabs: readonly string[] = ['settings', 'appearance', 'teams']

const isAccountPath = (path: string): boolean => /^\/account(?:\/|$)/.test(path)

/** It shows the e-mail address, or else whom it folds for. */
const nameOfAccount = (snapshot: AccountSnapshot): string => {
  const { email, user } = selectAccount(snapshot) ?? {}
  return email ?? user ?? t`Anonymous`
}

type SettingsProps = { readonly settings: SettingsRef; readonly draft: AccountDraftRef; readonly tab: string }

const Settings = ({ settings, draft, tab }: SettingsProps) => {
  const navigate = useNavigate()
  const hasChanges = useSelector(draft, isModified)
  const name = useSelector(useSystem().account, nameOfAccount)
  useLeaveGuard(draft, hasChanges, isAccountPath)
  return (
    <Page
      title={t`Account Settings`}
      subtitle={<DraftSubtitle draft={draft}>{name}</DraftSubtitle>}
      keepsActions
      actions={<DraftActions draft={draft} />}
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

const Coming = () => (
  <Page title={t`Account Settings`}>
    <Skeleton label={t`Loading the account…`} rows={8} />
  </Page>
)

/** Why, and what can be done about it, stands above on every screen. */
const Lost = () => (
  <Page title={t`Account Settings`}>
    <EmptyState icon="offline" title={t`The account cannot be shown now`}>
      <p>{t`Its settings appear here as soon as the account server can be reached.`}</p>
    </EmptyState>
  </Page>
)

/** A link to an account page, opened by somebody who is not signed in: it goes on there after sign-in. */
const SignInFirst = () => {
  const { signIn } = useSystem()
  useEffect(() => signIn.send({ type: 'signIn.open' }), [signIn])
  return (
    <Page title={t`Account Settings`}>
      <EmptyState
        icon="user"
        title={t`Sign in to see this page`}
        actions={
          <>
            <Button kind="primary" onPress={() => signIn.send({ type: 'signIn.open' })}>
              {t`Login`}
            </Button>
            <ButtonLink to="/machines">{t`Show the machines`}</ButtonLink>
          </>
        }
      >
        <p>{t`It belongs to an account. After you have signed in, it opens here.`}</p>
      </EmptyState>
    </Page>
  )
}

/** The account that is signed in. Closed to those who are not. */
export const AccountScreen = () => {
  const { account } = useSystem()
  const { tab } = useParams()
  const isLoading = useSelector(account, isAccountLoading)
  const isLost = useSelector(account, isAccountUnreachable)
  const isIn = useSelector(account, isSignedIn)
  // Whoever signs out here leaves; only a link leads here without an account.
  const [wasIn, setWasIn] = useState(isIn)
  if (isIn && !wasIn) setWasIn(true)
  const settings = useSelector(account, selectSettings)
  const draft = settings === undefined ? undefined : selectAccountDraft(settings.getSnapshot())
  if (isLoading) return <Coming />
  if (isLost) return <Lost />
  if (!isIn) return wasIn ? <Navigate to="/machines" replace /> : <SignInFirst />
  if (settings === undefined || draft === undefined) return <Coming />
  if (tab === undefined || !tabs.includes(tab)) return <Navigate to="/account/settings" replace />
  return <Settings key={draft.sessionId} settings={settings} draft={draft} tab={tab} />
}
