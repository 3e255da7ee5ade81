import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { actionBlockerOf } from '../../folding/client/actions.ts'
import { scopeTitle } from '../../folding/schedule/parts.ts'
import { boundaryText, choiceText, decisionText, inputsText, stateNames } from '../../folding/schedule/schedule-text.ts'
import type { SubjectAnswer } from '../../folding/schedule/server-answers.ts'
import { parseTime } from '../../folding/text/times.ts'
import type { FoldingState } from '../../protocol/client/commands.ts'
import {
  isAskedAbout,
  selectLimits,
  selectSchedules,
  whyNoControl,
} from '../../machines/server/session/session.selectors.ts'
import { Button } from '../parts/actions/button.tsx'
import { Icon, type IconName } from '../parts/icons/icon.tsx'
import { MenuButton } from '../parts/overlays/menu-button.tsx'
import type { MenuEntry } from '../parts/overlays/menu-popover.tsx'
import { useServer } from '../hooks/server-context.ts'
import { useClock } from '../hooks/system-context.ts'
import styles from './server.module.css'

const SENDING = t`Being sent to the machine…`

const conditionTexts: Readonly<Partial<Record<SubjectAnswer['condition'], string>>> = {
  changed: t`Somebody changed the state. A pause stays until somebody resumes it; any other state stays until the schedule’s next change.`,
  observing: t`Not applied: this server only observes this machine.`,
  away: t`The machine is not connected. This is applied when it is back.`,
  outdated: t`What is known of the machine is more than three minutes old. Nothing is done before it is newer.`,
  sending: SENDING,
  retrying: t`The machine did not obey. Trying again.`,
  starting: t`Waiting for the state of the machine.`,
}

const stateIcons: Readonly<Record<FoldingState, IconName>> = { fold: 'run', pause: 'pause', finish: 'finish' }

/** What is decided, by whom, until when, and how far that has come. */
export function SubjectReason({ subject }: { readonly subject: SubjectAnswer }) {
  const { session } = useServer()
  const schedules = useSelector(session, snapshot => selectSchedules(snapshot)?.schedules)
  const { wanted, schedule, rule, until, override, condition } = subject
  // The server’s own text is in its language.
  const choice = { ...(schedule === null ? {} : { schedule }), ...(rule === null ? {} : { rule }) }
  const because = schedules === undefined ? undefined : choiceText(choice, schedules)
  const text = useClock(now => {
    if (override !== null) {
      const end = parseTime(override.until ?? '')
      const name = stateNames[override.state]
      return end === undefined
        ? t`${name}, by ${override.by}, until the schedules are followed again`
        : t`${name} until ${boundaryText(end, now)}, by ${override.by}`
    }
    const end = parseTime(until ?? '')
    return decisionText(
      { ...(wanted === null ? {} : { state: wanted }), ...(end === undefined ? {} : { until: end }) },
      now,
    )
  })
  const values = useSelector(session, snapshot => {
    const answer = selectSchedules(snapshot)
    return answer === undefined ? undefined : inputsText(answer, subject)
  })
  return (
    <span className={styles['reason']}>
      <span className={styles['decision']} data-state={wanted ?? 'none'}>
        <Icon name={wanted === null ? 'minus' : stateIcons[wanted]} />
        {text}
      </span>
      {override === null && because !== undefined ? <span className="quiet">{because}</span> : undefined}
      {values === undefined ? undefined : <span className="quiet">{values}</span>}
      {conditionTexts[condition] === undefined ? undefined : <span className="quiet">{conditionTexts[condition]}</span>}
    </span>
  )
}

type Choice = { readonly state: FoldingState; readonly minutes: number | undefined }

const choices: Readonly<Record<string, Choice>> = {
  'pause-30': { state: 'pause', minutes: 30 },
  'pause-120': { state: 'pause', minutes: 120 },
  'pause-480': { state: 'pause', minutes: 480 },
  'pause-next': { state: 'pause', minutes: undefined },
  'fold-120': { state: 'fold', minutes: 120 },
  'fold-480': { state: 'fold', minutes: 480 },
  'fold-next': { state: 'fold', minutes: undefined },
  'finish-next': { state: 'finish', minutes: undefined },
}

