import type { Page } from '@playwright/test'

/** As Chromium writes it: nodes and edges are rows of numbers, one behind the other. */
type Snapshot = {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[]
      readonly node_types: readonly [readonly string[], ...unknown[]]
      readonly edge_fields: readonly string[]
      readonly edge_types: readonly [readonly string[], ...unknown[]]
    }
  }
  readonly nodes: readonly number[]
  readonly edges: readonly number[]
  readonly strings: readonly string[]
}

/**
 * What holds a string with one of these texts in a page's memory: the way to each from the root, names of fields and
 * objects.
 */
export async function holdersOf(page: Page, texts: readonly string[]): Promise<readonly string[]> {
  const { snapshot, nodes, edges, strings } = await takeSnapshot(page)
  const { node_fields, node_types, edge_fields, edge_types } = snapshot.meta
  const [width, edgeWidth] = [node_fields.length, edge_fields.length]
  const [nameAt, typeAt, countAt] = ['name', 'type', 'edge_count'].map(field => node_fields.indexOf(field))
  const [edgeTypeAt, edgeNameAt, targetAt] = ['type', 'name_or_index', 'to_node'].map(field =>
    edge_fields.indexOf(field),
  )
  const read = (list: readonly number[], row: number, at: number | undefined): number => list[row + (at ?? 0)] ?? 0
  const nameOf = (node: number): string => strings[read(nodes, node, nameAt)] ?? ''

  const firstEdge = new Map<number, number>()
  for (let node = 0, edge = 0; node < nodes.length; node += width) {
    firstEdge.set(node, edge)
    edge += read(nodes, node, countAt) * edgeWidth
  }
  const cameBy = new Map<number, { readonly from: number; readonly name: string }>()
  const reached = [0]
  for (const node of reached) {
    const first = firstEdge.get(node) ?? 0
    for (let edge = first; edge < first + read(nodes, node, countAt) * edgeWidth; edge += edgeWidth) {
      const type = edge_types[0][read(edges, edge, edgeTypeAt)]
      const target = read(edges, edge, targetAt)
      if (type === 'weak' || target === 0 || cameBy.has(target)) continue
      const name = read(edges, edge, edgeNameAt)
      cameBy.set(target, {
        from: node,
        name: type === 'element' || type === 'hidden' ? `[${name}]` : (strings[name] ?? ''),
      })
      reached.push(target)
    }
  }
  const wayTo = (node: number): string => {
    const before = cameBy.get(node)
    return before === undefined ? '' : `${wayTo(before.from)} .${before.name} (${nameOf(before.from).slice(0, 40)})`
  }
  const isText = (node: number): boolean => /string/.test(node_types[0][read(nodes, node, typeAt)] ?? '')
  const hasText = strings.map(string => texts.some(text => string.includes(text)))
  return reached.filter(node => hasText[read(nodes, node, nameAt)] === true && isText(node)).map(wayTo)
}

async function takeSnapshot(page: Page): Promise<Snapshot> {
  const session = await page.context().newCDPSession(page)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return JSON.parse(chunks.join('')) as Snapshot
}
