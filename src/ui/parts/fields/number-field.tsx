import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { TextField } from './text-field.tsx'

type Props = {
  readonly label: string
  readonly value: number
  readonly maximum: number
  readonly onChange: (value: number) => void
  readonly isDisabled?: boolean
}

/** A whole number from 0 to a maximum. Changes with every key press; clamped to its limits on blur. */
export const NumberField = ({ label, value, maximum, onChange, isDisabled = false }: Props) => {
  const [typed, setTyped] = useState<string>()
  const number = typed === undefined || !/^\d+$/.test(typed) ? undefined : Number(typed)
  const isWrong = typed !== undefined && (number === undefined || number > maximum)
  return (
    <TextField
      label={label}
      isLabelHidden
      type="number"
      maximum={maximum}
      autoComplete="off"
      value={typed ?? String(value)}
      isDisabled={isDisabled}
      error={isWrong ? t`A whole number from 0 to ${maximum}` : undefined}
      onChange={text => {
        setTyped(text)
        if (/^\d+$/.test(text) && Number(text) <= maximum) onChange(Number(text))
      }}
      onLeave={() => {
        setTyped(undefined)
        if (number !== undefined && number > maximum) onChange(maximum)
      }}
    />
  )
}
