import type { ReactElement } from 'react'
import { Collection } from 'react-aria-components/Collection'
import { Button, Tree, TreeItem, TreeItemContent, type Selection } from 'react-aria-components/Tree'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { IconButton } from '../parts/actions/button.tsx'
import { Icon } from '../parts/icons/icon.tsx'
import styles from './outline.module.css'

export type OutlineItem = {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly isBranch: boolean
  readonly children: readonly OutlineItem[]
}

type Props = {
  readonly label: string
  readonly items: readonly OutlineItem[]
  readonly expanded: Iterable<string>
  readonly onExpanded: (keys: ReadonlySet<string>) => void
  readonly selected?: string
  readonly onSelect?: (key: string) => void
  readonly onCopy?: (key: string) => void
  readonly empty: string
}

const ROW = 28

/** A virtualized tree of names and texts. */
export function Outline({ label, items, expanded, onExpanded, selected, onSelect, onCopy, empty }: Props) {
  const draw = (item: OutlineItem): ReactElement => (
    <TreeItem
      id={item.id}
      textValue={`${item.name} ${item.text}`.trim()}
      hasChildItems={item.isBranch}
      className={styles['row'] ?? ''}
    >
      <TreeItemContent>
        {item.isBranch ? (
          <Button slot="chevron" className={styles['chevron'] ?? ''}>
            <Icon name="chevron-right" />
          </Button>
        ) : (
          <span className={styles['chevron']} />
        )}
        <span className={styles['name']}>{item.name}</span>
        <span className="grow shrink cut quiet mono" title={item.text}>
          {item.text}
        </span>
        {onCopy === undefined ? undefined : (
          <IconButton isSmall icon="copy" label={`Copy ${item.name}`} onPress={() => onCopy(item.id)} />
        )}
      </TreeItemContent>
      <Collection items={item.children}>{draw}</Collection>
    </TreeItem>
  )
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowSize: ROW }}>
      <Tree
        aria-label={label}
        items={items}
        expandedKeys={expanded}
        onExpandedChange={keys => onExpanded(new Set([...keys].map(String)))}
        className="full-height overflow-auto no-outline"
        renderEmptyState={() => <p className="pad-3 quiet type-3">{empty}</p>}
        {...(onSelect === undefined
          ? {}
          : {
              selectionMode: 'single' as const,
              disallowEmptySelection: true,
              selectedKeys: selected === undefined ? [] : [selected],
              onSelectionChange: (keys: Selection) => {
                const key = keys === 'all' ? undefined : [...keys][0]
                if (key !== undefined) onSelect(String(key))
              },
            })}
      >
        {draw}
      </Tree>
    </Virtualizer>
  )
}
