import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Gravity, Incident } from '../../../folding/incidents/incident.ts'
import { clientsOf, type IncidentGroup } from '../../../folding/incidents/incident-groups.ts'
import { adviceOf, kindEntry, manyText, type IncidentAction } from '../../../folding/incidents/incident-kinds.ts'
import { formatLocalShort, HOUR, DAY } from '../../../folding/text/times.ts'
import { pathPart } from '../../../folding/address/web-address.ts'
import { selectNow } from '../../../machines/app/clock/clock.selectors.ts'
import { selectClientRef, selectMemberId } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { Badge } from '../../parts/display/badge.tsx'
import { RelativeTime } from '../../parts/display/relative-time.tsx'
import { StatusMark } from '../../parts/display/status-mark.tsx'
import type { Tone } from '../../parts/display/tone.ts'
import type { IconName } from '../../parts/icons/icon.tsx'
import { MenuButton } from '../../parts/overlays/menu-button.tsx'
import { focusContentSoon } from '../../parts/focus-content.ts'
import { ClientContext } from '../../hooks/client-context.ts'
import { useClock, useSystem } from '../../hooks/system-context.ts'
import { lineLogPath, logPath } from '../log/log-path.ts'
import { FoldControls } from '../machines/client/fold-controls.tsx'
import styles from './incident-card.module.css'
import { formatList } from '../../../folding/text/format.ts'

const CLIENT_DOWNLOAD = 'https://foldingathome.org/start-folding/'

const looks: Readonly<Record<Gravity, { readonly tone: Tone; readonly icon: IconName; readonly label: string }>> = {
  grave: { tone: 'failed', icon: 'fail', label: t`Critical` },
  warning: { tone: 'warning', icon: 'warning', label: t`Warning` },
  notice: { tone: 'paused', icon: 'info', label: t`Notice` },
}

export function gravityLook(gravity: Gravity) {
  return looks[gravity]
}

const SNOOZES: readonly { readonly id: string; readonly label: string; readonly seconds: number }[] = [
  { id: '1h', label: t`For an hour`, seconds: HOUR },
  { id: '8h', label: t`For 8 hours`, seconds: 8 * HOUR },
  { id: '1d', label: t`For a day`, seconds: DAY },
  { id: '7d', label: t`For a week`, seconds: 7 * DAY },
]

/** The line of the client's log that is about it. */
function logPathOf({ kind, evidence, machine: client, since }: Incident): string {
  const pattern = kindEntry(kind).logLines(evidence)
  return pattern === undefined ? logPath(client) : lineLogPath(client, pattern, evidence.answerAt ?? since)
}

function Remedy({ incident, action }: { readonly incident: Incident; readonly action: IncidentAction }) {
  const { machine: clientKey, evidence } = incident
  const client = useSelector(useSystem().fleet, snapshot =>
    selectClientRef(selectMemberId(clientKey)(snapshot) ?? '')(snapshot),
  )
  const isReaching = useSelector(client, snapshot => snapshot?.hasTag('loading') ?? false)
  switch (action) {
    case 'fold':
      return client === undefined ? (
        <Button icon="do-fold" blockedBecause={t`The machine is no longer listed.`}>
          {t`Fold`}
        </Button>
      ) : (
        <ClientContext value={client}>
          <FoldControls group={evidence.group ?? ''} name={incident.name} only="fold" hasWords />
        </ClientContext>
      )
    case 'reconnect':
      return (
        <Button icon="reset" isPending={isReaching} onPress={() => client?.send({ type: 'client.reconnect' })}>
          {t`Try now`}
        </Button>
      )
    case 'settings':
      return <ButtonLink to={`/${pathPart(clientKey)}/settings`}>{t`Settings`}</ButtonLink>
    case 'details':
      return <ButtonLink to={`/${pathPart(clientKey)}/details`}>{t`Details`}</ButtonLink>
    case 'download':
      return <ButtonLink to={CLIENT_DOWNLOAD}>{t`Download`}</ButtonLink>
    case 'log':
      return null
  }
}

function Cause({ incident }: { readonly incident: Incident }) {
  const cause = useClock(now => kindEntry(incident.kind).cause(incident, now))
  return <p className="pretty anywhere">{cause}</p>
}

/** Acknowledge, snooze, or ask for attention again. */
export function Handling({ incidents, name }: { readonly incidents: readonly Incident[]; readonly name: string }) {
  const { incidents: client, clock } = useSystem()
  const keys = incidents.map(({ key }) => key)
  const isOpen = incidents.some(({ state }) => state === 'open')
  // It moves to another list, with the control that was pressed.
  const send = (event: Parameters<typeof client.send>[0]): void => {
    client.send(event)
    focusContentSoon()
  }
  return (
    <>
      {isOpen ? (
        <Button icon="check" onPress={() => send({ type: 'incidents.acknowledge', keys })}>
          {t`Acknowledge`}
        </Button>
      ) : (
        <Button icon="reset" onPress={() => send({ type: 'incidents.reopen', keys })}>
          {t`Reopen`}
        </Button>
      )}
      <MenuButton
        label={t`Snooze: ${name}`}
        icon="wait"
        entries={() => SNOOZES}
        onChoose={id => {
          const seconds = SNOOZES.find(snooze => snooze.id === id)?.seconds
          if (seconds !== undefined)
            send({
              type: 'incidents.snooze',
              keys,
              until: selectNow(clock.getSnapshot()) + seconds * 1000,
            })
        }}
      />
    </>
  )
}

