import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { GRAVITIES, type Gravity, type Incident } from '../../../folding/incidents/incident.ts'
import { groupIncidents } from '../../../folding/incidents/incident-groups.ts'
import { tagsOfClient } from '../../../folding/fleet/tags.ts'
import { formatInterval } from '../../../folding/text/times.ts'
import { areIncidentsLoaded, selectIncidents } from '../../../machines/incidents/incidents/incidents.selectors.ts'
import { selectTags } from '../../../machines/fleet/tags/tags.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Segments } from '../../parts/actions/segments.tsx'
import { Tabs } from '../../parts/actions/tabs.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { Banner } from '../../parts/feedback/banner.tsx'
import { lazyComponent } from '../../parts/feedback/lazy-component.tsx'
import { focusContentSoon } from '../../parts/focus-content.ts'
import { usePageServer } from '../../hooks/server-context.ts'
import { useClock, useSystem } from '../../hooks/system-context.ts'
import { Page } from '../page.tsx'
import { Section } from '../section.tsx'
import { WhenLoaded } from '../when-loaded.tsx'
import styles from './attention.module.css'
import { AttentionSettings } from './attention-settings.tsx'
import { EndedIncidents } from './ended-incidents.tsx'
import { gravityLook, IncidentGroupCard } from './incident-card.tsx'
import { formatNumber } from '../../../folding/text/format.ts'

type Shown = 'all' | Gravity
type Tab = 'incidents' | 'history' | 'settings' | 'alerts'

function isGravity(value: string | null): value is Gravity {
  return GRAVITIES.some(gravity => gravity === value)
}

const filters: readonly { readonly id: Shown; readonly label: string }[] = [
  { id: 'all', label: t({ message: 'All', context: 'incidents' }) },
  { id: 'grave', label: t`Critical` },
  { id: 'warning', label: t`Warnings` },
  { id: 'notice', label: t`Notices` },
]

function Groups({ incidents, label }: { readonly incidents: readonly Incident[]; readonly label: string }) {
  const tags = useSelector(useSystem().tags, selectTags)
  const groups = useMemo(() => groupIncidents(incidents, client => tagsOfClient(tags, client)), [incidents, tags])
  return (
    <ul className={styles['list']} aria-label={label}>
      {groups.map(group => (
        <IncidentGroupCard key={group.key} group={group} />
      ))}
    </ul>
  )
}

/** Waits that need no action yet. */
function Waits() {
  const waits = useSelector(useSystem().incidents, ({ context }) => context.waits)
  const all = [...waits.values()].flat()
  const longest = useClock(now => formatInterval((now - Math.min(now, ...all.map(({ since }) => since))) / 1000))
  if (all.length === 0) return null
  return (
    <p className="quiet type-3 pretty">
      {plural(all.length, {
        one: `Normal for now: # wait for work, for ${longest}.`,
        other: `Normal for now: # waits for work, the longest for ${longest}.`,
      })}
    </p>
  )
}

function Trouble() {
  const { incidents } = useSystem()
  const fault = useSelector(incidents, ({ context }) => context.storeFault)
  const reason = useSelector(incidents, ({ context }) => context.trouble)
  return (
    <>
      {fault === undefined ? undefined : (
        <Banner tone="warning" icon="warning" help="/help/when-something-is-wrong#the-browser-stores-nothing">
          {t`This browser does not store incidents: what you acknowledge lasts until the page is closed.`}
        </Banner>
      )}
      {reason === undefined ? undefined : (
        <Banner tone="warning" icon="warning" help="/help/phone-and-tablet#be-told">
          {t`The notification could not be shown: ${reason}`}
        </Banner>
      )}
    </>
  )
}

function Current() {
  const { incidents: client } = useSystem()
  const [params, setParams] = useSearchParams()
  const incidents = useSelector(client, selectIncidents)
  const isLoaded = useSelector(client, areIncidentsLoaded)
  const wanted = params.get('show')
  const shown = isGravity(wanted) ? incidents.filter(({ gravity }) => gravity === wanted) : incidents
  const open = shown.filter(({ state }) => state === 'open')
  const handled = shown.filter(({ state }) => state !== 'open')
  const summary = GRAVITIES.flatMap(gravity => {
    const count = incidents.filter(incident => incident.gravity === gravity && incident.state === 'open').length
    return count === 0 ? [] : [`${gravityLook(gravity).label}: ${formatNumber(count)}`]
  }).join(' · ')
  return (
    <>
      <div className="row gap-2-4 pad-top-4">
        <Segments
          label={t`Show`}
          segments={filters}
          value={isGravity(wanted) ? wanted : 'all'}
          onChange={show =>
            setParams(
              now => {
                const next = new URLSearchParams(now)
                if (show === 'all') next.delete('show')
                else next.set('show', show)
                return next
              },
              { preventScrollReset: true, replace: true },
            )
          }
        />
        <span role="status" className="quiet type-3 pretty">
          {summary}
        </span>
        {open.length > 1 ? (
          <Button
            isSmall
            icon="check"
            onPress={() => {
              client.send({ type: 'incidents.acknowledge', keys: open.map(({ key }) => key) })
              focusContentSoon()
            }}
          >
            {t`Acknowledge all ${open.length}`}
          </Button>
        ) : undefined}
      </div>
      <Trouble />
      {isLoaded ? undefined : <Skeleton label={t`Loading…`} shape="cards" />}
      {isLoaded && shown.length === 0 ? (
        <EmptyState icon="done" title={t`Nothing needs attention`}>
          <p>{t`All machines are checked continuously while this page is open. What needs a person is listed here.`}</p>
        </EmptyState>
      ) : undefined}
      {open.length > 0 ? <Groups incidents={open} label={t`Open incidents`} /> : undefined}
      <Waits />
      {handled.length > 0 ? (
        <Section title={t`Acknowledged and snoozed`} className="pad-top-4">
          <Groups incidents={handled} label={t`Acknowledged and snoozed`} />
        </Section>
      ) : undefined}
    </>
  )
}

const ServerAlertsTab = lazyComponent(() => import('./server-alerts.tsx').then(m => m.ServerAlerts), t`This list`)

function tabOf(params: URLSearchParams): Tab {
  const tab = params.get('tab')
  return tab === 'history' || tab === 'settings' || tab === 'alerts' ? tab : 'incidents'
}

/** What needs a person: incidents of all clients, those that are over, and the rules. */
export function AttentionScreen() {
  const { incidents } = useSystem()
  const [params, setParams] = useSearchParams()
  const hasServer = usePageServer() !== undefined
  const tab = tabOf(params)
  useEffect(() => incidents.send({ type: 'incidents.open' }), [incidents])
  return (
    <Page title={t`Attention`} subtitle={t`Problems of your machines that need a person, the most severe first.`}>
      <WhenLoaded part="incidents" what={t`This screen`} shape="cards">
        <Tabs
          label={t`Attention`}
          selected={tab === 'alerts' && !hasServer ? 'incidents' : tab}
          onChange={next =>
            setParams(next === 'incidents' ? {} : { tab: next }, { preventScrollReset: true, replace: true })
          }
          tabs={[
            { id: 'incidents', label: t`Incidents`, content: <Current /> },
            { id: 'history', label: t`History`, content: <EndedIncidents /> },
            { id: 'settings', label: t`Rules and notifications`, content: <AttentionSettings /> },
            ...(hasServer ? [{ id: 'alerts' as const, label: t`Alerts`, content: <ServerAlertsTab /> }] : []),
          ]}
        />
      </WhenLoaded>
    </Page>
  )
}
