import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { useSelector } from '../../hooks/use-selector.ts'
import { conditionKey } from '../../../folding/schedule/decide.ts'
import { ruleText, stateNames, targetText } from '../../../folding/schedule/schedule-text.ts'
import { inputsOf, isTimeRule, type Schedule, type Target } from '../../../folding/schedule/schedule.ts'
import type { SchedulesAnswer } from '../../../folding/schedule/server-answers.ts'
import { scheduleFrom } from '../../../folding/schedule/templates.ts'
import { chosenLocales, formatClauses } from '../../../folding/text/format.ts'
import { parseTime } from '../../../folding/text/times.ts'
import { selectDraft } from '../../../machines/server/schedule-editor/schedule-editor.selectors.ts'
import { selectSchedules, whyNoControl } from '../../../machines/server/session/session.selectors.ts'
import { Button, IconButton } from '../../parts/actions/button.tsx'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { RelativeTime } from '../../parts/display/relative-time.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { Switch } from '../../parts/fields/switch.tsx'
import { focusContentSoon } from '../../parts/focus-content.ts'
import { useWarningBeforeLeaving } from '../../hooks/use-leave-guard.ts'
import { usePageServer, useServer } from '../../hooks/server-context.ts'
import { Page } from '../page.tsx'
import { Section } from '../section.tsx'
import { BudgetNotes } from './budget-notes.tsx'
import { Effect } from './draft-bar.tsx'
import { MachinesWeek } from './machines-week.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import styles from './schedules.module.css'
import { Templates } from './templates.tsx'
import { ownZone } from '../../../folding/schedule/time-zone.ts'
import { useWhyNoDraft } from './use-draft.ts'
import { useExpected, type ExpectedAnswer } from './use-expected.ts'
import { WeekCost } from './week-cost.tsx'

type AnswerProps = { readonly answer: ExpectedAnswer }

function targetName(target: Target, clients: SchedulesAnswer['machines']): string {
  return targetText(
    target.kind === 'machine'
      ? { ...target, name: clients.find(({ address }) => address === target.name)?.name ?? target.name }
      : target,
  )
}

type CardProps = AnswerProps & { readonly schedule: Schedule; readonly position: number }

/** One schedule: whom it is for, and its rules in order. */
function Card({ answer, schedule, position }: CardProps) {
  const { session, editor } = useServer()
  const isDraft = useSelector(editor, snapshot => selectDraft(snapshot)?.id === schedule.id)
  const blocked = useWhyNoDraft()
  const notEdited = useWhyNoDraft(schedule.id)
  const isBusy = useSelector(session, snapshot => snapshot.hasTag('acting'))
  // With the button that deleted it.
  useEffect(() => () => focusContentSoon(), [])
  const { schedules, revision, machines: clients, conditions } = answer
  const { name, isEnabled, targets, rules, otherwise } = schedule
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
            blockedBecause={notEdited}
            onPress={() =>
              editor.send(isDraft ? { type: 'editor.showForm' } : { type: 'editor.open', schedule, at: position })
            }
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
      <p className="quiet type-3 pretty">{formatClauses(targets.map(target => targetName(target, clients)))}</p>
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
          <BudgetNotes answer={answer} schedule={schedule} />
          <WeekCost answer={answer} schedule={schedule} />
        </>
      ) : (
        <p className="quiet type-3 pretty">
          <Effect answer={answer} draft={schedule} />
        </p>
      )}
    </li>
  )
}

function valueText(value: number): string {
  return new Intl.NumberFormat(chosenLocales(), { maximumFractionDigits: 3 }).format(value)
}

