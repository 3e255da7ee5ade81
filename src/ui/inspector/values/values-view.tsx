import { useState } from 'react'
import { Outline } from '../outline.tsx'
import { branchesOf, copyOf, valueTree, type ValueNode } from './value-tree.ts'

type Props = {
  readonly label: string
  readonly value: unknown
  readonly query?: string
  readonly clean: (text: string) => string
  readonly onCopy: (what: string, text: string) => void
}

function nodeAt(nodes: readonly ValueNode[], id: string): ValueNode | undefined {
  for (const node of nodes) {
    if (node.id === id) return node
    const below = id.startsWith(`${node.id}/`) ? nodeAt(node.children, id) : undefined
    if (below !== undefined) return below
  }
  return undefined
}

/** A value as a tree, with secrets masked. */
export function ValuesView({ label, value, query = '', clean, onCopy }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const nodes = valueTree(value, opened, query, clean)
  const copy = (id: string): void => {
    const node = nodeAt(nodes, id)
    if (node !== undefined) onCopy(node.name, copyOf(node.value, clean))
  }
  return (
    <Outline
      label={label}
      items={nodes}
      expanded={query.trim() === '' ? opened : branchesOf(nodes)}
      onExpanded={setOpened}
      onCopy={copy}
      empty={query === '' ? 'Empty.' : 'No matches.'}
    />
  )
}
