import { t } from '@lingui/core/macro'
import { useSearchParams } from 'react-router-dom'
import { FILTER_FIELDS, type FilterField, type filterChoices } from '../../../folding/unit/unit-rows.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Checkbox } from '../../parts/fields/checkbox.tsx'
import { Select, type Option } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { WithTooltip } from '../../parts/overlays/tooltip.tsx'
import styles from './filter-row.module.css'
import {
  daysText,
  isBadDays,
  isCompleteOnly,
  isFiltered,
  withComplete,
  withDays,
  withField,
  withoutFilter,
} from './units-params.ts'

const labels: Readonly<Record<FilterField, string>> = {
  machine: t`Machine`,
  project: t`Project`,
  os: t`OS`,
  state: t`State`,
  resources: t`Resources`,
  core: t`Core`,
}

const ANY = 'any'
const idOf = (value: string): string => `=${value}`
const anyOption: Option = { id: ANY, label: t`Any` }

/** A value from the address is an option even if no unit has it. */
const optionsOf = (values: readonly string[], chosen: string | null): readonly Option[] => {
  const all = chosen === null || values.includes(chosen) ? values : [...values, chosen]
  return [anyOption, ...all.map(value => ({ id: idOf(value), label: value }))]
}

const inPlace = { replace: true, preventScrollReset: true } as const

/** The filter of the history and the statistics (docs/product.md §2). */
export const FilterRow = ({ choices }: { choices: ReturnType<typeof filterChoices> }) => {
  const [params, setParams] = useSearchParams()
  const days = daysText(params)
  return (
    <div role="search" aria-label={t`Work units`} className={styles['filter']}>
      {FILTER_FIELDS.map(field => {
        const chosen = params.get(field)
        return (
          <Select
            key={field}
            label={labels[field]}
            options={optionsOf(choices[field], chosen)}
            value={chosen === null ? ANY : idOf(chosen)}
            onChange={id => setParams(now => withField(now, field, id === ANY ? undefined : id.slice(1)), inPlace)}
          />
        )
      })}
      <WithTooltip text={t`Only include units assigned within this number of days.`}>
        <TextField
          label={t`Within`}
          placeholder={t`days`}
          inputMode="numeric"
          value={days}
          error={isBadDays(days) ? t`Enter a number of days` : undefined}
          onChange={text => setParams(now => withDays(now, text), { ...inPlace, flushSync: true })}
        />
      </WithTooltip>
      <div className={styles['end']}>
        <WithTooltip text={t`Only include completed units.`}>
          <Checkbox
            isSelected={isCompleteOnly(params)}
            onChange={isComplete => setParams(now => withComplete(now, isComplete), inPlace)}
          >
            {t`Complete`}
          </Checkbox>
        </WithTooltip>
        <Button
          icon="reset"
          blockedBecause={isFiltered(params) ? undefined : t`No filter is set.`}
          onPress={() => setParams(withoutFilter, inPlace)}
        >
          {t`Reset stats filter`}
        </Button>
      </div>
    </div>
  )
}
