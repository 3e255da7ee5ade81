import './styles/index.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { useMemo } from 'react'
import { useSelector } from './hooks/use-selector.ts'
import { RouterProvider, type DataRouter } from 'react-router-dom'
import { selectFailures } from '../machines/app/app.selectors.ts'
import { systemOf, type System } from '../machines/app/system.ts'
import { JournalContext, useShownSystem, type Journal } from './journal/journal-context.ts'
import { ServerContext, useServerOf } from './hooks/server-context.ts'
import { PictureOriginsContext, SystemContext } from './hooks/system-context.ts'

type Props = {
  readonly system: System
  readonly journal: Journal | undefined
  readonly router: DataRouter
  /** Origins from which images in HTML texts may be loaded. */
  readonly pictureOrigins: readonly string[]
}

export function App({ system, journal, router, pictureOrigins }: Props) {
  const live = useShownSystem(journal, system)
  const { app } = live
  const failures = useSelector(app, selectFailures)
  // A new object whenever a part of the system was restarted, so that screens use the new actors.
  const shown = useMemo(() => ({ failures, system: systemOf(app) }), [app, failures]).system
  const server = useServerOf(shown)
  return (
    <I18nProvider i18n={i18n}>
      <JournalContext value={journal}>
        <SystemContext value={shown}>
          <ServerContext value={server}>
            <PictureOriginsContext value={pictureOrigins}>
              <RouterProvider router={router} />
            </PictureOriginsContext>
          </ServerContext>
        </SystemContext>
      </JournalContext>
    </I18nProvider>
  )
}
