// @vitest-environment jsdom
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createNavigation } from './navigation/navigation.ts'
import { NavigationProvider, Screen } from './navigation/navigation-context.tsx'
import { routes } from './routes.tsx'
import { SystemContext } from './hooks/system-context.ts'
import { polyfillJsdom, startTestSystem } from './testing/test-system.tsx'

afterEach(cleanup)

const open = (path: string): void => {
  polyfillJsdom()
  vi.spyOn(window, 'scrollTo').mockReturnValue()
  history.replaceState(null, '', path)
  const navigation = createNavigation({ window, routes, onStart: () => undefined })
  render(
    <I18nProvider i18n={i18n}>
      <SystemContext value={startTestSystem().system}>
        <NavigationProvider navigation={navigation} renderError={String}>
          <Screen />
        </NavigationProvider>
      </SystemContext>
    </I18nProvider>,
  )
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
    ['/projects', 'Projects'],
    ['/attention', 'Attention'],
    ['/schedules', 'Schedules'],
    ['/news', 'News'],
    ['/unit/abc', 'Work Unit Details'],
    ['/abc/log?q=WU1', 'Log'],
    ['/__direct__/details', 'Details'],
  ])('%s shows the screen %s', async (path, title) => {
    open(path)
    expect(await heading()).toBe(title)
    expect(location.pathname + location.search).toBe(path)
  })

  it.each([
    ['/', '/machines'],
    ['/?filter=lab', '/machines?filter=lab'],
    ['/abc', '/machines'],
    ['/abc/nothing', '/machines'],
    ['/abc/view', '/machines'],
    ['/a/b/c/d', '/machines'],
  ])('%s redirects to %s', async (path, target) => {
    open(path)
    expect(await heading()).toBe('Machines')
    expect(location.pathname + location.search).toBe(target)
  })
})
