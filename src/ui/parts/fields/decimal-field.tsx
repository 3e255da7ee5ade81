import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { formatDecimal } from '../../../folding/text/format.ts'
import { plainNumber } from '../../../folding/text/typed-number.ts'
import { TextField } from './text-field.tsx'

type Props = {
  readonly label: string
  readonly value: number | undefined
  readonly onChange: (value: number) => void
  /** The field may be empty. */
  readonly onClear?: () => void
  readonly onLeave?: () => void
  readonly minimum?: number
  readonly maximum?: number
  readonly placeholder?: string
  readonly description?: string
  readonly isDisabled?: boolean
}

/** Any number; what is typed and is none yet is kept in the field. */
export function DecimalField({
  value,
  onChange,
  onClear,
  onLeave,
  minimum = -Infinity,
  maximum = Infinity,
  ...field
}: Props) {
  const [typed, setTyped] = useState<string>()
  const isEmpty = (text: string): boolean => text.trim() === '' && onClear !== undefined
  const read = (text: string): number | undefined => {
    const number = text.trim() === '' ? Number.NaN : Number(plainNumber(text))
    return Number.isFinite(number) && number >= minimum && number <= maximum ? number : undefined
  }
  return (
    <TextField
      {...field}
      autoComplete="off"
      value={typed ?? (value === undefined ? '' : formatDecimal(value))}
      error={typed !== undefined && !isEmpty(typed) && read(typed) === undefined ? t`A number such as 12.5` : undefined}
      onChange={text => {
        setTyped(text)
        const number = read(text)
        if (isEmpty(text)) onClear?.()
        else if (number !== undefined) onChange(number)
      }}
      onLeave={() => {
        setTyped(undefined)
        onLeave?.()
      }}
    />
  )
}
