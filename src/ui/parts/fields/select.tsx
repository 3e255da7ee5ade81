import type { ReactNode } from 'react'
import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components/Select'
import { classNames } from '../class-names.ts'
import { Icon } from '../icons/icon.tsx'
import fieldStyles from './field.module.css'
import menuStyles from '../overlays/menu.module.css'
import styles from './select.module.css'

export type Option = { readonly id: string; readonly label: string }

type Props = {
  readonly label: string
  /** The same objects for the same options, so that a long list is not rendered again. */
  readonly options: readonly Option[]
  readonly value: string
  readonly onChange: (id: string) => void
  readonly isDisabled?: boolean
  /** Help button beside the label. */
  readonly help?: ReactNode
}

export function Select({ label, options, value, onChange, isDisabled = false, help }: Props) {
  return (
    <div className={classNames(fieldStyles['field'], styles['field'])}>
      <AriaSelect
        value={value}
        isDisabled={isDisabled}
        className={styles['select'] ?? ''}
        onChange={key => {
          if (key !== null) onChange(String(key))
        }}
      >
        <Label className="type-3 medium">{label}</Label>
        <Button className={styles['button'] ?? ''}>
          <SelectValue className="grow shrink ellipsis">{({ selectedText }) => <bdi>{selectedText}</bdi>}</SelectValue>
          <Icon name="chevron-down" />
        </Button>
        <Popover className={menuStyles['popover'] ?? ''} offset={4}>
          <ListBox items={options} className={menuStyles['menu'] ?? ''}>
            {option => (
              <ListBoxItem id={option.id} textValue={option.label} className={menuStyles['item'] ?? ''}>
                {/* The list renders an option again only when the option is another object. */}
                {({ isSelected }) => (
                  <>
                    <bdi className={menuStyles['text']}>{option.label}</bdi>
                    {isSelected ? <Icon name="check" /> : undefined}
                  </>
                )}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </AriaSelect>
      {/* Inside AriaSelect, its button and popover would be taken for those of the list. */}
      {help === undefined ? undefined : <span className={styles['help']}>{help}</span>}
    </div>
  )
}
