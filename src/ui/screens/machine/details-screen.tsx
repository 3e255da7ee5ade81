import { t } from '@lingui/core/macro'
import { shallowEqual, useSelector } from '@xstate/react'
import { DIRECT_ID } from '../../../folding/machine/client.ts'
import { detailGroups, detailsText, type DetailGroup } from '../../../folding/machine/details.ts'
import { formatIso, formatRelative } from '../../../folding/shared/times.ts'
import {
  selectAddresses,
  selectClientRef,
  selectOtherWays,
  selectReport,
} from '../../../machines/connection/fleet/fleet.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { classNames } from '../../parts/class-names.ts'
import { Banner } from '../../parts/feedback/banner.tsx'
import { useClock, useSystem } from '../../hooks/system-context.ts'
import { useCopy } from '../../hooks/use-copy.ts'
import { momentOf, useClient, useFact } from '../machines/client-context.ts'
import styles from './details-screen.module.css'
import { MachinePage } from './machine-page.tsx'

const Group = ({ title, details }: DetailGroup) => (
  <section className={styles['section']} aria-label={title}>
    <h2 className={styles['title']}>{title}</h2>
    <dl className={styles['list']}>
      {details.map(({ name, value, isCode = false }) => (
        <div key={name} className={styles['row']}>
          <dt>{name}</dt>
          <dd className={classNames(isCode && styles['code'])}>{value}</dd>
        </div>
      ))}
    </dl>
  </section>
)

/** What is shown may be old. */
const Age = () => {
  const isThere = useFact(({ context }) => context.connectedAt !== undefined)
  const heardAt = useFact(({ context }) => context.heardAt)
  const age = useClock(now => (heardAt === undefined ? undefined : formatRelative(heardAt, now)))
  if (isThere) return null
  return (
    <Banner tone="stale" icon="offline">
      {age === undefined
        ? t`The machine is not connected, and has said nothing yet.`
        : t`The machine is not connected. This is what it said ${age}.`}
    </Banner>
  )
}

const CopyAll = () => {
  const client = useClient()
  const { clock } = useSystem()
  const { copy, outcome } = useCopy()
  const text = (): string => {
    const snapshot = client.getSnapshot()
    return detailsText(
      detailGroups(snapshot.context.record.data?.info),
      formatIso(momentOf(snapshot, clock.getSnapshot().context.now)),
    )
  }
  return (
    <>
      <span role="status" className={styles['outcome']}>
        {outcome}
      </span>
      <Button icon="copy" onPress={() => copy('Details', text())}>
        {t`Copy all`}
      </Button>
    </>
  )
}

const Groups = () => {
  const info = useSelector(useClient(), ({ context }) => context.record.data?.info)
  return (
    <div className={styles['groups']}>
      {detailGroups(info).map(group => (
        <Group key={group.title} {...group} />
      ))}
    </div>
  )
}

const Connection = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const { fleet } = useSystem()
  const words = useSelector(fleet, snapshot => {
    const address = selectClientRef(id)(snapshot)?.getSnapshot().context.address
    const isThere = selectReport(id)(snapshot)?.isConnected === true
    return `${address ?? t`Your account`}, ${isThere ? 'connected' : t`not connected`}`
  })
  const address = selectClientRef(id)(fleet.getSnapshot())?.getSnapshot().context.address ?? ''
  const wasAdded = useSelector(fleet, snapshot => selectAddresses(snapshot).includes(address) && id !== DIRECT_ID)
  return (
    <div className={styles['row']}>
      <dt>{name}</dt>
      <dd className={styles['connection']}>
        {words}
        {wasAdded && name === ALSO ? (
          <Button isSmall onPress={() => fleet.send({ type: 'fleet.forget', id })}>
            {t`Stop connecting to ${address}`}
          </Button>
        ) : undefined}
      </dd>
    </div>
  )
}

const ALSO = t`Also`

/** In which ways the machine is reached, where there are several. */
const Connections = () => {
  const id = useFact(({ context }) => context.id)
  const others = useSelector(
    useSystem().fleet,
    snapshot => selectOtherWays(id)(snapshot).map(way => way.id),
    shallowEqual,
  )
  if (others.length === 0) return null
  return (
    <section className={styles['section']} aria-label={t`Connections`}>
      <h2 className={styles['title']}>{t`Connections`}</h2>
      <p className={styles['outcome']}>{t`This machine is reached in several ways. It is shown and counted once.`}</p>
      <dl className={styles['list']}>
        <Connection id={id} name={t`This page`} />
        {others.map(other => (
          <Connection key={other} id={other} name={ALSO} />
        ))}
      </dl>
    </section>
  )
}

/** What a machine says about itself and what it is made of. */
export const DetailsScreen = () => (
  <MachinePage title={t`Details`} actions={<CopyAll />}>
    <Age />
    <Connections />
    <Groups />
  </MachinePage>
)
