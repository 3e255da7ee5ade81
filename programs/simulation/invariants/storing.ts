import { disk } from '../browser/disk.ts'
import { selectStoreFault } from '../../../src/machines/units/history/history.selectors.ts'
import { SECOND } from '../time/durations.ts'
import type { OpenPage, World } from '../world.ts'
import type { Invariant } from './invariant.ts'

const UNITS = 'foldboard-units'
/** Milliseconds until a page that could not store something says so. */
const SAID = 30 * SECOND

type Refused = { readonly at: number; readonly pages: readonly OpenPage[] }
const lastRefused = new WeakMap<World, { count: number; refused: Refused | undefined }>()

function says({ system }: OpenPage): boolean {
  return selectStoreFault(system.history.getSnapshot()) !== undefined
}

export const storingFailsAloud: Invariant = {
  name: 'what could not be stored is said',
  reason: 'Somebody who believes that the history is kept closes the page, and a client forgets its units.',
  check: ({ world }) => {
    const now = world.scheduler.now()
    const pages = world.pages()
    const entry = lastRefused.get(world) ?? { count: 0, refused: undefined }
    lastRefused.set(world, entry)
    const count = disk.refused.get(UNITS) ?? 0
    if (count > entry.count) entry.refused ??= { at: now, pages }
    entry.count = count
    const { refused } = entry
    if (refused === undefined || now - refused.at < SAID) return undefined
    entry.refused = undefined
    // Nobody knows which of them it was; one that was closed may have been.
    const isOver = refused.pages.some(page => !pages.includes(page)) || refused.pages.length === 0
    return isOver || refused.pages.some(says) ? undefined : 'no page says that its history could not be stored'
  },
}
