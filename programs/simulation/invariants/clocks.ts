import { selectNow } from '../../../src/machines/app/clock/clock.selectors.ts'
import { MINUTE, SECOND } from '../time/durations.ts'
import type { OpenPage } from '../world.ts'
import type { Invariant, Checked } from './invariant.ts'
import { createLasting } from './lasting.ts'

/** Milliseconds: smaller differences are not corrected. */
const CORRECTED = MINUTE + 5 * SECOND

type Opened = { readonly ahead: number; isSteady: boolean }
const opened = new WeakMap<OpenPage, Opened>()

/** Whether no clock that concerns a page has been set since it was opened. */
function isSteady(page: OpenPage, { world }: Checked): boolean {
  const { ahead } = page.device
  const entry = opened.get(page) ?? { ahead, isSteady: true }
  opened.set(page, entry)
  if (entry.ahead !== ahead || world.networkFaults.ahead() !== 0) entry.isSteady = false
  return entry.isSteady
}

function wrongTime(page: OpenPage, checked: Checked): ReadonlyMap<string, string> {
  if (!isSteady(page, checked) || !page.system.account.getSnapshot().hasTag('signedIn')) return new Map()
  const wrong = selectNow(page.system.clock.getSnapshot()) - checked.world.scheduler.now()
  return Math.abs(wrong) <= CORRECTED
    ? new Map()
    : new Map([['clock', `every time that is left is shown with ${Math.round(wrong / SECOND)} s too few`]])
}

const check = createLasting(wrongTime)

/** Milliseconds by which the time of a command may be before it was asked for, or after it came. */
const ALLOWED = 5 * MINUTE

function wrongCommand(checked: Checked): string | undefined {
  const now = checked.world.scheduler.now()
  for (const { at, client, command, asked } of checked.books.received().toReversed()) {
    if (now - at > ALLOWED) return undefined
    const { time } = command
    if (asked === undefined || typeof time !== 'string' || !isSteady(asked.page, checked)) continue
    // Who is not signed in may have had no answer yet.
    if (!checked.world.pages().includes(asked.page) || !asked.page.system.account.getSnapshot().hasTag('signedIn'))
      continue
    // It may have been on its way for long, and again later.
    const said = Date.parse(time)
    const wrong = said > at ? said - at : Math.min(0, said - asked.at)
    if (Math.abs(wrong) > ALLOWED)
      return `${client} was sent a command with a time that is wrong by ${Math.round(wrong / SECOND)} s`
  }
  return undefined
}

export const timeIsRight: Invariant = {
  name: 'times are those of the world',
  reason:
    'A deadline that is shown an hour too late is missed, and a client drops commands from the past: a wrong clock is corrected by that of the servers.',
  check: checked => {
    for (const page of checked.world.pages()) isSteady(page, checked)
    return check(checked) ?? wrongCommand(checked)
  },
}
