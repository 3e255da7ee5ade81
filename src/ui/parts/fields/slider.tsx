import type { ReactNode } from 'react'
import { Label, Slider as AriaSlider, SliderOutput } from 'react-aria-components/Slider'
import { SliderBar } from './slider-bar.tsx'
import styles from './slider.module.css'

type Props = {
  readonly label: string
  readonly value: number
  readonly maximum: number
  readonly onChange: (value: number) => void
  /** The value as text, such as '6 of 8'. */
  readonly valueText: string
  readonly isDisabled?: boolean
  /** Help button beside the label. */
  readonly help?: ReactNode
  /** Shown instead of the text, such as a number field. */
  readonly field?: ReactNode
}

/** A whole number from 0 to a maximum. */
export function Slider({ label, value, maximum, onChange, valueText, isDisabled = false, help, field }: Props) {
  return (
    <AriaSlider
      className={styles['slider'] ?? ''}
      value={value}
      maxValue={maximum}
      onChange={onChange}
      isDisabled={isDisabled}
    >
      <span className="line gap-1">
        <Label className="type-3 medium">{label}</Label>
        {help}
      </span>
      {field === undefined ? undefined : <span className={styles['output']}>{field}</span>}
      <SliderOutput className={field === undefined ? (styles['output'] ?? '') : 'visually-hidden'}>
        {valueText}
      </SliderOutput>
      <SliderBar valueText={valueText} />
    </AriaSlider>
  )
}
