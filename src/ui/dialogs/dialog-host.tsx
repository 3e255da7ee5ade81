import { t } from '@lingui/core/macro'
import { useBulk } from '../hooks/use-bulk.ts'
import { useSelector } from '../hooks/use-selector.ts'
import { selectPassphraseDialog, selectSettings } from '../../machines/account/account/account.selectors.ts'
import type { PassphraseRef } from '../../machines/account/passphrase/passphrase.machine.ts'
import type { SettingsRef } from '../../machines/account/settings/settings.machine.ts'
import { selectTeams } from '../../machines/account/settings/settings.selectors.ts'
import type { TeamsRef } from '../../machines/account/teams/teams.machine.ts'
import type { PartName } from '../../machines/app/app.parts.ts'
import { isPartAwaited, isPartThere, selectPartFault } from '../../machines/app/app.selectors.ts'
import { isBulkOpen } from '../../machines/fleet/bulk/bulk.selectors.ts'
import { selectDialog } from '../../machines/shared/dialogs/dialogs.selectors.ts'
import { ErrorBoundary } from '../parts/feedback/error-boundary.tsx'
import { lazyDialog, LoadFailureDialog, OpeningIndicator } from '../parts/feedback/lazy-component.tsx'
import { useSystem } from '../hooks/system-context.ts'

const SignInDialog = lazyDialog(() => import('./sign-in/sign-in-dialog.tsx').then(m => m.SignInDialog), t`The login`)
const ConnectDialog = lazyDialog(() => import('./connect-dialog.tsx').then(m => m.ConnectDialog), t`The dialog`)
const DirectClientsDialog = lazyDialog(
  () => import('./direct-clients/direct-clients-dialog.tsx').then(m => m.DirectClientsDialog),
  t`The list of direct clients`,
)
const ConnectionCheckDialog = lazyDialog(
  () => import('./connection-check-dialog.tsx').then(m => m.ConnectionCheckDialog),
  t`The connection check`,
)
const BulkDialog = lazyDialog(
  () => import('../screens/machines/selection/bulk-dialog.tsx').then(m => m.BulkDialog),
  t`The preview of the action`,
)
const MessageDialog = lazyDialog(() => import('./message-dialog.tsx').then(m => m.MessageDialog), t`The message`)
const ConfirmDialog = lazyDialog(() => import('./confirm-dialog.tsx').then(m => m.ConfirmDialog), t`The question`)
const AwardDialog = lazyDialog(() => import('./award-dialog.tsx').then(m => m.AwardDialog), t`The award`)
const PassphraseDialog = lazyDialog(
  () => import('./passphrase-dialog.tsx').then(m => m.PassphraseDialog),
  t`The dialog`,
)
const PauseDialog = lazyDialog(() => import('./pause-dialog.tsx').then(m => m.PauseDialog), t`The question`)

const TagsDialog = lazyDialog(() => import('./fleet/tags-dialog.tsx').then(m => m.TagsDialog), t`The tags`)
const ViewsDialog = lazyDialog(() => import('./fleet/views-dialog.tsx').then(m => m.ViewsDialog), t`The list of views`)
const TeamDialog = lazyDialog(() => import('./team-dialog.tsx').then(m => m.TeamDialog), t`The team`)

type LatePartProps = { readonly part: PartName; readonly what: string }

/** Shown while an event waits for the code of a part, and when that code could not be loaded. */
function AwaitedPart({ part, what }: LatePartProps) {
  const { app } = useSystem()
  const isAwaited = useSelector(app, isPartAwaited(part))
  const fault = useSelector(app, selectPartFault(part))
  if (!isAwaited) return null
  if (fault === undefined) return <OpeningIndicator onCancel={() => app.send({ type: 'app.giveUp', part })} />
  return (
    <LoadFailureDialog
      what={what}
      fault={fault}
      isRetrying={false}
      onRetry={() => app.send({ type: 'app.want', part })}
      onClose={() => app.send({ type: 'app.giveUp', part })}
    />
  )
}

