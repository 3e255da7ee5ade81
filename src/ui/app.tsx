import './styles/index.css'
import { useState } from 'react'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import type { System } from '../machines/app/system.types.ts'
import { routes } from './routes.tsx'
import { SystemContext } from './system-context.ts'

/** The whole of what is on the screen. */
export const App = ({ system }: { system: System }) => {
  const [router] = useState(() => createBrowserRouter(routes))
  return (
    <SystemContext value={system}>
      <RouterProvider router={router} />
    </SystemContext>
  )
}
