import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import type { CDPSession } from '@playwright/test'

const BUILT = join(import.meta.dirname, '..', '..', 'dist')
const MICROSECONDS = 200

/** Where a function of the built page stands in the sources, such as `../../src/journal/mask.ts`; undefined of what is none of ours. */
function createSources() {
  const maps = new Map<string, SourceMap | undefined>()
  const mapOf = (url: string): SourceMap | undefined => {
    try {
      return new SourceMap(
        JSON.parse(readFileSync(join(BUILT, `${new URL(url).pathname}.map`), 'utf8')) as ConstructorParameters<
          typeof SourceMap
        >[0],
      )
    } catch {
      return undefined
    }
  }
  return (url: string, line: number, column: number): string | undefined => {
    if (!maps.has(url)) maps.set(url, mapOf(url))
    const entry = maps.get(url)?.findEntry(line, column)
    return entry !== undefined && 'originalSource' in entry ? entry.originalSource : undefined
  }
}

/**
 * Percent of the time of the page's own thread that is spent in functions of some files, and in whatever they call,
 * while `during` lasts: by looking 5,000 times a second at what the thread is doing.
 */
export async function shareSpentIn(session: CDPSession, files: RegExp, during: () => Promise<void>): Promise<number> {
  await session.send('Profiler.enable')
  await session.send('Profiler.setSamplingInterval', { interval: MICROSECONDS })
  await session.send('Profiler.start')
  await during()
  const { profile } = await session.send('Profiler.stop')
  await session.send('Profiler.disable')
  const sourceOf = createSources()
  const isInside = new Set<number>()
  // Callers come before those whom they call.
  const look = (id: number, within: boolean): void => {
    const node = nodes.get(id)
    if (node === undefined) return
    const { url, lineNumber, columnNumber } = node.callFrame
    const inside = within || files.test(url === '' ? '' : (sourceOf(url, lineNumber, columnNumber) ?? ''))
    if (inside) isInside.add(id)
    for (const child of node.children ?? []) look(child, inside)
  }
  const nodes = new Map(profile.nodes.map(node => [node.id, node]))
  const [first] = profile.nodes
  if (first !== undefined) look(first.id, false)
  let [spent, passed] = [0, 0]
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const delta = profile.timeDeltas?.[index] ?? 0
    passed += delta
    if (isInside.has(id)) spent += delta
  }
  if (passed === 0) throw new Error('Nothing was measured.')
  return (spent / passed) * 100
}
