import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useEffect } from 'react'
import type { AlertChannel, AlertMessage, AlertPerson, AlertsAnswer } from '../../../folding/incidents/alert-answers.ts'
import { kindEntry } from '../../../folding/incidents/incident-kinds.ts'
import { formatLocalShort, parseTime } from '../../../folding/text/times.ts'
import { selectTaskFault, testOutcome } from '../../../machines/server/alerts/server-alerts.selectors.ts'
import type { BrowserPush } from '../../../machines/server/alerts/server-alerts.events.ts'
import { Button } from '../../parts/actions/button.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { RelativeTime } from '../../parts/display/relative-time.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { StatusMark } from '../../parts/display/status-mark.tsx'
import { Banner } from '../../parts/feedback/banner.tsx'
import { Switch } from '../../parts/fields/switch.tsx'
import { useServer } from '../../hooks/server-context.ts'
import { Section } from '../section.tsx'
import styles from './attention.module.css'
import { gravityLook } from './incident-card.tsx'
import { formatList } from '../../../folding/text/format.ts'

const browserTexts: Readonly<Partial<Record<BrowserPush, string>>> = {
  unsupported: t`This browser cannot show alerts of the server on this page. It needs a page over https:// or on this computer, and support for Web Push.`,
  denied: t`This browser was told not to show notifications of this page. Allow them in the browser’s settings for this page.`,
}

/** Alerts of the server in this browser, also while the page is closed. */
function ThisBrowser() {
  const { alerts } = useServer()
  const answer = useSelector(alerts, ({ context }) => context.known)
  const task = useSelector(alerts, ({ context }) => context.task)
  if (answer === undefined) return null
  const { push, browser } = answer
  const blocked =
    push.key === null ? t`The settings of the server have no channel of the kind push.` : browserTexts[browser]
  return (
    <Section
      title={t`This browser`}
      note={t`Alerts come as notifications, also while this page is closed. They are encrypted: the push service of the browser cannot read them.`}
    >
      <div className="stack justify-start gap-3">
        <Switch
          isSelected={browser === 'on'}
          isDisabled={(blocked !== undefined && browser !== 'on') || task !== undefined}
          onChange={isOn => alerts.send({ type: 'alerts.do', task: { kind: isOn ? 'subscribe' : 'unsubscribe' } })}
        >
          {t`Show alerts of the server in this browser`}
        </Switch>
        {blocked === undefined ? undefined : <p className="quiet type-3 pretty">{blocked}</p>}
        {push.browsers > 0 ? (
          <p className="quiet type-3 pretty">
            {plural(push.browsers, {
              one: '# browser of yours shows alerts.',
              other: '# browsers of yours show alerts.',
            })}
          </p>
        ) : undefined}
      </div>
    </Section>
  )
}

function LastMessage({ last }: Pick<AlertChannel, 'last'>) {
  if (last === null) return <span className="quiet type-3 pretty">{t`Nothing was sent yet.`}</span>
  const { at, outcome, reason, isTrial } = last
  const isGood = outcome === 'delivered'
  const what = isGood ? (isTrial ? t`Test sent` : t`Message sent`) : isTrial ? t`Test failed` : t`Message failed`
  return (
    <span className="row gap-1-3 anywhere">
      <StatusMark tone={isGood ? 'done' : 'warning'} icon={isGood ? 'check' : 'warning'} text={what} />
      <RelativeTime at={parseTime(at) ?? 0} />
      {reason === null ? undefined : <span className="quiet type-3 pretty">{reason}</span>}
    </span>
  )
}

