import { useState } from 'react'
import { SearchField } from '../parts/fields/search-field.tsx'
import styles from './inspector.module.css'
import { Outline, type OutlineItem } from './outline.tsx'
import { findActors, type ActorNode } from './watch/actor-tree.ts'
import { shortId } from './watch/received-events.ts'

type Props = { readonly tree: ActorNode; readonly selected: string; readonly onSelect: (address: string) => void }

/** The root's address is empty, but keys must not be. */
function keyOf(address: string): string {
  return `/${address}`
}

function nameOf({ name, label }: ActorNode): string {
  return label === undefined || label === name ? name : `${label} (${shortId(name)})`
}

/** Actors with more children than this are collapsed at first. */
const MANY = 60

const items = new WeakMap<ActorNode, OutlineItem>()

/** The same item for the same node, so that only changed rows render. */
function itemOf(node: ActorNode): OutlineItem {
  const cached = items.get(node)
  if (cached !== undefined) return cached
  const item = {
    id: keyOf(node.address),
    name: nameOf(node),
    text: node.state,
    isBranch: node.children.length > 0,
    children: node.children.map(itemOf),
  }
  items.set(node, item)
  return item
}

function branchesOf(node: ActorNode, mayBeMany: boolean): readonly string[] {
  return node.children.length === 0 || (!mayBeMany && node.children.length > MANY)
    ? []
    : [keyOf(node.address), ...node.children.flatMap(child => branchesOf(child, mayBeMany))]
}

export function ActorPane({ tree, selected, onSelect }: Props) {
  const [query, setQuery] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const found = findActors(tree, query)
  const branches = found === undefined ? [] : branchesOf(found, query !== '')
  return (
    <section aria-label="Actors" className={styles['actors']}>
      <SearchField label="Find actors" placeholder="Find by name or state" value={query} onChange={setQuery} />
      <Outline
        label="Actors"
        items={found === undefined ? [] : [itemOf(found)]}
        expanded={branches.filter(key => !closed.has(key))}
        onExpanded={keys => setClosed(new Set(branches.filter(key => !keys.has(key))))}
        selected={keyOf(selected)}
        onSelect={key => onSelect(key.slice(1))}
        empty="No actors match."
      />
    </section>
  )
}
