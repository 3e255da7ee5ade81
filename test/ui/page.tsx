import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { SystemContext } from '../../src/ui/hooks/system-context.ts'
import { routes, screens } from '../../src/ui/routes.tsx'
import { polyfillJsdom, type TestSystem } from './test-system.tsx'

/** Opens an address, with the frame of the page if that is wanted; returns where that led. */
export function openPage({ system }: TestSystem, path: string, hasFrame = false): () => string {
  polyfillJsdom()
  const router = createMemoryRouter(hasFrame ? routes : [...screens], { initialEntries: [path] })
  render(
    <I18nProvider i18n={i18n}>
      <SystemContext value={system}>
        <RouterProvider router={router} />
      </SystemContext>
    </I18nProvider>,
  )
  return () => router.state.location.pathname + router.state.location.search
}
