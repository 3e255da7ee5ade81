// @vitest-environment jsdom
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { screens } from './routes.tsx'
import { SystemContext } from './hooks/system-context.ts'
import { polyfillJsdom, startTestSystem } from '../../test/ui/test-system.tsx'

afterEach(cleanup)

/** Opens the address, and returns where it led. */
const open = (path: string) => {
  polyfillJsdom()
  const router = createMemoryRouter([...screens], { initialEntries: [path] })
  render(
    <I18nProvider i18n={i18n}>
      <SystemContext value={startTestSystem().system}>
        <RouterProvider router={router} />
      </SystemContext>
    </I18nProvider>,
  )
  return () => router.state.location.pathname + router.state.location.search
}

/** Of the screen itself, whose code is there. */
const heading = async (): Promise<string> => {
  await vi.waitFor(() => expect(document.querySelector('[class*=delayed]')).toBeNull(), { timeout: 20_000 })
  return (await screen.findByRole('heading', { level: 1 })).textContent
}

describe('the routes', () => {
  it.each([
    ['/machines', 'Machines'],
    ['/wus', 'Work Units'],
    ['/stats', 'Stats'],
    ['/stats/power', 'Power'],
    ['/projects', 'Projects'],
    ['/attention', 'Attention'],
    ['/schedules', 'Schedules'],
    ['/news', 'News'],
    ['/unit/abc', 'Work Unit Details'],
    ['/abc/log?q=WU1', 'Log'],
    ['/__direct__/details', 'Details'],
  ])('%s shows the screen %s', async (path, title) => {
    const address = open(path)
    expect(await heading()).toBe(title)
    expect(address()).toBe(path)
  })

  it.each([
    ['/', '/machines'],
    ['/?filter=lab', '/machines?filter=lab'],
    ['/abc', '/machines'],
    ['/abc/nothing', '/machines'],
    ['/abc/view', '/machines'],
    ['/a/b/c/d', '/machines'],
  ])('%s redirects to %s', async (path, target) => {
    const address = open(path)
    expect(await heading()).toBe('Machines')
    expect(address()).toBe(target)
  })
})
