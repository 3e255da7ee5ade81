import { isSignedIn } from '../../src/machines/account/account/account.selectors.ts'
import { selectNow } from '../../src/machines/app/clock/clock.selectors.ts'
import { MINUTE, SECOND } from '../time/durations.ts'
import type { OpenPage } from '../world.ts'
import type { Checked, Invariant } from './invariants.ts'
import { createLasting } from './lasting.ts'

/** Milliseconds: smaller differences are not corrected. */
const CORRECTED = MINUTE + 5 * SECOND

type Opened = { readonly ahead: number; isSteady: boolean }
const opened = new WeakMap<OpenPage, Opened>()

/** Whether no clock that concerns a page has been set since it was opened. */
const isSteady = (page: OpenPage, { world }: Checked): boolean => {
  const { ahead } = page.device
  const own = opened.get(page) ?? { ahead, isSteady: true }
  opened.set(page, own)
  if (own.ahead !== ahead || world.networkFaults.ahead() !== 0) own.isSteady = false
  return own.isSteady
}

const wrongTime = (page: OpenPage, checked: Checked): ReadonlyMap<string, string> => {
  if (!isSteady(page, checked) || !isSignedIn(page.system.account.getSnapshot())) return new Map()
  const wrong = selectNow(page.system.clock.getSnapshot()) - checked.world.scheduler.now()
  return Math.abs(wrong) <= CORRECTED
    ? new Map()
    : new Map([['clock', `every time that is left is shown with ${Math.round(wrong / SECOND)} s too few`]])
}

const check = createLasting(wrongTime)

export const timeIsRight: Invariant = {
  name: 'times are those of the world',
  reason: 'A deadline that is shown an hour too late is missed: a wrong clock is corrected by that of the servers.',
  check: checked => {
    for (const page of checked.world.pages()) isSteady(page, checked)
    return check(checked)
  },
}