const entries: readonly MenuEntry[] = [
  { id: 'pause-30', label: t`Pause for 30 minutes`, icon: 'do-pause' },
  { id: 'pause-120', label: t`Pause for 2 hours`, icon: 'do-pause' },
  { id: 'pause-480', label: t`Pause for 8 hours`, icon: 'do-pause' },
  { id: 'pause-next', label: t`Pause until the schedule’s next change`, icon: 'do-pause' },
  { id: 'fold-120', label: t`Fold for 2 hours`, icon: 'do-fold', startsGroup: true },
  { id: 'fold-480', label: t`Fold for 8 hours`, icon: 'do-fold' },
  { id: 'fold-next', label: t`Fold until the schedule’s next change`, icon: 'do-fold' },
  { id: 'finish-next', label: t`Finish until the schedule’s next change`, icon: 'do-finish', startsGroup: true },
]

type ActionsProps = {
  readonly client: number
  readonly name: string
  /** Undefined: nothing is decided for the client. */
  readonly subject: SubjectAnswer | undefined
}

/** What the user may do about the state of a client, and what is in the way. */
function useSubject({ client, subject }: ActionsProps) {
  const { session } = useServer()
  const blocked = useSelector(
    session,
    snapshot => actionBlockerOf('state', selectLimits(snapshot).get(client)) ?? whyNoControl(snapshot),
  )
  const isBusy = useSelector(session, snapshot => snapshot.hasTag('acting'))
  const group = subject?.group ?? undefined
  const isAsked = useSelector(session, isAskedAbout(client, group))
  const choose = (id: string): void => {
    const choice = choices[id]
    if (choice !== undefined && blocked === undefined)
      session.send({ type: 'session.do', task: { kind: 'override', machine: client, group, ...choice } })
  }
  return {
    blocked,
    isBusy,
    /** Says at once that it was asked. */
    status: (
      <span role="status" className={isAsked ? 'quiet type-2' : 'visually-hidden'}>
        {isAsked ? SENDING : ''}
      </span>
    ),
    mayFollow: subject !== undefined && (subject.override !== null || subject.condition === 'changed'),
    follow: () => session.send({ type: 'session.do', task: { kind: 'follow', machine: client, group } }),
    choose,
    entries: () => entries.map(entry => ({ ...entry, blockedBecause: blocked })),
  }
}

/** Gives a client a state for some time, or lets it follow its schedules again. */
export function SubjectActions(props: ActionsProps) {
  const { blocked, isBusy, status, mayFollow, follow, choose, ...menu } = useSubject(props)
  const { name } = props
  return (
    <span className="inline-flex wrap align-center gap-2">
      {status}
      {mayFollow ? (
        <Button isSmall icon="reset" blockedBecause={blocked} isPending={isBusy} onPress={follow}>
          {t`Follow schedules again`}
        </Button>
      ) : (
        <Button isSmall icon="do-pause" blockedBecause={blocked} isPending={isBusy} onPress={() => choose('pause-120')}>
          {t`Pause for 2 hours`}
        </Button>
      )}
      <MenuButton
        label={t`Pause, fold or finish ${name} for a time`}
        icon="more"
        entries={menu.entries}
        onChoose={choose}
      />
    </span>
  )
}

/** The name of a client, which opens the menu with the same actions. */
export function SubjectMenu(props: ActionsProps) {
  const { blocked, status, mayFollow, follow, choose, ...menu } = useSubject(props)
  const { name } = props
  return (
    <>
      <MenuButton
        label={t`Pause, fold or finish ${name} for a time`}
        icon="more"
        entries={() => [
          ...(mayFollow
            ? [{ id: 'follow', label: t`Follow schedules again`, icon: 'reset', blockedBecause: blocked } as const]
            : []),
          ...menu.entries().map((entry, at) => (mayFollow && at === 0 ? { ...entry, startsGroup: true } : entry)),
        ]}
        onChoose={id => (id === 'follow' ? follow() : choose(id))}
      >
        <bdi>{name}</bdi>
      </MenuButton>
      {status}
    </>
  )
}

/** The name of a client or of a group of it. */
export function subjectTitle(name: string, group: string | null): string {
  return group === null ? name : t`${name}, ${scopeTitle(group)}`
}
