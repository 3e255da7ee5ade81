// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { DraftEmitted } from '../../machines/shared/draft/draft.events.ts'
import { createNavigation } from '../navigation/navigation.ts'
import { NavigationProvider, Screen } from '../navigation/navigation-context.tsx'
import { useLeaveGuard } from './use-leave-guard.ts'

vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined)
afterEach(cleanup)

/** A draft that answers when it is asked to be left, and a page that still takes it for modified. */
const leaveWhileDraft = async (answer: DraftEmitted['type']): Promise<string> => {
  const handlers = new Map<DraftEmitted['type'], () => void>()
  const draft = {
    send: () => handlers.get(answer)?.(),
    on: (type: DraftEmitted['type'], handler: () => void) => {
      handlers.set(type, handler)
      return { unsubscribe: () => void handlers.delete(type) }
    },
  }
  const Form = () => {
    useLeaveGuard(draft, true, path => path === '/form')
    return null
  }
  history.replaceState(null, '', '/form')
  const routes = [
    { path: '/form', Component: Form },
    { path: '/news', Component: () => null },
  ]
  const navigation = createNavigation({ window, routes, onStart: () => undefined })
  render(
    <NavigationProvider navigation={navigation} renderError={String}>
      <Screen />
    </NavigationProvider>,
  )
  await act(() => Promise.resolve().then(() => navigation.navigator.push('/news')))
  return window.location.pathname
}

test('leads away from a draft that is left at once', async () => {
  expect(await leaveWhileDraft('draft.left')).toBe('/news')
})

test('stays with a draft that is kept', async () => {
  expect(await leaveWhileDraft('draft.stayed')).toBe('/form')
})
