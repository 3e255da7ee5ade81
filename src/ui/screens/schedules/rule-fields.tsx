import { t } from '@lingui/core/macro'
import { clockText, longDayName, ruleText, shortDayName, stateNames } from '../../../folding/schedule/schedule-text.ts'
import {
  isTimeRule,
  type BudgetRule,
  type CheapestRule,
  type HeatRule,
  type InputRule,
  type Rule,
  type SurplusRule,
  type TimeRule,
} from '../../../folding/schedule/schedule.ts'
import type { FoldingState } from '../../../protocol/client/commands.ts'
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
export function stateOf(id: string): FoldingState {
  return states[id] ?? 'pause'
}

const QUARTERS = Array.from({ length: 97 }, (_, quarter) => {
  const time = `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`
  return { id: time, label: clockText(time) }
})

/** Quarters of an hour, and the chosen time when a program chose another one. */
function timesWith(time: string, isEnd: boolean) {
  const offered = isEnd ? QUARTERS.slice(1) : QUARTERS.slice(0, -1)
  return offered.some(({ id }) => id === time) ? offered : [{ id: time, label: clockText(time) }, ...offered]
}

type Props<Kind extends Rule> = { readonly rule: Kind; readonly onChange: (rule: Rule) => void }

type TimesProps<Kind> = { readonly rule: Kind; readonly onChange: (rule: Kind) => void }

