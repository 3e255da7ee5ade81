import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { shallowEqual, useSelector } from '../../hooks/use-selector.ts'
import { DIRECT_ID } from '../../../folding/client/client.ts'
import { detailGroups, detailsText, type DetailGroup } from '../../../folding/client/details.ts'
import { UNKNOWN } from '../../../folding/text/format.ts'
import { formatIso, formatRelative } from '../../../folding/text/times.ts'
import { selectNow } from '../../../machines/app/clock/clock.selectors.ts'
import { isAwaited, selectAddress, selectId, selectInfo } from '../../../machines/connection/client/client.selectors.ts'
import type { FleetSnapshot } from '../../../machines/connection/fleet/fleet.machine.ts'
import {
  selectClientRef,
  selectDirectClients,
  selectOtherConnections,
  selectReport,
} from '../../../machines/connection/fleet/fleet.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { classNames } from '../../parts/class-names.ts'
import { Banner } from '../../parts/feedback/banner.tsx'
import { lazyComponent } from '../../parts/feedback/lazy-component.tsx'
import { UnknownFacts } from '../../parts/display/unknown-facts.tsx'
import { RelativeTime } from '../../parts/display/relative-time.tsx'
import { useIsAwaited, useIsRelayPending } from '../../hooks/use-relay-pending.ts'
import { usePageServer } from '../../hooks/server-context.ts'
import { useClock, useSystem } from '../../hooks/system-context.ts'
import { useCopy } from '../../hooks/use-copy.ts'
import { effectiveNow, useClient, useClientSelector } from '../../hooks/client-context.ts'
import styles from './details-screen.module.css'
import { OwnNames } from './own-names.tsx'
import { SubPage } from '../page.tsx'

const ThroughServer = lazyComponent(() => import('./through-server.tsx').then(m => m.ThroughServer), t`The connection`)

const ClientPower = lazyComponent(() => import('../power/client-power.tsx').then(m => m.ClientPower), t`Power`)

function Details({ details }: Pick<DetailGroup, 'details'>) {
  return (
    <dl className="line-below">
      {details.map(({ name, value, isCode = false }) => (
        <div key={name} className={styles['row']}>
          <dt>{name}</dt>
          <dd className={classNames(isCode && 'type-3 mono')}>
            <bdi {...(isCode ? { dir: 'ltr' } : {})}>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Group({ title, details }: DetailGroup) {
  const unknown = details.filter(({ value }) => value === UNKNOWN)
  return (
    <section className="grid content-start gap-2 shrink prose" aria-label={title}>
      <h2 className="type-5 strong">{title}</h2>
      <Details details={details.filter(({ value }) => value !== UNKNOWN)} />
      <UnknownFacts count={unknown.length}>
        <Details details={unknown} />
      </UnknownFacts>
    </section>
  )
}

/** Shown while the client is disconnected: how old its details are. */
function Age() {
  const isConnected = useClientSelector(snapshot => snapshot.context.connectedAt !== undefined)
  const reportedAt = useClientSelector(({ context }) => context.heardAt)
  const age = useClock(now => (reportedAt === undefined ? undefined : formatRelative(reportedAt, now)))
  const isLoading = useIsAwaited()
  if (isConnected) return null
  if (isLoading)
    return (
      <Banner tone="stale" icon="loading">
        {t`Connecting to the machine.`}{' '}
        {reportedAt === undefined ? undefined : (
          <Trans>
            as of <RelativeTime at={reportedAt} />
          </Trans>
        )}
      </Banner>
    )
  return (
    <Banner tone="stale" icon="offline" help="/help/when-something-is-wrong#out-of-reach">
      {age === undefined
        ? t`Disconnected. The machine has not reported anything yet.`
        : t`Disconnected. The machine reported these details ${age}.`}
    </Banner>
  )
}

function CopyAll() {
  const client = useClient()
  const { clock } = useSystem()
  const { copy, outcome } = useCopy()
  const text = (): string => {
    const snapshot = client.getSnapshot()
    return detailsText(
      detailGroups(selectInfo(snapshot)),
      formatIso(effectiveNow(snapshot, selectNow(clock.getSnapshot()))),
    )
  }
  return (
    <>
      <span role="status" className={styles['outcome']}>
        {outcome}
      </span>
      <Button icon="copy" onPress={() => copy(t`Details`, text())}>
        {t`Copy all`}
      </Button>
    </>
  )
}

function Groups() {
  const info = useSelector(useClient(), selectInfo)
  return (
    <div className={styles['groups']}>
      {detailGroups(info).map(group => (
        <Group key={group.title} {...group} />
      ))}
    </div>
  )
}

function addressOf(fleet: FleetSnapshot, id: string): string | undefined {
  const client = selectClientRef(id)(fleet)
  return client === undefined ? undefined : selectAddress(client.getSnapshot())
}

type ConnectionProps = {
  readonly id: string
  readonly label: string
  /** Whether it can be removed here, if the user added it. */
  readonly isRemovable?: boolean
}

function Connection({ id, label, isRemovable = false }: ConnectionProps) {
  const { fleet } = useSystem()
  const isPending = useIsRelayPending()
  const text = useSelector(fleet, snapshot => {
    const name = addressOf(snapshot, id) ?? t`Your account`
    const report = selectReport(id)(snapshot)
    const client = selectClientRef(id)(snapshot)?.getSnapshot()
    if (client !== undefined && isAwaited(isPending)(client) && report?.isAtRelay !== true) return name
    return report?.isConnected === true || report?.isAtRelay === true ? t`${name}, connected` : t`${name}, disconnected`
  })
  const address = addressOf(fleet.getSnapshot(), id) ?? ''
  const wasAdded = useSelector(
    fleet,
    snapshot => selectDirectClients(snapshot).some(client => client.address === address) && !id.startsWith(DIRECT_ID),
  )
  return (
    <div className={styles['row']}>
      <dt>{label}</dt>
      <dd className="row gap-2-4">
        {text}
        {wasAdded && isRemovable ? (
          <Button isSmall onPress={() => fleet.send({ type: 'fleet.disconnect', id })}>
            {t`Remove ${address}`}
          </Button>
        ) : undefined}
      </dd>
    </div>
  )
}

/** The client's connections, if there are several. */
function Connections() {
  const id = useClientSelector(selectId)
  const others = useSelector(
    useSystem().fleet,
    snapshot => selectOtherConnections(id)(snapshot).map(way => way.id),
    shallowEqual,
  )
  if (others.length === 0) return null
  return (
    <section className="grid content-start gap-2 shrink prose" aria-label={t`Connections`}>
      <h2 className="type-5 strong">{t`Connections`}</h2>
      <p className={styles['outcome']}>{t`This machine has several connections. It is shown and counted once.`}</p>
      <dl className="line-below">
        <Connection id={id} label={t`In use`} />
        {others.map(other => (
          <Connection key={other} id={other} label={t({ message: 'Other', context: 'connection' })} isRemovable />
        ))}
      </dl>
    </section>
  )
}

/** The client's software and hardware as it reports them (docs/product.md §2). */
export function DetailsScreen() {
  const server = usePageServer()
  return (
    <SubPage title={t`Hardware`} actions={<CopyAll />}>
      <Age />
      {server === undefined ? undefined : <ThroughServer />}
      <Connections />
      <Groups />
      <OwnNames />
      <ClientPower />
    </SubPage>
  )
}
