import { useSelector } from '@xstate/react'
import { detailGroups, detailsText, type DetailGroup } from '../../../folding/details.ts'
import { formatIso, formatRelative } from '../../../folding/times.ts'
import { Button } from '../../parts/actions/button.tsx'
import { classNames } from '../../parts/class-names.ts'
import { Banner } from '../../parts/feedback/banner.tsx'
import { useClock, useSystem } from '../../system-context.ts'
import { useCopy } from '../../use-copy.ts'
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
        ? 'The machine is not connected, and has said nothing yet.'
        : `The machine is not connected. This is what it said ${age}.`}
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
        Copy all
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

/** What a machine says about itself and what it is made of. */
export const DetailsScreen = () => (
  <MachinePage title="Details" actions={<CopyAll />}>
    <Age />
    <Groups />
  </MachinePage>
)
