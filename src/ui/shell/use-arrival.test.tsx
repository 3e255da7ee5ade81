// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router-dom'
import { afterEach, expect, it } from 'vitest'
import { useArrival } from './use-arrival.ts'

afterEach(cleanup)

const Frame = () => {
  useArrival()
  return (
    <>
      <Link to="/log">Menu</Link>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}

const Fleet = () => (
  <>
    <h1 tabIndex={-1}>Machines</h1>
    <Link to="/log">Log</Link>
    <Link to="/coming">Settings</Link>
  </>
)

const open = (): void => {
  const children = [
    { path: '/', Component: Fleet },
    { path: '/log', element: <h1 tabIndex={-1}>Log</h1> },
    { path: '/coming', element: <p>Loading…</p> },
  ]
  render(<RouterProvider router={createMemoryRouter([{ Component: Frame, children }])} />)
}

const follow = async (name: string): Promise<void> => {
  const link = await screen.findByRole('link', { name })
  link.focus()
  fireEvent.click(link)
}

it('gives the focus of what is gone to the heading of the screen that came', async () => {
  open()
  await follow('Log')
  expect(await screen.findByRole('heading', { name: 'Log' })).toBe(document.activeElement)
})

it('gives it to the beginning of a screen that has no heading yet', async () => {
  open()
  await follow('Settings')
  await screen.findByText('Loading…')
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

it('leaves it where it still is, and takes none at the start', async () => {
  open()
  await screen.findByRole('heading', { name: 'Machines' })
  expect(document.activeElement).toBe(document.body)
  await follow('Menu')
  await screen.findByRole('heading', { name: 'Log' })
  expect(document.activeElement?.textContent).toBe('Menu')
})
