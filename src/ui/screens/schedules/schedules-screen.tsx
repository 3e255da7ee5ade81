import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useState } from 'react'
import { conditionKey } from '../../../folding/schedule/decide.ts'
import { ruleText, stateNames, targetText } from '../../../folding/schedule/schedule-text.ts'
import { inputsOf, isTimeRule, schedulesOf, type Schedule, type Target } from '../../../folding/schedule/schedule.ts'
import type { SchedulesAnswer } from '../../../folding/schedule/server-answers.ts'
import { chosenLocales, formatClauses } from '../../../folding/shared/format.ts'
import { parseTime } from '../../../folding/shared/times.ts'
import { selectDraft } from '../../../machines/server/schedule-editor/schedule-editor.selectors.ts'
import { isActing, selectSchedules, whyNoControl } from '../../../machines/server/session/session.selectors.ts'
import { Button, IconButton } from '../../parts/actions/button.tsx'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { RelativeTime } from '../../parts/display/relative-time.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { Switch } from '../../parts/fields/switch.tsx'
import { usePageServer, useServer } from '../../hooks/server-context.ts'
import { SubjectActions, SubjectReason, subjectTitle } from '../../server/subject-line.tsx'
import { Page } from '../page.tsx'
import { Section } from '../section.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import styles from './schedules.module.css'
import { WeekCost } from './week-cost.tsx'
import { WeekPreview } from './week-preview.tsx'

type AnswerProps = { readonly answer: SchedulesAnswer }

type AheadProps = Pick<SchedulesAnswer, 'schedules' | 'conditions'> & {
  readonly client: SchedulesAnswer['machines'][number]
  readonly group: string | undefined
}

/** What all schedules of a client decide together, in the time zone of the first. */
const Ahead = ({ client, group, schedules, conditions }: AheadProps) => {
  const [isOpen, setOpen] = useState(false)
  const own = schedulesOf(schedules, { machine: client.address, group }, client)
  const timeZone = own[0]?.timeZone
  if (timeZone === undefined) return null
  return (
    <details className={styles['ahead']} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t`Next seven days`}</summary>
      {isOpen ? (
        <WeekPreview schedules={own} conditions={conditions} timeZone={timeZone} undecided={t`Left as it is`} />
      ) : undefined}
    </details>
  )
}

/** What is decided for each client now, why, and until when. */
const Now = ({ answer: { machines: clients, subjects, schedules, conditions } }: AnswerProps) => (
  <Section
    title={t`Machines now`}
    note={t`A command of a person wins until the next boundary, or for the chosen time.`}
    isLive
  >
    <ul className={styles['list']}>
      {clients.flatMap(client => {
        const { number, name } = client
        const own = subjects.filter(subject => subject.machine === number)
        const rows = own.some(({ group }) => group === null) ? own : [undefined, ...own]
        return rows.map(subject => {
          const title = subjectTitle(name, subject?.group ?? null)
          return (
            <li
              key={`${number} ${subject?.group ?? ''} ${subject?.group === null ? '' : 'group'}`}
              className={styles['row']}
            >
              <span className={styles['rowName']}>
                <bdi>{title}</bdi>
              </span>
              {subject === undefined ? (
                <span className={styles['quiet']}>{t`No schedule decides.`}</span>
              ) : (
                <SubjectReason subject={subject} />
              )}
              <SubjectActions client={number} name={title} subject={subject} />
              {subject === undefined ? undefined : (
                <Ahead
                  client={client}
                  group={subject.group ?? undefined}
                  schedules={schedules}
                  conditions={conditions}
                />
              )}
            </li>
          )
        })
      })}
    </ul>
  </Section>
)

const targetName = (target: Target, clients: SchedulesAnswer['machines']): string =>
  targetText(
    target.kind === 'machine'
      ? { ...target, name: clients.find(({ address }) => address === target.name)?.name ?? target.name }
      : target,
  )

type CardProps = AnswerProps & { readonly schedule: Schedule; readonly position: number }

