// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { PasswordField } from './password-field.tsx'

it('excludes masked fields that are not passwords from password managers, and does not copy empty values', () => {
  render(
    <PasswordField
      label="Passkey"
      value=""
      onChange={() => undefined}
      onCopy={() => undefined}
      autoComplete="off"
      isNoPassword
    />,
  )
  const attributes = screen.getByLabelText('Passkey').getAttributeNames()
  expect(attributes).toEqual(expect.arrayContaining(['data-1p-ignore', 'data-bwignore', 'data-lpignore']))
  expect(screen.getByRole('button', { name: 'Copy passkey' }).getAttribute('aria-disabled')).toBe('true')
})
