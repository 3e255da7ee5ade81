// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Button, IconButton } from './button.tsx'
// Loaded with the first tooltip.
import '../overlays/tooltip-popup.tsx'

afterEach(cleanup)

function press(element: HTMLElement): void {
  element.focus()
  fireEvent.click(element)
}

describe('a blocked button', () => {
  it('stays focusable and shows the reason [13.7]', async () => {
    const onPress = vi.fn()
    render(
      <Button onPress={onPress} blockedBecause="The machine is not connected.">
        Fold
      </Button>,
    )
    const button = screen.getByRole('button', { name: 'Fold' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(button.hasAttribute('disabled')).toBe(false)
    expect(button.tabIndex).toBe(0)
    press(button)
    expect((await screen.findByRole('tooltip', {}, { timeout: 10_000 })).textContent).toBe(
      'The machine is not connected.',
    )
    expect(onPress).not.toHaveBeenCalled()
  })

  it('keeps its element and focus when it is unblocked', () => {
    const onPress = vi.fn()
    const { rerender } = render(<IconButton icon="do-fold" label="Fold" onPress={onPress} blockedBecause="Not now." />)
    const button = screen.getByRole('button', { name: 'Fold' })
    button.focus()
    rerender(<IconButton icon="do-fold" label="Fold" onPress={onPress} />)
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Fold' }))
    press(button)
    expect(onPress).toHaveBeenCalledTimes(1)
  })

  it('does not submit a form', () => {
    render(
      <Button type="submit" blockedBecause="Not now.">
        Save
      </Button>,
    )
    expect(screen.getByRole('button', { name: 'Save' }).getAttribute('type')).toBe('button')
  })
})

describe('a pending button', () => {
  it('ignores further presses', () => {
    const onPress = vi.fn()
    render(
      <Button isPending onPress={onPress}>
        Logging in…
      </Button>,
    )
    press(screen.getByRole('button', { name: 'Logging in…' }))
    expect(onPress).not.toHaveBeenCalled()
  })
})