export function Times<Kind extends Pick<TimeRule, 'from' | 'until'>>({ rule, onChange }: TimesProps<Kind>) {
  return (
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
}

const WEEK = [1, 2, 3, 4, 5, 6, 7]

export function Days<Kind extends { readonly days: readonly number[] }>({ rule, onChange }: TimesProps<Kind>) {
  return (
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
}

function isDate(text: string): boolean {
  return /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

function Dates({ rule, onChange }: Props<Extract<Rule, { kind: 'dates' }>>) {
  return (
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
}

type NumberProps = {
  readonly label: string
  readonly value: number
  readonly maximum: number
  readonly onChange: (value: number) => void
}

/** A whole number, with its label beside it. */
export function LabeledNumber({ label, value, maximum, onChange }: NumberProps) {
  return (
    <div className={styles['number']}>
      <span aria-hidden="true">{label}</span>
      <NumberField label={label} value={value} maximum={maximum} onChange={onChange} />
    </div>
  )
}

type ValueRule = InputRule | SurplusRule | HeatRule

function InputName({ rule, onChange }: Props<ValueRule>) {
  return (
    <TextField
      label={t`Input`}
      value={rule.input}
      isCode
      error={/^[a-z][a-z0-9_-]{0,39}$/.test(rule.input) ? undefined : t`Lower-case letters, digits, - and _`}
      onChange={input => onChange({ ...rule, input })}
    />
  )
}

/** What all rules of an input have. */
function InputTimes({ rule, onChange }: Props<ValueRule>) {
  return (
    <>
      <DecimalField
        label={rule.kind === 'surplus' ? t`Hysteresis, watts` : t`Hysteresis`}
        value={rule.hysteresis}
        onChange={hysteresis => onChange({ ...rule, hysteresis: Math.max(0, hysteresis) })}
      />
      <LabeledNumber
        label={t`Smallest duration, minutes`}
        value={rule.holdMinutes}
        maximum={1440}
        onChange={holdMinutes => onChange({ ...rule, holdMinutes })}
      />
      <LabeledNumber
        label={t`A value counts for, minutes`}
        value={rule.validMinutes}
        maximum={10_080}
        onChange={validMinutes => onChange({ ...rule, validMinutes: Math.max(1, validMinutes) })}
      />
    </>
  )
}

function InputFields({ rule, onChange }: Props<InputRule>) {
  return (
    <>
      <InputName rule={rule} onChange={onChange} />
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
      <InputTimes rule={rule} onChange={onChange} />
    </>
  )
}

function BudgetFields({ rule, onChange }: Props<BudgetRule>) {
  return (
    <>
      <DecimalField
        label={t`At most a month`}
        value={rule.amount}
        onChange={amount => onChange({ ...rule, amount: Math.max(0, amount) })}
      />
      <Segments
        label={t`Unit`}
        segments={[
          { id: 'money', label: t`Money` },
          { id: 'kWh', label: t`kWh` },
        ]}
        value={rule.unit}
        onChange={unit => onChange({ ...rule, unit })}
      />
    </>
  )
}

/** A number that a rule can be without, but not without both of its numbers. */
function withNumber(rule: CheapestRule, key: 'hours' | 'below', value: number | undefined): Rule {
  const { [key]: _, ...others } = rule
  return value === undefined ? others : { ...others, [key]: value }
}

/** Either field may be empty while the other is not. */
function CheapestFields({ rule, onChange }: Props<CheapestRule>) {
  const { hours, below } = rule
  const clear = (key: 'hours' | 'below', other: number | undefined) =>
    other === undefined ? {} : { onClear: () => onChange(withNumber(rule, key, undefined)) }
  return (
    <>
      <DecimalField
        label={t`Cheapest hours`}
        value={hours}
        minimum={0.25}
        maximum={24}
        onChange={chosen => onChange(withNumber(rule, 'hours', Math.max(1, Math.round(chosen * 4)) / 4))}
        {...clear('hours', below)}
      />
      <DecimalField
        label={t`Only below this price`}
        value={below}
        onChange={chosen => onChange(withNumber(rule, 'below', chosen))}
        {...clear('below', hours)}
      />
      <Times rule={rule} onChange={onChange} />
    </>
  )
}

function SurplusFields({ rule, onChange }: Props<SurplusRule>) {
  return (
    <>
      <InputName rule={rule} onChange={onChange} />
      <Checkbox isSelected={rule.isLeft} onChange={isLeft => onChange({ ...rule, isLeft })}>
        {t`The input is what is left beside these machines`}
      </Checkbox>
      <InputTimes rule={rule} onChange={onChange} />
    </>
  )
}

function HeatFields({ rule, onChange }: Props<HeatRule>) {
  return (
    <>
      <InputName rule={rule} onChange={onChange} />
      <DecimalField label={t`Temperature`} value={rule.target} onChange={target => onChange({ ...rule, target })} />
      <InputTimes rule={rule} onChange={onChange} />
    </>
  )
}

function KindFields({ rule, onChange }: Props<Rule>) {
  switch (rule.kind) {
    case 'week':
      return (
        <>
          <Days rule={rule} onChange={onChange} />
          <Times rule={rule} onChange={onChange} />
        </>
      )
    case 'dates':
      return (
        <>
          <Dates rule={rule} onChange={onChange} />
          <Times rule={rule} onChange={onChange} />
        </>
      )
    case 'input':
      return <InputFields rule={rule} onChange={onChange} />
    case 'budget':
      return <BudgetFields rule={rule} onChange={onChange} />
    case 'cheapest':
      return <CheapestFields rule={rule} onChange={onChange} />
    case 'surplus':
      return <SurplusFields rule={rule} onChange={onChange} />
    case 'heat':
      return <HeatFields rule={rule} onChange={onChange} />
  }
}

const kindNames: Readonly<Record<Rule['kind'], string>> = {
  week: t`Weekly times`,
  dates: t`Dates`,
  input: t`Input`,
  budget: t`Budget`,
  cheapest: t`Cheap hours`,
  surplus: t`Surplus of power`,
  heat: t`Heat`,
}

/** New rules that depend on power, prices or a temperature. */
export const powerRules: readonly { readonly label: string; readonly rule: () => Rule }[] = [
  {
    label: kindNames.cheapest,
    rule: () => ({ kind: 'cheapest', hours: 6, from: '18:00', until: '07:00', state: 'fold' }),
  },
  { label: kindNames.budget, rule: () => ({ kind: 'budget', amount: 25, unit: 'money', state: 'finish' }) },
  {
    label: kindNames.surplus,
    rule: () => ({
      kind: 'surplus',
      input: 'solar',
      isLeft: true,
      hysteresis: 100,
      holdMinutes: 15,
      validMinutes: 10,
      state: 'fold',
    }),
  },
  {
    label: kindNames.heat,
    rule: () => ({
      kind: 'heat',
      input: 'room',
      target: 21,
      hysteresis: 0.5,
      holdMinutes: 15,
      validMinutes: 60,
      state: 'fold',
    }),
  },
]

type FieldsProps = {
  readonly rule: Rule
  readonly position: number
  readonly count: number
  readonly onChange: (rule: Rule) => void
  readonly onMove: (by: -1 | 1) => void
  readonly onRemove: () => void
}

/** One rule of the schedule that is edited, and its place among the others. */
export function RuleFields({ rule, position, count, onChange, onMove, onRemove }: FieldsProps) {
  const number = position + 1
  return (
    <li className={styles['rule']}>
      <div className={styles['ruleHead']}>
        <h4 className={styles['ruleTitle']}>
          {t`Rule ${number}`}: {kindNames[rule.kind]}
        </h4>
        <span className={styles['ruleTools']}>
          <span data-step={`${position} -1`}>
            <IconButton
              icon="arrow-up"
              label={t`Move rule ${number} up`}
              blockedBecause={position === 0 ? t`It is the first rule.` : undefined}
              onPress={() => onMove(-1)}
            />
          </span>
          <span data-step={`${position} 1`}>
            <IconButton
              icon="arrow-down"
              label={t`Move rule ${number} down`}
              blockedBecause={position === count - 1 ? t`It is the last rule.` : undefined}
              onPress={() => onMove(1)}
            />
          </span>
          <IconButton icon="trash" label={t`Remove rule ${number}: ${ruleText(rule)}`} onPress={onRemove} />
        </span>
      </div>
      <div className={styles['fields']}>
        <KindFields rule={rule} onChange={onChange} />
        <Select
          label={t`State`}
          options={stateOptions}
          value={rule.state}
          onChange={state => onChange({ ...rule, state: stateOf(state) })}
        />
        {rule.state === 'fold' ? (
          <Checkbox
            isSelected={rule.resumesPaused === true}
            onChange={resumesPaused => onChange({ ...rule, resumesPaused })}
          >
            {t`Resume what was paused by hand, too`}
          </Checkbox>
        ) : undefined}
        {isTimeRule(rule) && rule.state !== 'fold' ? (
          <Checkbox isSelected={rule.inTime === true} onChange={inTime => onChange({ ...rule, inTime })}>
            {t`Before it begins, take no new work that would be done later`}
          </Checkbox>
        ) : undefined}
        {isTimeRule(rule) ? undefined : (
          <Select
            label={t`While the value is missing`}
            options={[
              { id: 'skip', label: t`Skip the rule` },
              { id: 'apply', label: t`Apply the rule` },
            ]}
            value={rule.silent ?? 'skip'}
            onChange={id => onChange({ ...rule, silent: id === 'apply' ? 'apply' : 'skip' })}
          />
        )}
      </div>
    </li>
  )
}
