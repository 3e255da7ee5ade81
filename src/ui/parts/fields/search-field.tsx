import { t } from '@lingui/core/macro'
import { useRef, type ComponentProps, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { classNames } from '../class-names.ts'
import { Icon } from '../icons/icon.tsx'
import fieldStyles from './field.module.css'
import styles from './search-field.module.css'

type Props = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder: string
  /** Further attributes of the input, for a field with suggestions. A key that it handled is not handled here. */
  readonly input?: Omit<ComponentProps<'input'>, 'ref' | 'value' | 'onChange'> & {
    readonly ref: RefObject<HTMLInputElement | null>
  }
  /** Placed below the field, over what is there. */
  readonly children?: ReactNode
}

/** A search field. Escape clears it. Uses no React Aria component: the code of its forms is not in the first chunk. */
export function SearchField({ label, value, onChange, placeholder, input: more, children }: Props) {
  const ownRef = useRef<HTMLInputElement>(null)
  const input = more?.ref ?? ownRef
  const clear = (): void => {
    onChange('')
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    more?.onKeyDown?.(event)
    if (event.isDefaultPrevented()) return
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
          {...more}
          ref={input}
          // A search field may not have another role.
          type={more?.role === undefined ? 'search' : 'text'}
          aria-label={label}
          placeholder={placeholder}
          value={value}
          {...(value === '' ? {} : { dir: 'auto' })}
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
      {children}
    </div>
  )
}
