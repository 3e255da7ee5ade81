import { t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import { useSelector } from '../../hooks/use-selector.ts'
import { cpuCountPart, cpuCounts, scopeTitle } from '../../../folding/schedule/parts.ts'
import { targetText } from '../../../folding/schedule/schedule-text.ts'
import { solarRule } from '../../../folding/schedule/templates.ts'
import { canonicalTimeZone, ownZone } from '../../../folding/schedule/time-zone.ts'
import type { Rule, Schedule, Target } from '../../../folding/schedule/schedule.ts'
import type { SchedulesAnswer } from '../../../folding/schedule/server-answers.ts'
import { isNewSchedule, selectDraft } from '../../../machines/server/schedule-editor/schedule-editor.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Checkbox } from '../../parts/fields/checkbox.tsx'
import { NumberField } from '../../parts/fields/number-field.tsx'
import { focusContentSoon } from '../../parts/focus-content.ts'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { useServer } from '../../hooks/server-context.ts'
import { Section } from '../section.tsx'
import { BudgetNotes } from './budget-notes.tsx'
import { Effect, EffectOnMachines, SaveSchedule } from './draft-bar.tsx'
import { LabeledNumber, powerRules, RuleFields, stateOf, stateOptions } from './rule-fields.tsx'
import styles from './schedules.module.css'
import type { ExpectedAnswer } from './use-expected.ts'
import { WeekCost } from './week-cost.tsx'
import { WeekPicture } from './week-picture.tsx'

export function zoneOptions(chosen: string) {
  return [...new Set([chosen, ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])].map(id => ({ id, label: id }))
}

const newRules: readonly { readonly label: string; readonly rule: (date: string) => Rule }[] = [
  {
    label: t`Add weekly times`,
    rule: () => ({ kind: 'week', days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', until: '06:00', state: 'fold' }),
  },
  {
    label: t`Add a time to be idle by`,
    rule: () => ({ kind: 'week', days: [5], from: '18:00', until: '24:00', state: 'pause', inTime: true }),
  },
  {
    label: t`Add dates`,
    rule: date => ({ kind: 'dates', first: date, last: date, from: '00:00', until: '24:00', state: 'pause' }),
  },
  { label: t`Add an input`, rule: () => solarRule },
  ...powerRules,
]

/** The same for all clients in the list of targets. */
function keyOf({ kind, name }: Target): string {
  return `${kind} ${name}`
}
const EVERY_GROUP = '\u0000'
const FEW_OR_MANY = cpuCountPart(2, 8)
const MOST_CPUS = 9999

type PartProps = {
  readonly draft: Schedule
  readonly clients: SchedulesAnswer['machines']
  readonly change: (change: Partial<Schedule>) => void
}

function Targets({ draft: { targets }, clients, change }: PartProps) {
  const group = targets.find(target => target.group !== undefined)?.group
  const chosen = new Set(targets.map(keyOf))
  const offered: readonly Target[] = [
    { kind: 'all', name: '' },
    ...[...new Set(clients.flatMap(({ tags }) => tags))].map(name => ({ kind: 'tag' as const, name })),
    ...clients.map(({ address }) => ({ kind: 'machine' as const, name: address })),
  ]
  const offeredKeys = new Set(offered.map(keyOf))
  const all = [...offered, ...targets.filter(target => !offeredKeys.has(keyOf(target)))]
  const isForAll = targets.some(({ kind }) => kind === 'all')
  const withGroup = (target: Target): Target => ({
    kind: target.kind,
    name: target.name,
    ...(group === undefined ? {} : { group }),
  })
  const nameOf = (target: Target): string =>
    target.kind === 'machine'
      ? (clients.find(({ address }) => address === target.name)?.name ?? target.name)
      : targetText({ kind: target.kind, name: target.name })
  const counts = group === undefined ? undefined : cpuCounts(group)
  const setGroup = (next: string | undefined): void =>
    change({
      targets: targets.map(({ kind, name }) => ({ kind, name, ...(next === undefined ? {} : { group: next }) })),
    })
  const groups = [...new Set([...clients.flatMap(client => client.groups), ...(group === undefined ? [] : [group])])]
  return (
    <div className={styles['fields']}>
      <div role="group" aria-label={t`Machines`} className={styles['targets']}>
        {(isForAll ? all.filter(target => chosen.has(keyOf(target))) : all).map(target => (
          <Checkbox
            key={keyOf(target)}
            isSelected={chosen.has(keyOf(target))}
            onChange={isOn =>
              change({
                targets: all.filter(each => (each === target ? isOn : chosen.has(keyOf(each)))).map(withGroup),
              })
            }
          >
            {nameOf(target)}
          </Checkbox>
        ))}
      </div>
      {groups.length > 0 || group !== undefined ? (
        <Select
          label={t`Resource group, GPU or CPUs`}
          options={[
            { id: EVERY_GROUP, label: t`Whole machine` },
            ...groups.map(name => ({ id: name, label: scopeTitle(name) })),
            ...(counts === undefined ? [{ id: FEW_OR_MANY, label: t`Few or many CPUs` }] : []),
          ]}
          value={group ?? EVERY_GROUP}
          onChange={id => setGroup(id === EVERY_GROUP ? undefined : id)}
        />
      ) : undefined}
      {counts === undefined ? undefined : (
        <>
          <LabeledNumber
            label={t`CPUs while it pauses`}
            value={counts.least}
            maximum={MOST_CPUS}
            onChange={least => setGroup(cpuCountPart(least, counts.most))}
          />
          <LabeledNumber
            label={t`CPUs while it folds`}
            value={counts.most}
            maximum={MOST_CPUS}
            onChange={most => setGroup(cpuCountPart(counts.least, most))}
          />
        </>
      )}
    </div>
  )
}

function Rules({ draft: { rules, timeZone }, change }: Omit<PartProps, 'clients'>) {
  const list = useRef<HTMLOListElement>(null)
  // The focus goes with a rule that is moved, although its fields are those of its new place.
  const step = useRef<string>(undefined)
  useEffect(() => {
    if (step.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-step="${step.current}"] button`)?.focus()
    step.current = undefined
  })
  const replace = (position: number, rule: Rule | undefined): void =>
    change({
      rules: rules.flatMap((each, index) => (index === position ? (rule === undefined ? [] : [rule]) : [each])),
    })
  const move = (position: number, by: -1 | 1): void => {
    const next = [...rules]
    const [moved] = next.splice(position, 1)
    if (moved !== undefined) next.splice(position + by, 0, moved)
    step.current = `${position + by} ${by}`
    change({ rules: next })
  }
  const today = (): string => new Intl.DateTimeFormat('sv-SE', { timeZone }).format()
  return (
    <div className={styles['rules']}>
      <p className="quiet type-3 pretty">{t`The first rule that applies decides.`}</p>
      <ol ref={list} className={styles['ruleList']}>
        {rules.map((rule, position) => (
          <RuleFields
            // Rules have no names; their fields keep what is typed by their places.
            key={position}
            rule={rule}
            position={position}
            count={rules.length}
            onChange={changed => replace(position, changed)}
            onMove={by => move(position, by)}
            onRemove={() => {
              replace(position, undefined)
              focusContentSoon()
            }}
          />
        ))}
      </ol>
      <div className={styles['buttons']}>
        {newRules.map(({ label, rule }) => (
          <Button key={label} isSmall icon="plus" onPress={() => change({ rules: [...rules, rule(today())] })}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** The schedule that is being edited: clients, time zone, rules in order, and what follows from them. */
export function ScheduleForm({ answer }: { readonly answer: ExpectedAnswer }) {
  const { editor } = useServer()
  const draft = useSelector(editor, selectDraft)
  const isNew = useSelector(editor, isNewSchedule)
  // It comes in place of the button that opened it, and leaves with the one that closed it.
  useEffect(() => {
    focusContentSoon()
    return () => focusContentSoon()
  }, [])
  if (draft === undefined) return null
  const hasCount = draft.targets.some(({ group = '' }) => cpuCounts(group) !== undefined)
  const change = (next: Partial<Schedule>): void => editor.send({ type: 'editor.change', change: next })
  return (
    <Section
      title={isNew ? t`New schedule` : t`Edit ${draft.name}`}
      tools={
        <span className={styles['buttons']}>
          <Button onPress={() => editor.send({ type: 'editor.close' })}>{t`Cancel`}</Button>
          <SaveSchedule answer={answer} />
        </span>
      }
    >
      <div className={styles['form']}>
        <div className={styles['fields']}>
          <TextField label={t`Name`} value={draft.name} onChange={name => change({ name: name.slice(0, 60) })} />
          <Select
            label={t`Time zone`}
            options={zoneOptions(draft.timeZone)}
            value={draft.timeZone}
            onChange={zone => change({ timeZone: canonicalTimeZone(zone) ?? draft.timeZone })}
          />
          <Select
            label={t`While no rule applies`}
            options={[...stateOptions, { id: '', label: t`The next schedule decides` }]}
            value={draft.otherwise ?? ''}
            onChange={id => change({ otherwise: id === '' ? null : stateOf(id) })}
          />
        </div>
        <h3 className={styles['subtitle']}>{t`For which machines`}</h3>
        <Targets draft={draft} clients={answer.machines} change={change} />
        <p role="status" className="quiet type-3 pretty">
          <Effect answer={answer} draft={draft} />
        </p>
        <h3 className={styles['subtitle']}>{t`Rules`}</h3>
        <Rules draft={draft} change={change} />
        <div className="row gap-2-3 type-3">
          <span aria-hidden="true">
            {hasCount
              ? t`Before the number of CPUs changes, finish a unit that ends within this many minutes (0: never).`
              : t`Before a pause, finish a unit that ends within this many minutes (0: never). A pause can lose work.`}
          </span>
          <NumberField
            label={t`Minutes within which a unit is finished before a pause`}
            value={draft.finishMinutes}
            maximum={1440}
            onChange={finishMinutes => change({ finishMinutes })}
          />
        </div>
        <WeekPicture
          rows={[{ key: draft.id, name: draft.name, title: undefined, schedules: [draft] }]}
          answer={answer}
          timeZone={draft.timeZone}
          undecided={t`Next schedule decides`}
          isDraft={() => false}
          mayDrag={() => true}
          onDrop={({ at, rule }) => change({ rules: draft.rules.with(at, rule) })}
          onOpen={undefined}
        />
        <BudgetNotes answer={answer} schedule={draft} />
        <WeekCost answer={answer} schedule={draft} />
        <EffectOnMachines answer={answer} draft={draft} />
      </div>
    </Section>
  )
}
