import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input, Label, Text, TextField as AriaTextField } from 'react-aria-components/TextField'
import { classNames } from '../class-names.ts'
import styles from './field.module.css'

export type TextFieldProps = {
  readonly label: string
  /** Hides the label visually, where the context makes the field clear. */
  readonly isLabelHidden?: boolean
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onLeave?: () => void
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'datetime-local'
  /** For whole numbers from 0. */
  readonly maximum?: number
  readonly name?: string
  readonly autoComplete?: HTMLInputAutoCompleteAttribute
  readonly inputMode?: 'text' | 'numeric' | 'email' | 'url'
  readonly placeholder?: string
  readonly description?: ReactNode
  /** Error message; the field is marked as invalid while there is one. */
  readonly error?: string | undefined
  readonly isRequired?: boolean
  readonly isReadOnly?: boolean
  readonly isDisabled?: boolean
  readonly autoFocus?: boolean
  readonly isCode?: boolean
  /** A masked field that is not a password: password managers should neither fill nor save it. */
  readonly isNoPassword?: boolean
  /** Help button beside the label. */
  readonly help?: ReactNode
  /** Buttons inside the field. */
  readonly buttons?: ReactNode
}

// Despite autocomplete 'off', browsers fill in the account's passphrase.
const noPassword = {
  autoComplete: 'new-password',
  'data-1p-ignore': true,
  'data-bwignore': true,
  'data-lpignore': true,
} as const

/** Addresses and keys are from left to right; other texts as they are typed. An empty field is as the page. */
function directionOf({ type = 'text', isCode = false, value }: TextFieldProps) {
  if (value === '') return {}
  return { dir: isCode || type !== 'text' ? 'ltr' : 'auto' }
}

/** A single-line text field with label, help and error message. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    value,
    onChange,
    onLeave,
    placeholder,
    description,
    error,
    help,
    buttons,
    isCode = false,
    isLabelHidden = false,
    maximum,
    isNoPassword = false,
    ...rest
  } = props
  return (
    <AriaTextField
      {...rest}
      {...(onLeave === undefined ? {} : { onBlur: onLeave })}
      className={styles['field'] ?? ''}
      value={value}
      onChange={onChange}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      spellCheck="false"
    >
      <span className={isLabelHidden ? 'visually-hidden' : styles['head']}>
        <Label className="type-3 medium">{label}</Label>
        {help}
      </span>
      <span className={styles['frame']}>
        <Input
          className={classNames(styles['input'], isCode && 'type-3 mono')}
          {...directionOf(props)}
          {...(placeholder === undefined ? {} : { placeholder })}
          {...(isNoPassword ? noPassword : {})}
          {...(maximum === undefined ? {} : { min: 0, max: maximum, step: 1 })}
        />
        {buttons}
      </span>
      {description === undefined ? undefined : (
        <Text slot="description" className="quiet type-2">
          {description}
        </Text>
      )}
      <FieldError className="color-failed type-2 medium">{error}</FieldError>
    </AriaTextField>
  )
}