function Channel({ channel: { name, label, last, waiting, retrying } }: { readonly channel: AlertChannel }) {
  const { alerts } = useServer()
  const task = useSelector(alerts, ({ context }) => context.task)
  const outcome = useSelector(
    alerts,
    snapshot => testOutcome(snapshot, name),
    (a, b) => a?.text === b?.text,
  )
  const isTesting = task?.kind === 'test' && task.channel === name
  return (
    <li className="stack content-start gap-3 pad-4 panel type-3">
      <div className={styles['channelHead']}>
        <h3 className={styles['channelName']}>
          <bdi>{name}</bdi>
        </h3>
        <span className="quiet type-3 pretty">{label}</span>
        <Button
          isSmall
          icon="news"
          isPending={isTesting}
          blockedBecause={task !== undefined && !isTesting ? t`Another request is on its way.` : undefined}
          onPress={() => alerts.send({ type: 'alerts.do', task: { kind: 'test', channel: name } })}
        >
          {t`Send a test by ${name}`}
        </Button>
      </div>
      <LastMessage last={last} />
      {waiting + retrying === 0 ? undefined : (
        <span className="quiet type-3 pretty">
          {formatList([
            ...(waiting === 0 ? [] : [plural(waiting, { one: '# message waits', other: '# messages wait' })]),
            ...(retrying === 0 ? [] : [plural(retrying, { one: '# is tried again', other: '# are tried again' })]),
          ])}
        </span>
      )}
      <div role="status">
        {outcome === undefined ? undefined : (
          <Banner tone={outcome.isGood ? 'done' : 'warning'} icon={outcome.isGood ? 'check' : 'warning'}>
            {outcome.text}
          </Banner>
        )}
      </div>
    </li>
  )
}

function factsOf(person: AlertPerson): readonly { readonly label: string; readonly text: string }[] {
  const {
    channels,
    together,
    escalateMinutes,
    least,
    kinds,
    machines: clients,
    digestMinutes,
    recovery,
    quiet,
  } = person
  const way =
    together || channels.length === 1
      ? formatList(channels)
      : t`${channels.reduce((before, next) => t`${before}, then ${next}`)}; the next one after ${escalateMinutes} minutes, unless somebody acknowledged it`
  return [
    { label: t`Channels`, text: way },
    {
      label: t`Incidents`,
      text:
        kinds === null
          ? t`All kinds, from ‘${gravityLook(least).label}’ up`
          : t`${formatList(kinds.map(kind => kindEntry(kind).title))}; from ‘${gravityLook(least).label}’ up`,
    },
    { label: t`Machines`, text: clients === null ? t({ message: 'All', context: 'machines' }) : formatList(clients) },
    {
      label: t`Digest`,
      text: plural(digestMinutes, {
        0: 'No: each incident at once',
        one: 'What begins within # minute is in one message',
        other: 'What begins within # minutes is in one message',
      }),
    },
    {
      label: t`Quiet hours`,
      text:
        quiet === null
          ? t`None`
          : quiet.except.length === 0
            ? t`${quiet.from} to ${quiet.until}, ${quiet.zone}`
            : t`${quiet.from} to ${quiet.until}, ${quiet.zone}; not for: ${formatList(quiet.except.map(gravity => gravityLook(gravity).label))}`,
    },
    { label: t`When it is over`, text: recovery ? t`A message says so` : t`No message` },
  ]
}

