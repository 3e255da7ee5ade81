import { useSelector } from '@xstate/react'
import { lazy, Suspense } from 'react'
import { selectPassphraseDialog, selectSettings } from '../../machines/account/account/account.selectors.ts'
import type { PassphraseRef } from '../../machines/account/passphrase/passphrase.machine.ts'
import { isPassphraseAsked } from '../../machines/account/passphrase/passphrase.selectors.ts'
import type { SettingsRef } from '../../machines/account/settings/settings.machine.ts'
import { selectTeams } from '../../machines/account/settings/settings.selectors.ts'
import { isSignInOpen } from '../../machines/account/sign-in/sign-in.selectors.ts'
import type { TeamsRef } from '../../machines/account/teams/teams.machine.ts'
import { isTeamDialogOpen } from '../../machines/account/teams/teams.selectors.ts'
import { isConnectOpen } from '../../machines/screens/connect/connect.selectors.ts'
import { selectDialog } from '../../machines/screens/dialogs/dialogs.selectors.ts'
import { useSystem } from '../system-context.ts'
import styles from './dialog-host.module.css'

const SignInDialog = lazy(async () => ({ default: (await import('./sign-in/sign-in-dialog.tsx')).SignInDialog }))
const ConnectDialog = lazy(async () => ({ default: (await import('./connect-dialog.tsx')).ConnectDialog }))
const MessageDialog = lazy(async () => ({ default: (await import('./message-dialog.tsx')).MessageDialog }))
const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))
const AwardDialog = lazy(async () => ({ default: (await import('./award-dialog.tsx')).AwardDialog }))
const PassphraseDialog = lazy(async () => ({ default: (await import('./passphrase-dialog.tsx')).PassphraseDialog }))
const PauseDialog = lazy(async () => ({ default: (await import('./pause-dialog.tsx')).PauseDialog }))

const TeamDialog = lazy(async () => ({ default: (await import('./team-dialog.tsx')).TeamDialog }))

const TeamOf = ({ teams }: { readonly teams: TeamsRef }) =>
  useSelector(teams, isTeamDialogOpen) ? <TeamDialog teams={teams} /> : null

/** A team's dialog belongs to the account that owns the team. */
const OwnedTeam = ({ settings }: { readonly settings: SettingsRef }) => {
  const teams = useSelector(settings, selectTeams)
  return teams === undefined ? null : <TeamOf teams={teams} />
}

const Passphrase = ({ dialog }: { readonly dialog: PassphraseRef }) =>
  useSelector(dialog, isPassphraseAsked) ? <PassphraseDialog dialog={dialog} /> : null

const Asked = () => {
  const dialog = useSelector(useSystem().dialogs, selectDialog)
  switch (dialog?.kind) {
    case undefined:
      return null
    case 'message':
      return <MessageDialog dialog={dialog} />
    case 'confirm':
      return <ConfirmDialog key={dialog.id} dialog={dialog} />
    case 'pause':
      return <PauseDialog key={dialog.id} dialog={dialog} />
    case 'award':
      return <AwardDialog key={dialog.id} dialog={dialog} />
  }
}

/** Shown only when the code of a dialog takes long enough to be noticed. It keeps nobody from using the page. */
const Opening = () => (
  <p role="status" className={styles['opening']}>
    Loading…
  </p>
)

/** Whatever the system asks or tells. Each dialog is loaded when it is first needed. */
export const DialogHost = () => {
  const { signIn, connect, account } = useSystem()
  const settings = useSelector(account, selectSettings)
  const passphrase = useSelector(account, selectPassphraseDialog)
  const showsLogin = useSelector(signIn, isSignInOpen)
  const showsConnect = useSelector(connect, isConnectOpen)
  return (
    <Suspense fallback={<Opening />}>
      {showsLogin ? <SignInDialog /> : undefined}
      {showsConnect ? <ConnectDialog /> : undefined}
      {settings === undefined ? undefined : <OwnedTeam settings={settings} />}
      {passphrase === undefined ? undefined : <Passphrase dialog={passphrase} />}
      <Asked />
    </Suspense>
  )
}
