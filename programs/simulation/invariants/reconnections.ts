import { MINUTE, SECOND } from '../time/durations.ts'
import type { OpenPage, World } from '../world.ts'
import { onEachPage, type Invariant } from './invariant.ts'

/** The first wait of a page between two attempts to reach its node doubles up to the longest; both have half of it at random. */
const FIRST_WAIT = 1.5 * SECOND
const LONGEST_WAIT = 45 * SECOND
/** So many requests in a row that the node's host does not answer have the first wait between them. */
const EAGER_REQUESTS = 60
/** How long a page waits that heard its node answer again. */
const SPREAD = 4 * SECOND
/** Milliseconds by which timers may be late; those of hidden pages run once a minute. */
const LATE = SECOND
const LATE_WHILE_HIDDEN = MINUTE + SECOND

function allowedAfter(times: number): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(10, Math.max(0, times - 1)))
}

type Wait = { readonly since: number; readonly most: number }

type Followed = {
  /** Attempts in a row in which the node named no machine. */
  failures: number
  /** Requests in a row that its host did not answer. */
  unanswered: number
  wait: Wait | undefined
  /** Whether the page was hidden at any time since then. */
  wasHidden: boolean
  /** A wait that was too long, in words. */
  wrong: string | undefined
}

const followed = new WeakMap<OpenPage, Followed>()

function follow(page: OpenPage, { scheduler }: World): Followed {
  const entry: Followed = { failures: 0, unanswered: 0, wait: undefined, wasHidden: false, wrong: undefined }
  followed.set(page, entry)
  let [hasClients, wasTrying, wasAsking] = [false, true, false]
  page.system.relay.subscribe(snapshot => {
    const now = scheduler.now()
    const isAsking = snapshot.matches({ active: { waiting: 'asking' } })
    const isPausing = snapshot.matches({ active: { waiting: 'pausing' } })
    const isSpreading = snapshot.matches({ active: { waiting: 'spreading' } })
    if (!isPausing && !isSpreading && entry.wait !== undefined) {
      entry.wrong ??= wrongWith(page, entry, now)
      entry.wait = undefined
    }
    if (wasAsking && !isAsking) entry.unanswered = snapshot.context.unanswered === 0 ? 0 : entry.unanswered + 1
    if (snapshot.matches('inactive')) [entry.failures, entry.unanswered] = [0, 0]
    if (snapshot.context.connectedIds.length > 0) [hasClients, entry.unanswered] = [true, 0]
    if (isPausing && wasTrying) {
      entry.failures = hasClients ? 1 : entry.failures + 1
      hasClients = false
    }
    if ((isPausing || isSpreading) && entry.wait === undefined) {
      const { unanswered, failures } = entry
      const most = unanswered > 0 ? allowedAfter(unanswered - EAGER_REQUESTS) : allowedAfter(failures)
      entry.wait = { since: now, most: isSpreading ? SPREAD : most }
      entry.wasHidden = page.tab.isHidden()
    }
    wasTrying = !isAsking && !isPausing && !isSpreading
    wasAsking = isAsking
  })
  return entry
}

function wrongWith({ tab, device }: OpenPage, { wait, wasHidden }: Followed, now: number): string | undefined {
  const runsSince = tab.runsSince()
  if (wait === undefined || runsSince === undefined) return undefined
  const waited = now - Math.max(wait.since, runsSince)
  return waited > wait.most + (wasHidden ? LATE_WHILE_HIDDEN : LATE)
    ? `${device.name} waits ${(waited / SECOND).toFixed(1)} s before it asks or connects again, where ${(wait.most / SECOND).toFixed(1)} s are allowed`
    : undefined
}

export const reconnectsInTime: Invariant = {
  name: 'a page connects again in time',
  reason: 'Somebody who looks at a page that has lost its node does not know that it would be there again by now.',
  check: onEachPage((page, { world }) => {
    const entry = followed.get(page) ?? follow(page, world)
    entry.wasHidden ||= page.tab.isHidden()
    return entry.wrong ?? wrongWith(page, entry, world.scheduler.now())
  }),
}
