import { Label } from 'react-aria-components/Label'
import { RadioButton, RadioField, RadioGroup } from 'react-aria-components/RadioGroup'
import styles from './segments.module.css'

export type Segment<Id extends string> = { readonly id: Id; readonly label: string }

type Props<Id extends string> = {
  readonly label: string
  readonly segments: readonly Segment<Id>[]
  readonly value: Id
  readonly onChange: (id: Id) => void
}

/** A segmented control: one of a few options, all visible. */
export function Segments<Id extends string>({ label, segments, value, onChange }: Props<Id>) {
  return (
    <RadioGroup
      orientation="horizontal"
      value={value}
      className={styles['group'] ?? ''}
      onChange={chosen => {
        const segment = segments.find(({ id }) => id === chosen)
        if (segment !== undefined) onChange(segment.id)
      }}
    >
      <Label className="visually-hidden">{label}</Label>
      {segments.map(({ id, label: text }) => (
        <RadioField key={id} value={id} className={styles['field'] ?? ''}>
          <RadioButton className={styles['segment'] ?? ''}>{text}</RadioButton>
        </RadioField>
      ))}
    </RadioGroup>
  )
}
