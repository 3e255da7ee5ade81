// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LoadError, type LoadFault } from '../../../folding/shared/load-fault.ts'
import { ErrorState } from './error-boundary.tsx'
import { lazyComponent, lazyDialog, lazyScreen } from './lazy-component.tsx'

afterEach(cleanup)

type Props = { readonly name: string }
function Greeting({ name }: Props) {
  return <p>Hello {name}</p>
}

/** Rejects like the loader itself, without its delays. */
function failing(...faults: readonly LoadFault[]) {
  const left = [...faults]
  return vi.fn(() => {
    const fault = left.shift()
    return fault === undefined ? Promise.resolve(Greeting) : Promise.reject(new LoadError(fault))
  })
}

function retry() {
  return screen.findByRole('button', { name: 'Try again' })
}

describe('lazyComponent', () => {
  it('renders the component', async () => {
    const Lazy = lazyComponent(failing(), 'The greeting')
    render(<Lazy name="Ada" />)
    expect(await screen.findByText('Hello Ada')).toBeTruthy()
  })

  it('shows an error in its place, and can be retried more than once', async () => {
    const Lazy = lazyComponent(failing('serverAway', 'serverAway'), 'The greeting')
    render(
      <>
        <p>The rest</p>
        <Lazy name="Ada" />
      </>,
    )
    expect((await screen.findByRole('alert')).textContent).toContain('The greeting cannot be shown right now')
    expect(screen.getByText('The rest')).toBeTruthy()
    fireEvent.click(await retry())
    fireEvent.click(await retry())
    expect(await screen.findByText('Hello Ada')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('suggests a reload for a new version', async () => {
    const Lazy = lazyComponent(failing('newVersion'), 'The greeting')
    render(<Lazy name="Ada" />)
    expect(await screen.findByRole('button', { name: 'Reload the page' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  it('renders at once after preloading', async () => {
    const load = failing()
    const Lazy = lazyComponent(load, 'The greeting')
    Lazy.preload()
    await vi.waitFor(() => expect(load).toHaveBeenCalled(), 20_000)
    await Promise.resolve()
    render(<Lazy name="Ada" />)
    expect(await screen.findByText('Hello Ada')).toBeTruthy()
    expect(load).toHaveBeenCalledTimes(1)
  })
})

describe('lazyDialog', () => {
  it('says that it is loading, and is given up by Escape meanwhile', () => {
    const Lazy = lazyDialog(() => new Promise<typeof Greeting>(() => undefined), 'The greeting')
    const onUnavailable = vi.fn()
    render(<Lazy name="Ada" onUnavailable={onUnavailable} />)
    expect(screen.getByRole('status').textContent).toBe('Loading…')
    fireEvent.keyDown(document, { key: 'a' })
    expect(onUnavailable).not.toHaveBeenCalled()
    fireEvent.keyDown(document, { key: 'Escape' })
    expect(onUnavailable).toHaveBeenCalledOnce()
  })

  it('shows an error dialog that can be closed', async () => {
    HTMLDialogElement.prototype.showModal = function showModal() {
      this.open = true
    }
    const onUnavailable = vi.fn()
    const Lazy = lazyDialog(failing('serverAway'), 'The greeting')
    render(<Lazy name="Ada" onUnavailable={onUnavailable} />)
    expect(await screen.findByRole('dialog', { name: 'The greeting cannot be shown right now' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(onUnavailable).toHaveBeenCalledTimes(1)
  })
})

describe('lazyScreen', () => {
  const open = (load: () => Promise<() => ReactNode>) =>
    lazyScreen(load, content => <section aria-label="Frame">{content}</section>, <p>Loading</p>)
  const loaded = () => <p>Hello</p>

  it('waits for its code, and shows its heading and that it is loading meanwhile [13.8]', async () => {
    const { lazy, HydrateFallback } = open(() => Promise.resolve(loaded))
    render(<HydrateFallback />)
    expect(screen.getByRole('region', { name: 'Frame' }).textContent).toBe('Loading')
    const { Component } = await lazy()
    cleanup()
    render(<Component />)
    expect(screen.getByText('Hello')).toBeTruthy()
  })

  it('shows what went wrong in its frame, without another attempt until a person asks for one [13.8]', async () => {
    let isAway = true
    const load = vi.fn(() => (isAway ? Promise.reject(new LoadError('serverAway')) : Promise.resolve(loaded)))
    const { lazy, handle } = open(load)
    handle.preload()
    const { Component } = await lazy()
    render(<Component />)
    expect(await screen.findByText(/This screen cannot be shown/u)).toBeTruthy()
    expect(screen.getByRole('region', { name: 'Frame' }).textContent).toContain('This screen cannot be shown')
    expect(load).toHaveBeenCalledTimes(1)
    isAway = false
    fireEvent.click(await retry())
    expect(await screen.findByText('Hello')).toBeTruthy()
  })
})

it('an error in place of a screen leads to its paragraph of the guide', () => {
  render(<ErrorState what="This screen" error={new Error('Nothing is there.')} actions={undefined} />)
  const help = screen.getByRole('link', { name: 'Help' })
  expect(help.getAttribute('href')).toBe('/help/when-something-is-wrong#the-page-itself-fails')
})