/** One schedule: whom it is for, its rules in order, and its next seven days. */
const Card = ({ answer, schedule, position }: CardProps) => {
  const { session, editor } = useServer()
  const blocked = useSelector(session, whyNoControl)
  const isBusy = useSelector(session, isActing)
  const { schedules, revision, machines: clients, conditions } = answer
  const { name, isEnabled, targets, rules, otherwise, timeZone } = schedule
  const save = (next: readonly Schedule[]): void =>
    session.send({ type: 'session.do', task: { kind: 'save', revision, schedules: next } })
  const move = (by: -1 | 1): void => {
    const next = schedules.filter(each => each !== schedule)
    next.splice(position + by, 0, schedule)
    save(next)
  }
  const common = { isPending: isBusy }
  return (
    <li className={styles['card']}>
      <div className={styles['cardHead']}>
        <h3 className={styles['cardTitle']}>
          <bdi>{name}</bdi>
        </h3>
        <Switch
          isSelected={isEnabled}
          isDisabled={blocked !== undefined || isBusy}
          onChange={isOn => save(schedules.map(each => (each === schedule ? { ...each, isEnabled: isOn } : each)))}
        >
          {t`In use`}
        </Switch>
        <span className={styles['ruleTools']}>
          <IconButton
            {...common}
            icon="arrow-up"
            label={t`Move ${name} up`}
            blockedBecause={blocked ?? (position === 0 ? t`It is the first schedule.` : undefined)}
            onPress={() => move(-1)}
          />
          <IconButton
            {...common}
            icon="arrow-down"
            label={t`Move ${name} down`}
            blockedBecause={blocked ?? (position === schedules.length - 1 ? t`It is the last schedule.` : undefined)}
            onPress={() => move(1)}
          />
          <IconButton
            {...common}
            icon="edit"
            label={t`Edit ${name}`}
            blockedBecause={blocked}
            onPress={() => editor.send({ type: 'editor.open', schedule, at: position })}
          />
          <IconButton
            {...common}
            icon="trash"
            label={t`Delete ${name}`}
            blockedBecause={blocked}
            onPress={() => save(schedules.filter(each => each !== schedule))}
          />
        </span>
      </div>
      <p className={styles['quiet']}>{formatClauses(targets.map(target => targetName(target, clients)))}</p>
      <ol className={styles['summary']}>
        {rules.map((rule, index) => (
          <li key={index}>
            {stateNames[rule.state]}: {ruleText(rule)}
            {!isTimeRule(rule) && conditions[conditionKey(schedule.id, rule)]?.isOn === true
              ? ` (${t`applies now`})`
              : ''}
          </li>
        ))}
        <li>{otherwise === null ? t`Otherwise the next schedule decides` : t`Otherwise: ${stateNames[otherwise]}`}</li>
      </ol>
      {isEnabled ? (
        <>
          <WeekPreview
            schedules={[schedule]}
            conditions={conditions}
            timeZone={timeZone}
            undecided={t`Next schedule decides`}
          />
          <WeekCost answer={answer} schedule={schedule} />
        </>
      ) : undefined}
    </li>
  )
}

const valueText = (value: number): string =>
  new Intl.NumberFormat(chosenLocales(), { maximumFractionDigits: 3 }).format(value)

/** The values that rules depend on. */
const Inputs = ({ answer: { inputs, schedules } }: AnswerProps) => {
  const used = inputsOf(schedules)
  const names = [...new Set([...used, ...inputs.map(({ name }) => name)])]
  if (names.length === 0) return null
  return (
    <Section
      title={t`Inputs`}
      note={t`Programs send them to /api/server/inputs/<name>, with a token of the scope “inputs”.`}
    >
      <ul className={styles['list']}>
        {names.map(name => {
          const input = inputs.find(each => each.name === name)
          return (
            <li key={name} className={styles['row']}>
              <code className={styles['rowName']}>{name}</code>
              <span>{input === undefined ? t`No value yet` : valueText(input.value)}</span>
              {input === undefined ? undefined : <RelativeTime at={parseTime(input.at) ?? 0} />}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

const NO_SCHEDULE = { isEnabled: true, rules: [], otherwise: 'pause', finishMinutes: 30 } as const

const newSchedule = (schedules: readonly Schedule[]): Schedule => {
  const taken = new Set(schedules.map(({ id }) => id))
  let number = schedules.length + 1
  while (taken.has(`schedule-${number}`)) number++
  return {
    ...NO_SCHEDULE,
    rules: [],
    id: `schedule-${number}`,
    name: t`Schedule ${number}`,
    targets: [{ kind: 'all', name: '' }],
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

const List = ({ answer }: AnswerProps) => {
  const { session, editor } = useServer()
  const blocked = useSelector(session, whyNoControl)
  const { schedules } = answer
  const add = (
    <Button
      kind="primary"
      icon="plus"
      blockedBecause={blocked}
      onPress={() => editor.send({ type: 'editor.open', schedule: newSchedule(schedules), at: undefined })}
    >
      {t`New schedule`}
    </Button>
  )
  if (schedules.length === 0)
    return (
      <EmptyState icon="wait" title={t`No schedules yet.`} align="start" actions={add}>
        <p>{t`A schedule folds, pauses or finishes machines by the day of the week, on dates, or by inputs such as the price of electricity.`}</p>
      </EmptyState>
    )
  return (
    <Section
      title={t`Schedules`}
      note={t`The first schedule that decides for a machine wins. A schedule for a group of a machine is only for that group.`}
      tools={add}
    >
      <ol className={styles['list']}>
        {schedules.map((schedule, position) => (
          <Card key={schedule.id} answer={answer} schedule={schedule} position={position} />
        ))}
      </ol>
    </Section>
  )
}

const Content = () => {
  const { session, editor } = useServer()
  const answer = useSelector(session, selectSchedules)
  const draft = useSelector(editor, selectDraft)
  if (answer === undefined) return <Skeleton label={t`Loading…`} rows={6} />
  return (
    <div className={styles['screen']}>
      <p className={styles['quiet']}>
        {t`The server of this page keeps these schedules, also while no page is open. If it stops, machines keep the state that they have.`}
      </p>
      {draft === undefined ? (
        <>
          <Now answer={answer} />
          <List answer={answer} />
          <Inputs answer={answer} />
        </>
      ) : (
        <ScheduleForm answer={answer} />
      )}
    </div>
  )
}

/** Schedules that the server of this page keeps, what they decide now, and their next seven days. */
export const SchedulesScreen = () => {
  const server = usePageServer()
  return (
    <Page title={t`Schedules`}>
      {server === undefined ? (
        <EmptyState
          icon="wait"
          title={t`Schedules need a server`}
          actions={
            <ButtonLink kind="primary" to="/machines">
              {t`Show machines`}
            </ButtonLink>
          }
        >
          <p>{t`A page cannot keep schedules: it may be closed. They are shown here when the page is opened from a Foldboard server.`}</p>
        </EmptyState>
      ) : (
        <Content />
      )}
    </Page>
  )
}
