// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Link, MemoryRouter, Navigate, Outlet, Route, Routes } from 'react-router-dom'
import { afterEach, expect, it } from 'vitest'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'

afterEach(cleanup)

function Frame() {
  useFocusOnNavigation()
  return (
    <>
      <Link to="/log">Menu</Link>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}

function Fleet() {
  return (
    <>
      <h1 tabIndex={-1}>Machines</h1>
      <Link to="/log">Log</Link>
      <Link to="/loading">Settings</Link>
    </>
  )
}

function open(path = '/'): void {
  render(
    <MemoryRouter initialEntries={[path]}>
      <Routes>
        <Route element={<Frame />}>
          <Route path="/" element={<Fleet />} />
          <Route path="/log" element={<h1 tabIndex={-1}>Log</h1>} />
          <Route path="/old" element={<Navigate to="/" replace />} />
          <Route path="/loading" element={<p>Loading…</p>} />
        </Route>
      </Routes>
    </MemoryRouter>,
  )
}

async function follow(name: string): Promise<void> {
  const link = await screen.findByRole('link', { name })
  link.focus()
  fireEvent.click(link)
}

it('focuses the heading of the new screen when the focused element was removed', async () => {
  open()
  await follow('Log')
  const heading = await screen.findByRole('heading', { name: 'Log' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
})

it('focuses the main element while the screen has no heading', async () => {
  open()
  await follow('Settings')
  await screen.findByText('Loading…')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})

it('keeps a focused element that still exists, and does nothing at the start', async () => {
  open()
  await screen.findByRole('heading', { name: 'Machines' })
  expect(document.activeElement).toBe(document.body)
  await follow('Menu')
  await screen.findByRole('heading', { name: 'Log' })
  expect(document.activeElement?.textContent).toBe('Menu')
})

it('does nothing when the first address leads on to another one', async () => {
  open('/old')
  await screen.findByRole('heading', { name: 'Machines' })
  expect(document.activeElement).toBe(document.body)
})
