import { lazy, Suspense, useState } from 'react'
import { Outlet, ScrollRestoration } from 'react-router-dom'
import { ErrorBoundary } from '../parts/feedback/error-boundary.tsx'
import { useSystem } from '../system-context.ts'
import { useJournal, usePlayer } from '../journal/journal-context.ts'
import { DialogHost } from '../dialogs/dialog-host.tsx'
import { InspectorHost } from '../inspector/inspector-host.tsx'
import { Header } from './header.tsx'
import { Notices } from './notices.tsx'
import styles from './shell.module.css'
import { useArrival } from './use-arrival.ts'
import { useShortcuts } from './use-shortcuts.ts'

const ShortcutsDialog = lazy(async () => ({
  default: (await import('../dialogs/shortcuts-dialog.tsx')).ShortcutsDialog,
}))

const ReplayBar = lazy(async () => ({ default: (await import('../journal/replay-bar.tsx')).ReplayBar }))

const focusFilter = (): void => document.querySelector<HTMLElement>('[data-filter] input')?.focus()

/** What stays while screens come and go. */
export const Shell = () => {
  const { connect } = useSystem()
  const journal = useJournal()
  const player = usePlayer()
  const [showsShortcuts, setShowsShortcuts] = useState(false)
  const [inspects, setInspects] = useState(false)
  useArrival()
  useShortcuts(name => {
    if (name === 'inspect') setInspects(!inspects)
    if (name === 'connect') connect.send({ type: 'connect.ask' })
    if (name === 'list') setShowsShortcuts(true)
    if (name === 'filter') focusFilter()
  })
  return (
    <>
      <a href="#main" className={styles['skip']}>
        Skip to the content
      </a>
      <Header onShowShortcuts={() => setShowsShortcuts(true)} onInspect={() => setInspects(true)} />
      <main id="main" tabIndex={-1} className={styles['main']} {...(player === undefined ? {} : { 'data-replay': '' })}>
        <Notices />
        <ErrorBoundary what="This screen" {...(journal === undefined ? {} : { onError: journal.noteMistake })}>
          <Outlet />
        </ErrorBoundary>
      </main>
      <DialogHost />
      <InspectorHost isOpen={inspects} onClose={() => setInspects(false)} />
      {player === undefined || journal === undefined ? undefined : (
        <Suspense fallback={null}>
          <ReplayBar player={player} onClose={journal.close} />
        </Suspense>
      )}
      {showsShortcuts ? (
        <Suspense fallback={null}>
          <ShortcutsDialog onLeave={() => setShowsShortcuts(false)} />
        </Suspense>
      ) : undefined}
      <ScrollRestoration />
    </>
  )
}