function StateBadge({ incident: { state, snoozedUntil } }: { readonly incident: Incident }) {
  if (state === 'acknowledged') return <Badge tone="done" icon="done">{t`Acknowledged`}</Badge>
  if (state !== 'snoozed') return null
  return <Badge tone="paused" icon="wait">{t`Until ${formatLocalShort(snoozedUntil)}`}</Badge>
}

type CardProps = {
  readonly incident: Incident
  /** Beside what it is about, the client's name is not needed. */
  readonly isOnClient?: boolean
}

/** One incident: what, where, since when, why, and what to do. */
export function IncidentCard({ incident, isOnClient = false }: CardProps) {
  const { kind, machine: client, name, since, times, gravity } = incident
  const { title, action } = kindEntry(kind)
  const { tone, icon } = looks[gravity]
  return (
    <li className={styles['card']} data-gravity={gravity}>
      <div className={styles['head']}>
        <StatusMark tone={tone} icon={icon} text={title} />
        {isOnClient ? undefined : (
          <Link to={`/${pathPart(client)}`} className={styles['machine']}>
            <bdi>{name}</bdi>
          </Link>
        )}
        <span className="quiet type-3">
          <Trans>
            since <RelativeTime at={since} />
          </Trans>
        </span>
        {times > 1 ? <Badge tone="waiting" icon="warning">{t`${times} times`}</Badge> : undefined}
        <StateBadge incident={incident} />
      </div>
      <Cause incident={incident} />
      <p className="quiet type-3 pretty anywhere">{adviceOf(incident)}</p>
      <div className="row gap-2">
        <Remedy incident={incident} action={action} />
        <ButtonLink to={logPathOf(incident)}>{t`Log`}</ButtonLink>
        {incident.evidence.unitId === undefined ? undefined : (
          <ButtonLink to={`/unit/${pathPart(incident.evidence.unitId)}`}>{t`Work unit`}</ButtonLink>
        )}
        <ButtonLink to={`/help/when-something-is-wrong?kind=${kind}`}>{t`Help`}</ButtonLink>
        <Handling incidents={[incident]} name={`${title}, ${name}`} />
      </div>
    </li>
  )
}

/** Incidents of a group that are shown at first. */
const SHOWN = 50
const MAX_NAMES = 4

function groupText(group: IncidentGroup): string {
  const [{ kind }] = group.incidents
  const count = group.incidents.length
  const tags = formatList(group.tags)
  const text = t`${manyText(kind, count)} since ${formatLocalShort(group.since)}`
  return tags === '' ? text : t`${text}, all tagged ${tags}`
}

function namesText(group: IncidentGroup): string {
  const names = [...new Set(group.incidents.map(({ name }) => name))]
  const more = clientsOf(group).length - MAX_NAMES
  const shown = formatList(names.slice(0, MAX_NAMES))
  return more > 0 ? t`${shown} and ${plural(more, { one: '# more', other: '# more' })}` : shown
}

/** Incidents of one kind that began together, as one line that opens to all of them. */
export function IncidentGroupCard({ group }: { readonly group: IncidentGroup }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState(SHOWN)
  const { incidents } = group
  const [first] = incidents
  if (incidents.length === 1) return <IncidentCard incident={first} />
  const { tone, icon } = looks[first.gravity]
  const text = groupText(group)
  return (
    <li className={styles['card']} data-gravity={first.gravity}>
      <div className={styles['head']}>
        <StatusMark tone={tone} icon={icon} text={text} />
        <StateBadge incident={first} />
      </div>
      <p className="quiet type-3 pretty anywhere">{namesText(group)}</p>
      <div className="row gap-2">
        <button type="button" className={styles['opener']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t`Hide them` : t`Show them one by one`}
        </button>
        <Handling incidents={incidents} name={text} />
      </div>
      {isOpen ? (
        <ul className={styles['members']}>
          {incidents.slice(0, shown).map(incident => (
            <IncidentCard key={incident.key} incident={incident} />
          ))}
        </ul>
      ) : undefined}
      {isOpen && incidents.length > shown ? (
        <Button isSmall onPress={() => setShown(shown + SHOWN)}>
          {t`Show ${Math.min(SHOWN, incidents.length - shown)} more`}
        </Button>
      ) : undefined}
    </li>
  )
}
