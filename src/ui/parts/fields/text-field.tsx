import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input, Label, Text, TextField as AriaTextField } from 'react-aria-components/TextField'
import { classNames } from '../class-names.ts'
import styles from './field.module.css'

export type TextFieldProps = {
  readonly label: string
  /** What the field is can be seen from what stands beside it. */
  readonly isLabelHidden?: boolean
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onLeave?: () => void
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number'
  /** Of a number, which is whole and not below 0. */
  readonly maximum?: number
  readonly name?: string
  readonly autoComplete?: HTMLInputAutoCompleteAttribute
  readonly inputMode?: 'text' | 'numeric' | 'email' | 'url'
  readonly placeholder?: string
  readonly description?: ReactNode
  /** What is wrong with the value; the field is marked as wrong while there is something. */
  readonly error?: string | undefined
  readonly isRequired?: boolean
  readonly isReadOnly?: boolean
  readonly isDisabled?: boolean
  readonly autoFocus?: boolean
  readonly isCode?: boolean
  /** It is hidden, but nobody’s password: browsers and password managers are neither to fill it in nor to keep it. */
  readonly isNoPassword?: boolean
  /** A help balloon beside the label. */
  readonly help?: ReactNode
  /** Buttons inside the field's frame. */
  readonly buttons?: ReactNode
}

// 'off' alone does not keep browsers from filling in the account's passphrase.
const noPassword = {
  autoComplete: 'new-password',
  'data-1p-ignore': true,
  'data-bwignore': true,
  'data-lpignore': true,
} as const

/** One line of text with its label, its help, and what is wrong with it. */
export const TextField = (props: TextFieldProps) => {
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
        <Label className={styles['label'] ?? ''}>{label}</Label>
        {help}
      </span>
      <span className={styles['frame']}>
        <Input
          className={classNames(styles['input'], isCode && styles['code'])}
          {...(placeholder === undefined ? {} : { placeholder })}
          {...(isNoPassword ? noPassword : {})}
          {...(maximum === undefined ? {} : { min: 0, max: maximum, step: 1 })}
        />
        {buttons}
      </span>
      {description === undefined ? undefined : (
        <Text slot="description" className={styles['description'] ?? ''}>
          {description}
        </Text>
      )}
      <FieldError className={styles['error'] ?? ''}>{error}</FieldError>
    </AriaTextField>
  )
}
