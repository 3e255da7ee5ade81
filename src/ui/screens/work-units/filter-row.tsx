import { t } from '@lingui/core/macro'
import { memo, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { FILTER_FIELDS, type FilterField, type filterChoices } from '../../../folding/unit/unit-rows.ts'
import { NARROW_WIDTH } from '../../../folding/unit/column-sets.ts'
import { useBreakpoint } from '../../hooks/use-breakpoint.ts'
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
  credit: t`Credited points`,
  leftOut: t`Left out because`,
}

const ANY = 'any'
function idOf(value: string): string {
  return `=${value}`
}
const anyOption: Option = { id: ANY, label: t`Any` }

const optionsCache = new WeakMap<readonly string[], readonly Option[]>()

function optionsOfValues(values: readonly string[]): readonly Option[] {
  const options = optionsCache.get(values) ?? [anyOption, ...values.map(value => ({ id: idOf(value), label: value }))]
  optionsCache.set(values, options)
  return options
}

/** A value from the address is an option even if no unit has it. */
function optionsOf(values: readonly string[], chosen: string | null): readonly Option[] {
  const options = optionsOfValues(values)
  return chosen === null || values.includes(chosen) ? options : [...options, { id: idOf(chosen), label: chosen }]
}

type Props = { readonly choices: ReturnType<typeof filterChoices> }

const inPlace = { replace: true, preventScrollReset: true, flushSync: true } as const

type FieldProps = {
  readonly field: FilterField
  readonly values: readonly string[]
  readonly chosen: string | null
  readonly onChoose: (field: FilterField, value: string | undefined) => void
}

/** A filter by the values of one field; it renders only when they or the chosen one change. */
const FieldFilter = memo(({ field, values, chosen, onChoose }: FieldProps) => {
  const options = useMemo(() => optionsOf(values, chosen), [values, chosen])
  return (
    <Select
      label={labels[field]}
      options={options}
      value={chosen === null ? ANY : idOf(chosen)}
      onChange={id => onChoose(field, id === ANY ? undefined : id.slice(1))}
    />
  )
})
FieldFilter.displayName = 'FieldFilter'

/** The filter of the history and the statistics (docs/product.md §2), which a phone shows when it is set or asked for. */
export function FilterRow(props: Props) {
  const isNarrow = useBreakpoint() <= NARROW_WIDTH
  const [params] = useSearchParams()
  const isSet = isFiltered(params)
  const [isOpen, setOpen] = useState(isSet)
  const [wasSet, setWasSet] = useState(isSet)
  // One that is cleared stays open: the field with the focus is in it.
  if (isSet !== wasSet) {
    setWasSet(isSet)
    if (isSet) setOpen(true)
  }
  if (!isNarrow) return <Fields {...props} />
  return (
    <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="control-high pad-block-2 medium">{t`Filter`}</summary>
      <Fields {...props} />
    </details>
  )
}

function Fields({ choices }: Props) {
  const [params, setParams] = useSearchParams()
  const days = daysText(params)
  // `setParams` is another function whenever the address changes.
  const latest = useRef(setParams)
  useLayoutEffect(() => {
    latest.current = setParams
  })
  const onChoose = useCallback<FieldProps['onChoose']>(
    (field, value) => latest.current(now => withField(now, field, value), inPlace),
    [],
  )
  return (
    <div role="search" aria-label={t`Work units`} className={styles['filter']}>
      {FILTER_FIELDS.filter(
        field => field !== 'leftOut' || choices.leftOut.length > 0 || params.get(field) !== null,
      ).map(field => (
        <FieldFilter key={field} field={field} values={choices[field]} chosen={params.get(field)} onChoose={onChoose} />
      ))}
      <WithTooltip text={t`Only include units assigned within this number of days.`}>
        <TextField
          label={t`Within`}
          placeholder={t`days`}
          inputMode="numeric"
          value={days}
          error={isBadDays(days) ? t`Enter a number of days` : undefined}
          onChange={text => setParams(now => withDays(now, text), inPlace)}
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
