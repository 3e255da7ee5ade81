import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { formatDecimal } from '../../../folding/text/format.ts'
import { TextField } from './text-field.tsx'
import { hasOwnDigits, plainNumber } from '../../../folding/text/typed-number.ts'

type Props = {
  readonly label: string
  readonly value: number
  readonly maximum: number
  readonly onChange: (value: number) => void
  readonly isDisabled?: boolean
}

/** A whole number from 0 to a maximum. Changes with every key press; clamped to its limits on blur. */
export function NumberField({ label, value, maximum, onChange, isDisabled = false }: Props) {
  const [typed, setTyped] = useState<string>()
  const read = (text: string): number | undefined => {
    const plain = plainNumber(text)
    return /^\d+$/.test(plain) ? Number(plain) : undefined
  }
  const number = typed === undefined ? undefined : read(typed)
  const isWrong = typed !== undefined && (number === undefined || number > maximum)
  return (
    <TextField
      label={label}
      isLabelHidden
      // A browser's own field takes only Latin digits.
      {...(hasOwnDigits() ? { inputMode: 'numeric' as const } : { type: 'number' as const, maximum })}
      autoComplete="off"
      value={typed ?? (hasOwnDigits() ? formatDecimal(value) : String(value))}
      isDisabled={isDisabled}
      error={isWrong ? t`A whole number from 0 to ${maximum}` : undefined}
      onChange={text => {
        setTyped(text)
        const next = read(text)
        if (next !== undefined && next <= maximum) onChange(next)
      }}
      onLeave={() => {
        setTyped(undefined)
        if (number !== undefined && number > maximum) onChange(maximum)
      }}
    />
  )
}