function Person({ person }: { readonly person: AlertPerson }) {
  return (
    <li className="stack content-start gap-3 pad-4 panel type-3">
      <h3 className={styles['channelName']}>
        <bdi>{person.name}</bdi>
      </h3>
      <dl className={styles['facts']}>
        {factsOf(person).map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

const stateTexts: Readonly<Record<AlertMessage['state'], string>> = {
  queued: t`Planned`,
  held: t`Held by quiet hours`,
  ready: t`Being sent`,
  sending: t`Being sent`,
  retrying: t`Failed, is tried again`,
  delivered: t`Sent`,
  'given-up': t`Given up`,
  unknown: t`May have arrived`,
  unneeded: t`Not needed any more`,
}

function messageLook(state: AlertMessage['state']) {
  return state === 'delivered'
    ? ({ tone: 'done', icon: 'check' } as const)
    : state === 'given-up' || state === 'unknown' || state === 'retrying'
      ? ({ tone: 'warning', icon: 'warning' } as const)
      : ({ tone: 'stale', icon: 'wait' } as const)
}

function MessageRow({ message }: { readonly message: AlertMessage }) {
  const { person, channel, state, alerts, error, due, settled } = message
  return (
    <tr>
      <td>
        <StatusMark {...messageLook(state)} text={stateTexts[state]} />
      </td>
      <td data-label={t`For`}>
        <bdi>{person}</bdi>
      </td>
      <td data-label={t`Channel`}>
        <bdi>{channel}</bdi>
      </td>
      <td data-label={t`Incidents`} className="figures">
        {alerts === 0 ? t`not yet known` : alerts}
      </td>
      <td data-label={t`Time`} className="figures">
        {formatLocalShort(parseTime(settled ?? due) ?? 0)}
      </td>
      <td>{error}</td>
    </tr>
  )
}

function Outbox({ messages }: Pick<AlertsAnswer, 'messages'>) {
  return (
    <Section title={t`Messages`} note={t`The newest first. Messages that are over are kept for 90 days.`}>
      {messages.length === 0 ? (
        <p className="quiet type-3 pretty">{t`No alerts have been sent yet.`}</p>
      ) : (
        <table className={styles['ended']}>
          <thead>
            <tr>
              <th scope="col">{t`State`}</th>
              <th scope="col">{t`For`}</th>
              <th scope="col">{t`Channel`}</th>
              <th scope="col">{t`Incidents`}</th>
              <th scope="col">{t`Time`}</th>
              <th scope="col">{t`Reason`}</th>
            </tr>
          </thead>
          <tbody>
            {messages.map(message => (
              <MessageRow key={message.id} message={message} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}

function Administration({ answer: { channels, people, messages } }: { readonly answer: AlertsAnswer }) {
  if (channels.length === 0)
    return (
      <EmptyState icon="news" title={t`The server has no channels yet`}>
        <p>{t`Its file of settings names channels such as email, ntfy or Web Push, and who is told of what: sections [[channels]] and [[alerts]].`}</p>
      </EmptyState>
    )
  return (
    <>
      <Section title={t`Channels`} note={t`Ways to reach people, as the settings of the server have them.`}>
        <ul className={styles['channels']}>
          {channels.map(channel => (
            <Channel key={channel.name} channel={channel} />
          ))}
        </ul>
      </Section>
      <Section title={t`Who is told of what`} note={t`From the file of settings of the server.`}>
        {people.length === 0 ? (
          <p className="quiet type-3 pretty">{t`Nobody: the settings have no section [[alerts]].`}</p>
        ) : (
          <ul className={styles['channels']}>
            {people.map(person => (
              <Person key={person.name} person={person} />
            ))}
          </ul>
        )}
      </Section>
      <Outbox messages={messages} />
    </>
  )
}

/** Alerts of the server: its channels with tests, who is told of what, and what became of messages. */
export function ServerAlerts() {
  const { alerts } = useServer()
  const answer = useSelector(alerts, ({ context }) => context.known)
  const isAway = useSelector(alerts, snapshot => snapshot.hasTag('failed'))
  const fault = useSelector(alerts, selectTaskFault)
  useEffect(() => {
    alerts.send({ type: 'alerts.open' })
    return () => alerts.send({ type: 'alerts.close' })
  }, [alerts])
  return (
    <div className="stack gap-6 pad-top-4">
      {isAway ? (
        <Banner
          tone="warning"
          icon="offline"
          help="/help/when-something-is-wrong#the-server-of-the-page-does-not-answer"
        >
          {t`The server does not answer. What is shown was known before.`}
        </Banner>
      ) : undefined}
      {fault === undefined ? undefined : (
        <Banner
          tone="warning"
          icon="warning"
          isUrgent
          help="/help/when-something-is-wrong#the-server-of-the-page-does-not-answer"
        >
          {fault}
        </Banner>
      )}
      {answer === undefined && !isAway ? <Skeleton label={t`Loading…`} rows={4} /> : undefined}
      <ThisBrowser />
      {answer === undefined ? undefined : answer.alerts === undefined ? (
        <p className="quiet type-3 pretty">{t`Only administrators of the server see its channels and messages.`}</p>
      ) : (
        <Administration answer={answer.alerts} />
      )}
    </div>
  )
}
