// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { PasswordField } from './password-field.tsx'

it('keeps what is hidden but nobody’s password from password managers, and what is empty from the clipboard', () => {
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
