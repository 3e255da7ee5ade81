import { t } from '@lingui/core/macro'
import { useRef, type KeyboardEvent } from 'react'
import { classNames } from '../class-names.ts'
import { Icon } from '../icons/icon.tsx'
import fieldStyles from './field.module.css'
import styles from './search-field.module.css'

type Props = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder: string
}

/** A search field. Escape clears it. Uses no React Aria component: the code of its forms is not in the first chunk. */
export const SearchField = ({ label, value, onChange, placeholder }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const clear = (): void => {
    onChange('')
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || value === '') return
    // Otherwise it would also close what the field is in.
    event.stopPropagation()
    event.preventDefault()
    clear()
  }
  return (
    <div className={styles['search']}>
      <span className={classNames(fieldStyles['frame'], styles['frame'])}>
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          aria-label={label}
          placeholder={placeholder}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={onKeyDown}
          className={classNames(fieldStyles['input'], styles['input'])}
        />
        {/* Not in the order of the Tab key: Escape does the same. */}
        {value === '' ? undefined : (
          <button type="button" tabIndex={-1} aria-label={t`Clear search`} onClick={clear} className={styles['clear']}>
            <Icon name="close" />
          </button>
        )}
      </span>
    </div>
  )
}
