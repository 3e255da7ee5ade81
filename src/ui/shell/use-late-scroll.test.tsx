// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, Outlet, RouterProvider, ScrollRestoration } from 'react-router-dom'
import { afterEach, expect, it, vi } from 'vitest'
import { useLateScroll } from './use-late-scroll.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function Frame() {
  useLateScroll()
  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  )
}

/** A person has come back to a list that they had scrolled to 900, and that is 300 high by now. */
async function goBack() {
  let height = 2000
  let resized = (): void => undefined
  vi.stubGlobal('innerHeight', 500)
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockImplementation(() => height)
  vi.spyOn(window, 'scrollTo').mockImplementation((_: unknown, to?: number) => {
    window.scrollY = Math.max(0, Math.min(to ?? 0, height - window.innerHeight))
  })
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        resized = callback
      }
      observe(): void {}
      disconnect(): void {
        resized = () => undefined
      }
    },
  )
  const children = [
    { path: '/', element: <h1>List</h1> },
    { path: '/news', element: <h1>News</h1> },
  ]
  const router = createMemoryRouter([{ Component: Frame, children }])
  render(<RouterProvider router={router} />)
  window.scrollTo(0, 900)
  await act(() => router.navigate('/news'))
  height = 300
  await act(() => router.navigate(-1))
  expect(screen.getByRole('heading').textContent).toBe('List')
  return {
    grow: (to: number): void => {
      height = to
      resized()
    },
  }
}

it('scrolls on while the page gets longer, until the place is reached', async () => {
  const { grow } = await goBack()
  grow(900)
  expect(window.scrollY).toBe(400)
  grow(2000)
  expect(window.scrollY).toBe(900)
  window.scrollTo(0, 100)
  grow(3000)
  expect(window.scrollY).toBe(100)
})

it('leaves the page where the reader scrolls', async () => {
  const { grow } = await goBack()
  fireEvent.wheel(window)
  grow(2000)
  expect(window.scrollY).toBe(0)
})
