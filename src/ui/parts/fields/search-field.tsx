import { Button, Input, Label, SearchField as AriaSearchField } from 'react-aria-components/SearchField'
import { classNames } from '../class-names.ts'
import { Icon } from '../icons/icon.tsx'
import fieldStyles from './field.module.css'
import styles from './search-field.module.css'

type Props = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder: string
}

/** A search field. Escape clears it. */
export const SearchField = ({ label, value, onChange, placeholder }: Props) => (
  <AriaSearchField value={value} onChange={onChange} className={styles['search'] ?? ''}>
    <Label className="visually-hidden">{label}</Label>
    <span className={classNames(fieldStyles['frame'], styles['frame'])}>
      <Icon name="search" />
      <Input placeholder={placeholder} className={classNames(fieldStyles['input'], styles['input'])} />
      <Button className={styles['clear'] ?? ''}>
        <Icon name="close" />
      </Button>
    </span>
  </AriaSearchField>
)
