import { t } from '@lingui/core/macro'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useSystem } from '../../../hooks/system-context.ts'
import { SearchField } from '../../../parts/fields/search-field.tsx'
import { useFindCode } from './find-code.ts'

type Props = {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** No suggestion has the focus. */
const NONE = -1

/**
 * The query of the machines screen. A text field at first; what it suggests is loaded with the first focus. The input has
 * the keyboard's focus all the time, and names the suggestion that Enter would take.
 */
export function FindField({ value, onChange }: Props) {
  const system = useSystem()
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const [wasFocused, setWasFocused] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [cursor, setCursor] = useState(0)
  const [active, setActive] = useState(NONE)
  const code = useFindCode(wasFocused || value !== '')
  useEffect(() => (wasFocused ? code?.prepareFind(system) : undefined), [wasFocused, code, system])
  const found = isOpen && code !== undefined ? code.suggestionsFor(system, value, cursor) : undefined
  const items = found?.items ?? []

  const show = (at: number): void => {
    setCursor(at)
    setActive(NONE)
    setOpen(true)
  }
  const close = (): void => setOpen(false)
  const choose = (index: number): void => {
    const item = items[index]
    if (found === undefined || code === undefined || item === undefined) return
    const next = code.withSuggestion(value, found, item)
    onChange(next.text)
    show(next.cursor)
    if (item.isComplete) close()
    // The text changes synchronously, so the cursor can be set.
    input.current?.focus()
    input.current?.setSelectionRange(next.cursor, next.cursor)
  }
  const move = (step: number): void => {
    const places = items.length + 1
    setActive(now => ((now + 1 + step + places) % places) - 1)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { key, currentTarget } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (isOpen) move(key === 'ArrowDown' ? 1 : -1)
      else show(currentTarget.selectionStart ?? value.length)
    } else if (key === 'Enter') {
      event.preventDefault()
      if (isOpen && active !== NONE) choose(active)
      else close()
    } else if (key === 'Escape') {
      if (isOpen && value === '') event.preventDefault()
      close()
    }
  }

  return (
    <SearchField
      label={t`Find machines`}
      placeholder={t`Find machines`}
      value={value}
      onChange={text => {
        onChange(text)
        if (text === '') close()
        else show(input.current?.selectionStart ?? text.length)
      }}
      input={{
        ref: input,
        role: 'combobox',
        autoComplete: 'off',
        enterKeyHint: 'search',
        autoCapitalize: 'none',
        spellCheck: false,
        'aria-autocomplete': 'list',
        'aria-expanded': items.length > 0,
        ...(items.length > 0 ? { 'aria-controls': listId } : {}),
        ...(active === NONE || active >= items.length ? {} : { 'aria-activedescendant': `${listId}-${active}` }),
        onFocus: () => setWasFocused(true),
        onClick: ({ currentTarget }) => show(currentTarget.selectionStart ?? value.length),
        onBlur: close,
        onKeyDown,
      }}
    >
      {code === undefined || items.length === 0 ? undefined : (
        <code.SuggestionList id={listId} items={items} active={active} onChoose={choose} />
      )}
    </SearchField>
  )
}
