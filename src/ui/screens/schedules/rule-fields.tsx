import { t } from '@lingui/core/macro'
import { longDayName, ruleText, shortDayName, stateNames } from '../../../folding/schedule/schedule-text.ts'
import type { InputRule, Rule, TimeRule } from '../../../folding/schedule/schedule.ts'
import type { FoldingState } from '../../../protocol/commands.ts'
import { IconButton } from '../../parts/actions/button.tsx'
import { Segments } from '../../parts/actions/segments.tsx'
import { Checkbox } from '../../parts/fields/checkbox.tsx'
import { DecimalField } from '../../parts/fields/decimal-field.tsx'
import { NumberField } from '../../parts/fields/number-field.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import styles from './schedules.module.css'

export const stateOptions = (['fold', 'pause', 'finish'] as const).map(id => ({ id, label: stateNames[id] }))
const states: Readonly<Record<string, FoldingState>> = { fold: 'fold', pause: 'pause', finish: 'finish' }
export const stateOf = (id: string): FoldingState => states[id] ?? 'pause'

const QUARTERS = Array.from({ length: 97 }, (_, quarter) => {
  const time = `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`
  return { id: time, label: time }
})

/** Quarters of an hour, and the chosen time when a program chose another one. */
const timesWith = (time: string, isEnd: boolean) => {
  const offered = isEnd ? QUARTERS.slice(1) : QUARTERS.slice(0, -1)
  return offered.some(({ id }) => id === time) ? offered : [{ id: time, label: time }, ...offered]
}

type Props<Kind extends Rule> = { readonly rule: Kind; readonly onChange: (rule: Rule) => void }

type TimesProps<Kind> = { readonly rule: Kind; readonly onChange: (rule: Kind) => void }

export const Times = <Kind extends Pick<TimeRule, 'from' | 'until'>>({ rule, onChange }: TimesProps<Kind>) => (
  <>
    <Select
      label={t`From`}
      options={timesWith(rule.from, false)}
      value={rule.from}
      onChange={from => onChange({ ...rule, from })}
    />
    <Select
      label={rule.until <= rule.from ? t`Until, on the next day` : t`Until`}
      options={timesWith(rule.until, true)}
      value={rule.until}
      onChange={until => onChange({ ...rule, until })}
    />
  </>
)

const WEEK = [1, 2, 3, 4, 5, 6, 7]

export const Days = <Kind extends { readonly days: readonly number[] }>({ rule, onChange }: TimesProps<Kind>) => (
  <div role="group" aria-label={t`Days`} className={styles['weekdays']}>
    {WEEK.map(day => (
      <Checkbox
        key={day}
        isSelected={rule.days.includes(day)}
        onChange={isOn =>
          onChange({ ...rule, days: WEEK.filter(each => (each === day ? isOn : rule.days.includes(each))) })
        }
      >
        <abbr title={longDayName(day)}>{shortDayName(day)}</abbr>
      </Checkbox>
    ))}
  </div>
)

const isDate = (text: string): boolean => /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

const Dates = ({ rule, onChange }: Props<Extract<Rule, { kind: 'dates' }>>) => (
  <>
    {(['first', 'last'] as const).map(key => (
      <TextField
        key={key}
        label={key === 'first' ? t`First date` : t`Last date`}
        placeholder="2027-12-24"
        value={rule[key]}
        error={
          !isDate(rule[key])
            ? t`A date such as 2027-12-24`
            : key === 'last' && rule.last < rule.first
              ? t`It is before the first date.`
              : undefined
        }
        onChange={value => onChange({ ...rule, [key]: value })}
      />
    ))}
  </>
)

type MinutesProps = {
  readonly label: string
  readonly value: number
  readonly maximum: number
  readonly onChange: (value: number) => void
}

const MinutesField = ({ label, value, maximum, onChange }: MinutesProps) => (
  <div className={styles['minutes']}>
    <span aria-hidden="true">{label}</span>
    <NumberField label={label} value={value} maximum={maximum} onChange={onChange} />
  </div>
)

const InputFields = ({ rule, onChange }: Props<InputRule>) => (
  <>
    <TextField
      label={t`Input`}
      value={rule.input}
      isCode
      error={/^[a-z][a-z0-9_-]{0,39}$/.test(rule.input) ? undefined : t`Lower-case letters, digits, - and _`}
      onChange={input => onChange({ ...rule, input })}
    />
    <Segments
      label={t`Compare`}
      segments={[
        { id: 'above', label: t`Above` },
        { id: 'below', label: t`Below` },
      ]}
      value={rule.compare}
      onChange={compare => onChange({ ...rule, compare })}
    />
    <DecimalField
      label={t`Threshold`}
      value={rule.threshold}
      onChange={threshold => onChange({ ...rule, threshold })}
    />
    <DecimalField
      label={t`Hysteresis`}
      value={rule.hysteresis}
      onChange={hysteresis => onChange({ ...rule, hysteresis: Math.max(0, hysteresis) })}
    />
    <MinutesField
      label={t`Smallest duration, minutes`}
      value={rule.holdMinutes}
      maximum={1440}
      onChange={holdMinutes => onChange({ ...rule, holdMinutes })}
    />
    <MinutesField
      label={t`A value counts for, minutes`}
      value={rule.validMinutes}
      maximum={10_080}
      onChange={validMinutes => onChange({ ...rule, validMinutes: Math.max(1, validMinutes) })}
    />
  </>
)

const kindNames: Readonly<Record<Rule['kind'], string>> = {
  week: t`Weekly times`,
  dates: t`Dates`,
  input: t`Input`,
}

type FieldsProps = {
  readonly rule: Rule
  readonly position: number
  readonly count: number
  readonly onChange: (rule: Rule) => void
  readonly onMove: (by: -1 | 1) => void
  readonly onRemove: () => void
}

/** One rule of the schedule that is edited, and its place among the others. */
export const RuleFields = ({ rule, position, count, onChange, onMove, onRemove }: FieldsProps) => {
  const number = position + 1
  return (
    <li className={styles['rule']}>
      <div className={styles['ruleHead']}>
        <h4 className={styles['ruleTitle']}>
          {t`Rule ${number}`}: {kindNames[rule.kind]}
        </h4>
        <span className={styles['ruleTools']}>
          <IconButton
            icon="arrow-up"
            label={t`Move rule ${number} up`}
            blockedBecause={position === 0 ? t`It is the first rule.` : undefined}
            onPress={() => onMove(-1)}
          />
          <IconButton
            icon="arrow-down"
            label={t`Move rule ${number} down`}
            blockedBecause={position === count - 1 ? t`It is the last rule.` : undefined}
            onPress={() => onMove(1)}
          />
          <IconButton icon="trash" label={t`Remove rule ${number}: ${ruleText(rule)}`} onPress={onRemove} />
        </span>
      </div>
      <div className={styles['fields']}>
        {rule.kind === 'week' ? <Days rule={rule} onChange={onChange} /> : undefined}
        {rule.kind === 'dates' ? <Dates rule={rule} onChange={onChange} /> : undefined}
        {rule.kind === 'input' ? (
          <InputFields rule={rule} onChange={onChange} />
        ) : (
          <Times rule={rule} onChange={onChange} />
        )}
        <Select
          label={t`State`}
          options={stateOptions}
          value={rule.state}
          onChange={state => onChange({ ...rule, state: stateOf(state) })}
        />
      </div>
    </li>
  )
}