function TeamOf({ teams }: { readonly teams: TeamsRef }) {
  return useSelector(teams, snapshot => snapshot.hasTag('open')) ? (
    <TeamDialog teams={teams} onUnavailable={() => teams.send({ type: 'teams.cancel' })} />
  ) : null
}

function OwnedTeam({ settings }: { readonly settings: SettingsRef }) {
  const teams = useSelector(settings, selectTeams)
  return teams === undefined ? null : <TeamOf teams={teams} />
}

function Passphrase({ dialog }: { readonly dialog: PassphraseRef }) {
  return useSelector(dialog, snapshot => snapshot.hasTag('open')) ? (
    <PassphraseDialog dialog={dialog} onUnavailable={() => dialog.send({ type: 'passphrase.cancel' })} />
  ) : null
}

function QuestionDialog() {
  const { dialogs } = useSystem()
  const dialog = useSelector(dialogs, selectDialog)
  if (dialog === undefined) return null
  const answer = (button: string) => (): void => dialogs.send({ type: 'dialogs.answer', id: dialog.id, button })
  switch (dialog.kind) {
    case 'message':
      return <MessageDialog dialog={dialog} onUnavailable={answer('ok')} />
    case 'confirm':
      return <ConfirmDialog key={dialog.id} dialog={dialog} onUnavailable={answer(dialog.buttons[0].id)} />
    case 'pause':
      return <PauseDialog key={dialog.id} dialog={dialog} onUnavailable={answer('cancel')} />
    case 'tags':
      return <TagsDialog key={dialog.id} dialog={dialog} onUnavailable={answer('close')} />
    case 'award':
      return <AwardDialog key={dialog.id} dialog={dialog} onUnavailable={answer('close')} />
  }
}

function ConnectionDialogs() {
  const { connect, connectionCheck, directClients } = useSystem()
  const showsCheck = useSelector(connectionCheck, snapshot => snapshot.hasTag('open'))
  const showsConnect = useSelector(connect, snapshot => snapshot.hasTag('open'))
  const showsDirectClients = useSelector(directClients, snapshot => snapshot.hasTag('open'))
  return (
    <>
      {showsConnect ? <ConnectDialog onUnavailable={() => connect.send({ type: 'connect.cancel' })} /> : undefined}
      {showsDirectClients ? (
        <DirectClientsDialog onUnavailable={() => directClients.send({ type: 'directClients.close' })} />
      ) : undefined}
      {showsCheck ? (
        <ConnectionCheckDialog onUnavailable={() => connectionCheck.send({ type: 'check.close' })} />
      ) : undefined}
    </>
  )
}

/** Shows the dialogs that clients request. Each dialog's code is loaded when it is first opened. */
export function DialogHost() {
  const { app, signIn, account, views } = useSystem()
  const bulk = useBulk()
  const settings = useSelector(account, selectSettings)
  const passphrase = useSelector(account, selectPassphraseDialog)
  const showsLogin = useSelector(signIn, snapshot => snapshot.hasTag('open'))
  const showsViews = useSelector(views, snapshot => snapshot.hasTag('open'))
  const showsBulk = useSelector(bulk, snapshot => snapshot !== undefined && isBulkOpen(snapshot))
  const hasConnections = useSelector(app, isPartThere('connections'))
  return (
    <ErrorBoundary what={t`This dialog`}>
      <AwaitedPart part="account" what={t`The login`} />
      {showsLogin ? <SignInDialog onUnavailable={() => signIn.send({ type: 'signIn.cancel' })} /> : undefined}
      <AwaitedPart part="connections" what={t`The dialog`} />
      {hasConnections ? <ConnectionDialogs /> : undefined}
      {showsViews ? <ViewsDialog onUnavailable={() => views.send({ type: 'views.close' })} /> : undefined}
      <AwaitedPart part="bulk" what={t`The preview of the action`} />
      {showsBulk ? <BulkDialog onUnavailable={() => bulk?.send({ type: 'bulk.cancel' })} /> : undefined}
      {settings === undefined ? undefined : <OwnedTeam settings={settings} />}
      {passphrase === undefined ? undefined : <Passphrase dialog={passphrase} />}
      <QuestionDialog />
    </ErrorBoundary>
  )
}
