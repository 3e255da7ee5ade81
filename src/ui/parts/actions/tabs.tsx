import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs'
import styles from './tabs.module.css'

export type TabEntry = { readonly id: string; readonly label: string; readonly content: ReactNode }

type Props = {
  readonly label: string
  readonly tabs: readonly TabEntry[]
  readonly selected: string
  readonly onChange: (id: string) => void
}

export function Tabs({ label, tabs, selected, onChange }: Props) {
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={key => onChange(String(key))} className="stack gap-5">
      <TabList aria-label={label} className={styles['list'] ?? ''}>
        {tabs.map(({ id, label: text }) => (
          <Tab key={id} id={id} className={styles['tab'] ?? ''}>
            <bdi>{text}</bdi>
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="no-outline">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
