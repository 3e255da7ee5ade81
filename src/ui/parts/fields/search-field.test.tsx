// @vitest-environment jsdom
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { SearchField } from './search-field.tsx'

afterEach(cleanup)

function Field({ onChange }: { readonly onChange: (value: string) => void }) {
  const [value, setValue] = useState('')
  return (
    <SearchField
      label="Find"
      placeholder="a name"
      value={value}
      onChange={next => {
        setValue(next)
        onChange(next)
      }}
    />
  )
}

function open() {
  const changes = vi.fn()
  const keys = vi.fn()
  render(
    <I18nProvider i18n={i18n}>
      <div onKeyDown={({ key }) => void keys(key)}>
        <Field onChange={changes} />
      </div>
    </I18nProvider>,
  )
  const field = screen.getByRole('searchbox', { name: 'Find' })
  return { changes, keys, field }
}

it('is cleared by Escape, which reaches the surroundings only when it is empty', () => {
  const { changes, keys, field } = open()
  fireEvent.change(field, { target: { value: 'lab' } })
  fireEvent.keyDown(field, { key: 'Escape' })
  expect({ changes: changes.mock.calls, keys: keys.mock.calls }).toEqual({ changes: [['lab'], ['']], keys: [] })
  fireEvent.keyDown(field, { key: 'Escape' })
  expect({ changes: changes.mock.calls.length, keys: keys.mock.calls }).toEqual({ changes: 2, keys: [['Escape']] })
})

it('is cleared by its button, which exists only when there is a text, and keeps the focus', () => {
  const { changes, field } = open()
  expect(screen.queryByRole('button', { name: 'Clear search' })).toBeNull()
  fireEvent.change(field, { target: { value: 'lab' } })
  fireEvent.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(changes.mock.lastCall).toEqual([''])
  expect(document.activeElement).toEqual(field)
})
