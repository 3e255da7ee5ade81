import { MINUTE, SECOND } from '../time/durations.ts'
import type { OpenPage, World } from '../world.ts'
import type { Invariant } from './invariants.ts'

/** The first wait of a page between two attempts to reach its node doubles up to the longest; both have half of it at random. */
const FIRST_WAIT = 1.5 * SECOND
const LONGEST_WAIT = 45 * SECOND
/** Milliseconds by which timers may be late; those of hidden pages run once a minute. */
const LATE = SECOND
const LATE_WHILE_HIDDEN = MINUTE + SECOND

function allowedAfter(failures: number): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(10, failures - 1))
}

type Followed = {
  /** Attempts in a row in which the node named no machine. */
  failures: number
  waitingSince: number | undefined
  /** Whether the page was hidden at any time since then. */
  wasHidden: boolean
  /** A wait that was too long, in words. */
  wrong: string | undefined
}

const followed = new WeakMap<OpenPage, Followed>()

function follow(page: OpenPage, { scheduler }: World): Followed {
  const own: Followed = { failures: 0, waitingSince: undefined, wasHidden: false, wrong: undefined }
  followed.set(page, own)
  let hasClients = false
  page.system.relay.subscribe(snapshot => {
    const now = scheduler.now()
    const isWaiting = snapshot.matches({ active: 'waiting' })
    if (!isWaiting && own.waitingSince !== undefined) {
      own.wrong ??= wrongWith(page, own, now)
      own.waitingSince = undefined
    }
    if (snapshot.matches('inactive')) own.failures = 0
    if (snapshot.context.connectedIds.length > 0) hasClients = true
    if (isWaiting && own.waitingSince === undefined) {
      own.failures = hasClients ? 1 : own.failures + 1
      own.waitingSince = now
      own.wasHidden = page.tab.isHidden()
      hasClients = false
    }
  })
  return own
}

function wrongWith(
  { tab, device }: OpenPage,
  { failures, waitingSince, wasHidden }: Followed,
  now: number,
): string | undefined {
  const runsSince = tab.runsSince()
  if (waitingSince === undefined || runsSince === undefined) return undefined
  const waited = now - Math.max(waitingSince, runsSince)
  const mostLate = wasHidden ? LATE_WHILE_HIDDEN : LATE
  return waited > allowedAfter(failures) + mostLate
    ? `${device.name} waits ${(waited / SECOND).toFixed(1)} s before it connects again, after ${failures} failed attempts in a row`
    : undefined
}

export const reconnectsInTime: Invariant = {
  name: 'a page connects again in time',
  reason: 'Somebody who looks at a page that has lost its node does not know that it would be there again by now.',
  check: ({ world }) => {
    for (const page of world.pages()) {
      const own = followed.get(page) ?? follow(page, world)
      own.wasHidden ||= page.tab.isHidden()
      const wrong = own.wrong ?? wrongWith(page, own, world.scheduler.now())
      if (wrong !== undefined) return wrong
    }
    return undefined
  },
}
