import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input, Label, Text, TextField as AriaTextField } from 'react-aria-components/TextField'
import { classNames } from '../class-names.ts'
import styles from './field.module.css'

export type TextFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onLeave?: () => void
  readonly type?: 'text' | 'email' | 'password' | 'url'
  readonly name?: string
  readonly autoComplete?: HTMLInputAutoCompleteAttribute
  readonly inputMode?: 'text' | 'numeric' | 'email' | 'url'
  readonly placeholder?: string
  readonly description?: ReactNode
  /** What is wrong with the value; the field is marked as wrong while there is something. */
  readonly error?: string | undefined
  readonly isReadOnly?: boolean
  readonly isDisabled?: boolean
  readonly autoFocus?: boolean
  readonly isCode?: boolean
  /** A help balloon beside the label. */
  readonly help?: ReactNode
  /** Buttons inside the field's frame. */
  readonly buttons?: ReactNode
}

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
      <span className={styles['head']}>
        <Label className={styles['label'] ?? ''}>{label}</Label>
        {help}
      </span>
      <span className={styles['frame']}>
        <Input
          className={classNames(styles['input'], isCode && styles['code'])}
          {...(placeholder === undefined ? {} : { placeholder })}
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
