import { formatValue } from '../../../folding/format.ts'
import type { ClientSnapshot } from '../../../machines/connection/client/client.machine.ts'
import type { ClientInfo } from '../../../protocol/client-data.ts'
import { useFact } from '../machines/client-context.ts'
import styles from './details-screen.module.css'
import { MachinePage } from './machine-page.tsx'

type Detail = { readonly name: string; readonly read: (info: ClientInfo | undefined) => unknown }

const sections: readonly { readonly title: string; readonly details: readonly Detail[] }[] = [
  {
    title: 'Machine',
    details: [
      { name: 'Hostname', read: (info) => info?.hostname },
      { name: 'OS', read: (info) => info?.os },
      { name: 'Client Version', read: (info) => info?.version },
      { name: 'OS Version', read: (info) => info?.os_version },
      { name: 'Build Mode', read: (info) => info?.mode },
      { name: 'Revision', read: (info) => info?.revision },
      { name: 'Has Battery', read: (info) => info?.has_battery },
      { name: 'On Battery', read: (info) => info?.on_battery },
    ],
  },
  {
    title: 'CPU',
    details: [
      { name: 'Description', read: (info) => info?.cpu_brand },
      { name: 'Cores', read: (info) => info?.cpus },
      { name: 'Type', read: (info) => info?.cpu },
    ],
  },
]

const DetailRow = ({ name, read }: Detail) => {
  const value = useFact((snapshot: ClientSnapshot) => formatValue(read(snapshot.context.record.data?.info)))
  return (
    <div className={styles['row']}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

export const DetailsScreen = () => (
  <MachinePage title="Details">
    {sections.map(({ title, details }) => (
      <section key={title} className={styles['section']}>
        <h2 className={styles['title']}>{title}</h2>
        <dl className={styles['list']}>
          {details.map((detail) => (
            <DetailRow key={detail.name} {...detail} />
          ))}
        </dl>
      </section>
    ))}
  </MachinePage>
)
