// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, expect, test } from 'vitest'
import type { DraftEmitted } from '../../machines/shared/draft/draft.events.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

afterEach(cleanup)

/** A draft that answers when it is asked to be left, and a page that still takes it for modified. */
async function leaveWhileDraft(answer: DraftEmitted['type']): Promise<string> {
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
  const routes = [
    { path: '/form', Component: Form },
    { path: '/news', element: null },
  ]
  const router = createMemoryRouter(routes, { initialEntries: ['/form'] })
  render(<RouterProvider router={router} />)
  await act(() => router.navigate('/news'))
  return router.state.location.pathname
}

test('leads away from a draft that is left at once', async () => {
  expect(await leaveWhileDraft('draft.left')).toBe('/news')
})

test('stays with a draft that is kept', async () => {
  expect(await leaveWhileDraft('draft.stayed')).toBe('/form')
})
