import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs'
import styles from './tabs.module.css'

export type TabEntry = { readonly id: string; readonly label: string; readonly content: ReactNode }

type Props = {
  readonly label: string
  readonly tabs: readonly TabEntry[]
  readonly selected: string
  readonly onChange: (id: string) => void
}

export const Tabs = ({ label, tabs, selected, onChange }: Props) => {
  const list = useRef<HTMLDivElement>(null)
  // The list scrolls where it is wider than the screen. The page itself must not scroll.
  useLayoutEffect(() => {
    const box = list.current
    const tab = box?.querySelector<HTMLElement>('[aria-selected=true]')
    if (!box || !tab) return
    const [frame, own] = [box.getBoundingClientRect(), tab.getBoundingClientRect()]
    box.scrollLeft += own.left + own.width / 2 - frame.left - frame.width / 2
  }, [selected])
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={key => onChange(String(key))} className={styles['tabs'] ?? ''}>
      <TabList ref={list} aria-label={label} className={styles['list'] ?? ''}>
        {tabs.map(({ id, label: text }) => (
          <Tab key={id} id={id} className={styles['tab'] ?? ''}>
            <bdi>{text}</bdi>
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles['panel'] ?? ''}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
