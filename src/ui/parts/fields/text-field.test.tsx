// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { TextField, type TextFieldProps } from './text-field.tsx'

afterEach(cleanup)

function directionOf(props: Partial<TextFieldProps>): string | null {
  cleanup()
  render(<TextField label="Field" value="" onChange={() => undefined} {...props} />)
  return screen.getByLabelText('Field').getAttribute('dir')
}

it('shows a text in its own direction, addresses and keys from left to right, and no text as the page', () => {
  expect(directionOf({ value: 'سلام' })).toBe('auto')
  expect(directionOf({ value: 'سلام', isCode: true })).toBe('ltr')
  expect(directionOf({ value: 'a@example.org', type: 'email' })).toBe('ltr')
  expect(directionOf({ value: 'secret', type: 'password' })).toBe('ltr')
  expect(directionOf({ isCode: true })).toBeNull()
})