/** The values that rules depend on. */
function Inputs({ answer: { inputs, lists, meters = [], schedules } }: AnswerProps) {
  const { session } = useServer()
  const blocked = useSelector(session, whyNoControl)
  const isPending = useSelector(session, snapshot => snapshot.hasTag('acting'))
  const used = inputsOf(schedules)
  const names = [...new Set([...used, ...inputs.map(({ name }) => name), ...lists, ...meters])]
  if (names.length === 0) return null
  return (
    <Section
      title={t`Inputs`}
      note={t`Programs send them to /api/server/inputs/<name>, with a token of the scope “inputs”.`}
    >
      <ul className={styles['list']}>
        {names.map(label => {
          const input = inputs.find(({ name }) => name === label)
          const isList = lists.includes(label)
          const value = isList ? t`Price` : t`No value yet`
          return (
            <li key={label} className="row between gap-2-4 pad-block-2 soft-line-below type-3">
              <code className={styles['rowName']}>{label}</code>
              <span>{input === undefined ? value : valueText(input.value)}</span>
              {input === undefined ? undefined : <RelativeTime at={parseTime(input.at) ?? 0} />}
              {meters.includes(label) ? (
                <IconButton
                  icon="reset"
                  label={t`Forget what was learned of the meter ${label}`}
                  blockedBecause={blocked}
                  isPending={isPending}
                  onPress={() => session.send({ type: 'session.do', task: { kind: 'resetMeter', name: label } })}
                />
              ) : undefined}
              {input === undefined && !isList ? undefined : (
                <IconButton
                  icon="trash"
                  label={t`Remove ${label}`}
                  blockedBecause={blocked}
                  isPending={isPending}
                  onPress={() => session.send({ type: 'session.do', task: { kind: 'removeInput', name: label } })}
                />
              )}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

function NewSchedule({ answer: { schedules } }: AnswerProps) {
  const { editor } = useServer()
  const schedule = (): Schedule => scheduleFrom([], undefined, schedules, ownZone())
  return (
    <Button
      kind="primary"
      icon="plus"
      blockedBecause={useWhyNoDraft()}
      onPress={() => editor.send({ type: 'editor.open', schedule: schedule(), at: undefined })}
    >
      {t`New schedule`}
    </Button>
  )
}

function List({ answer }: AnswerProps) {
  const isEmpty = answer.schedules.length === 0
  return (
    <Section
      title={isEmpty ? t`No schedules yet.` : t`Schedules`}
      note={
        isEmpty
          ? t`A schedule folds, pauses or finishes machines by the day of the week, on dates, or by inputs such as the price of electricity.`
          : t`The first schedule that decides for a machine wins. A schedule for a group of a machine is only for that group.`
      }
      tools={<NewSchedule answer={answer} />}
    >
      <ol className={styles['list']}>
        {answer.schedules.map((schedule, position) => (
          <Card key={schedule.id} answer={answer} schedule={schedule} position={position} />
        ))}
      </ol>
      <details open={isEmpty}>
        <summary className="fit-content pad-block-2 cursor-pointer">{t`Templates`}</summary>
        <Templates answer={answer} />
      </details>
    </Section>
  )
}

function Content() {
  const { session, editor } = useServer()
  const draft = useSelector(editor, selectDraft)
  const answer = useExpected(useSelector(session, selectSchedules), draft)
  const isForm = useSelector(editor, snapshot => snapshot.hasTag('form'))
  useWarningBeforeLeaving(draft !== undefined)
  if (answer === undefined) return <Skeleton label={t`Loading…`} shape="cards" />
  return (
    <div className={styles['screen']}>
      <p className="quiet type-3 pretty">
        {t`The server of this page keeps these schedules, also while no page is open. If it stops, machines keep the state that they have.`}
      </p>
      {isForm ? (
        <ScheduleForm answer={answer} />
      ) : (
        <>
          <List answer={answer} />
          <MachinesWeek answer={answer} />
          <Inputs answer={answer} />
        </>
      )}
    </div>
  )
}

/** Schedules that the server of this page keeps, what they decide now, and their next seven days. */
export function SchedulesScreen() {
  const server = usePageServer()
  return (
    <Page title={t`Schedules`}>
      {server === undefined ? (
        <EmptyState
          icon="wait"
          title={t`Schedules need a server`}
          actions={
            <>
              <ButtonLink kind="primary" to="/machines">
                {t`Show machines`}
              </ButtonLink>
              <ButtonLink to="/help/server-at-home">{t`Help`}</ButtonLink>
            </>
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
