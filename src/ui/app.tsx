import './styles/index.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { useMemo, useState } from 'react'
import { useSelector } from '@xstate/react'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { selectFailures } from '../machines/app/app/app.selectors.ts'
import { systemOf } from '../machines/app/system.ts'
import type { System } from '../machines/app/system.ts'
import type { Way } from './prefetch/prefetch-code.ts'
import { JournalContext, useShownSystem, type Journal } from './journal/journal-context.ts'
import { routes } from './routes.tsx'
import { PictureOriginsContext, SystemContext } from './hooks/system-context.ts'

type Props = {
  readonly system: System
  readonly journal: Journal | undefined
  /** Hears where somebody goes while the screen there is being made. */
  readonly onWay: (way: Way) => void
  /** Servers whose pictures may be loaded in texts. */
  readonly pictureOrigins: readonly string[]
}

/** The whole of what is on the screen. */
export const App = ({ system, journal, onWay, pictureOrigins }: Props) => {
  const [router] = useState(() => {
    const made = createBrowserRouter(routes)
    made.subscribe(({ location, navigation }) =>
      onWay({ path: (navigation.location ?? location).pathname, isTaken: true }),
    )
    return made
  })
  const { app } = useShownSystem(journal, system)
  const failures = useSelector(app, selectFailures)
  // Another object for every part that was started again, so that screens ask the new one.
  const shown = useMemo(() => ({ failures, system: systemOf(app) }), [app, failures]).system
  return (
    <I18nProvider i18n={i18n}>
      <JournalContext value={journal}>
        <SystemContext value={shown}>
          <PictureOriginsContext value={pictureOrigins}>
            <RouterProvider router={router} />
          </PictureOriginsContext>
        </SystemContext>
      </JournalContext>
    </I18nProvider>
  )
}
