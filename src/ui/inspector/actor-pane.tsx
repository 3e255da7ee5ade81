import { useState } from 'react'
import { SearchField } from '../parts/fields/search-field.tsx'
import styles from './inspector.module.css'
import { Outline, type OutlineItem } from './outline.tsx'
import { findActors, type ActorNode } from './watch/actor-tree.ts'
import { shortId } from './watch/stream.ts'

type Props = { readonly tree: ActorNode; readonly selected: string; readonly onSelect: (address: string) => void }

/** The root's address is empty, and an empty key is none. */
const keyOf = (address: string): string => `/${address}`
const addressOfKey = (key: string): string => key.slice(1)

const nameOf = ({ name, called }: ActorNode): string =>
  called === undefined || called === name ? name : `${called} (${shortId(name)})`

/** With so many children an actor is shown closed. */
const MANY = 60

const items = new WeakMap<ActorNode, OutlineItem>()

/** The same item for the same node, so that only what has changed is drawn again. */
const itemOf = (node: ActorNode): OutlineItem => {
  const known = items.get(node)
  if (known !== undefined) return known
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

const branchesOf = (node: ActorNode, mayBeMany: boolean): readonly string[] =>
  node.children.length === 0 || (!mayBeMany && node.children.length > MANY)
    ? []
    : [keyOf(node.address), ...node.children.flatMap(child => branchesOf(child, mayBeMany))]

/** All actors, each below the one that started it. */
export const ActorPane = ({ tree, selected, onSelect }: Props) => {
  const [words, setWords] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const found = findActors(tree, words)
  const branches = found === undefined ? [] : branchesOf(found, words !== '')
  return (
    <section aria-label="Actors" className={styles['actors']}>
      <SearchField label="Find actors" placeholder="Find by name or state" value={words} onChange={setWords} />
      <Outline
        label="Actors"
        items={found === undefined ? [] : [itemOf(found)]}
        expanded={branches.filter(key => !closed.has(key))}
        onExpanded={keys => setClosed(new Set(branches.filter(key => !keys.has(key))))}
        selected={keyOf(selected)}
        onSelect={key => onSelect(addressOfKey(key))}
        empty="No actor is called so, or is in such a state."
      />
    </section>
  )
}
