import './styles/index.css'
import { useState } from 'react'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import type { System } from '../machines/app/system.types.ts'
import { JournalContext, useShownSystem, type Journal } from './journal/journal-context.ts'
import { routes } from './routes.tsx'
import { seekHistory } from './seek-history.ts'
import { SystemContext } from './system-context.ts'

/** The whole of what is on the screen. */
export const App = ({ system, journal }: { system: System; journal: Journal | undefined }) => {
  const [router] = useState(() => {
    const made = createBrowserRouter(routes)
    made.subscribe(seekHistory(() => journal?.system() ?? system))
    return made
  })
  const shown = useShownSystem(journal, system)
  return (
    <JournalContext value={journal}>
      <SystemContext value={shown}>
        <RouterProvider router={router} />
      </SystemContext>
    </JournalContext>
  )
}
