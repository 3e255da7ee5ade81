import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom'
import { ErrorBoundary } from '../parts/feedback/error-boundary.tsx'
import { lazyComponent, lazyDialog, OpeningIndicator } from '../parts/feedback/lazy-component.tsx'
import { useIdle } from '../hooks/use-idle.ts'
import { useConnectionDialogs } from '../hooks/use-connection-dialogs.ts'
import { useReturnAfterSignIn } from '../hooks/use-return-after-sign-in.ts'
import { useJournal, usePlayer } from '../journal/journal-context.ts'
import { DialogHost } from '../dialogs/dialog-host.tsx'
import { InspectorHost } from '../inspector/inspector-host.tsx'
import { repeatPress } from './early-press.ts'
import { Header } from './header.tsx'
import styles from './shell.module.css'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { useLateScroll } from './use-late-scroll.ts'
import { useShortcuts } from './use-shortcuts.ts'

const ShortcutsDialog = lazyDialog(
  () => import('../dialogs/shortcuts-dialog.tsx').then(m => m.ShortcutsDialog),
  t`The list of keyboard shortcuts`,
)
const CommandsDialog = lazyDialog(
  () => import('../dialogs/commands-dialog.tsx').then(m => m.CommandsDialog),
  t`The list of commands`,
)
const Wall = lazyDialog(() => import('../wall/wall.tsx').then(m => m.Wall), t`The dialog`)
const Notices = lazyComponent(() => import('../later.ts').then(m => m.Notices), t`The notice`)
const ReplayBar = lazyDialog(() => import('../journal/replay-bar.tsx').then(m => m.ReplayBar), t`The recording`)

function focusFilter(): void {
  return document.querySelector<HTMLElement>('[data-filter] input')?.focus()
}

/** The frame around all screens. */
export function Shell() {
  const { connect } = useConnectionDialogs()
  const journal = useJournal()
  const player = usePlayer()
  const { pathname } = useLocation()
  const isLoading = useNavigation().state === 'loading'
  const isIdle = useIdle()
  const [showsShortcuts, setShowsShortcuts] = useState(false)
  const [inspects, setInspects] = useState(false)
  const [finds, setFinds] = useState(false)
  const [showsWall, setShowsWall] = useState(false)
  const menu = {
    onFind: () => setFinds(true),
    onShowShortcuts: () => setShowsShortcuts(true),
    onInspect: () => setInspects(true),
    onShowWall: () => setShowsWall(true),
  }
  const stopFinding = (): void => setFinds(false)
  useFocusOnNavigation()
  useLateScroll()
  useEffect(repeatPress, [])
  useReturnAfterSignIn()
  useShortcuts(name => {
    if (name === 'inspect') setInspects(!inspects)
    if (name === 'connect') connect()
    if (name === 'commands') menu.onFind()
    if (name === 'list') menu.onShowShortcuts()
    if (name === 'filter') focusFilter()
    if (name === 'wall') menu.onShowWall()
  })
  return (
    <>
      <a href="#main" className={styles['skip']}>
        {t`Skip to the content`}
      </a>
      <Header {...menu} />
      <main id="main" tabIndex={-1} className={styles['main']} {...(player === undefined ? {} : { 'data-replay': '' })}>
        {isIdle ? <Notices onFind={menu.onFind} /> : undefined}
        <ErrorBoundary
          what={t`This screen`}
          resetKey={pathname}
          {...(journal === undefined ? {} : { onError: journal.recordError })}
        >
          <Outlet />
        </ErrorBoundary>
      </main>
      <ScrollRestoration getKey={({ key, pathname }) => pathname + key} />
      {isLoading ? <OpeningIndicator /> : undefined}
      <DialogHost />
      <InspectorHost isOpen={inspects} onClose={() => setInspects(false)} />
      {player === undefined || journal === undefined ? undefined : (
        <ReplayBar player={player} onClose={journal.close} onUnavailable={journal.close} />
      )}
      {showsWall ? <Wall onLeave={() => setShowsWall(false)} onUnavailable={() => setShowsWall(false)} /> : undefined}
      {finds ? (
        <CommandsDialog
          onShowShortcuts={menu.onShowShortcuts}
          onInspect={menu.onInspect}
          onShowWall={menu.onShowWall}
          onLeave={stopFinding}
          onUnavailable={stopFinding}
        />
      ) : undefined}
      {showsShortcuts ? (
        <ShortcutsDialog onLeave={() => setShowsShortcuts(false)} onUnavailable={() => setShowsShortcuts(false)} />
      ) : undefined}
    </>
  )
}
