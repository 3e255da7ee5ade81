import type { OpenPage } from '../world.ts'
import type { Checked } from './invariant.ts'
import { MINUTE } from '../time/durations.ts'

/** Milliseconds from the end of the faults, and from the opening of a page, until it must be right. */
export const AGREEMENT = MINUTE

/**
 * Finds what is wrong for longer than `allowed` on a page that is looked at while nothing goes wrong. `wrongOn` says by
 * subject what is wrong now.
 */
export function createLasting(
  wrongOn: (page: OpenPage, checked: Checked) => ReadonlyMap<string, string>,
  allowed = AGREEMENT,
) {
  const seenSince = new WeakMap<OpenPage, number>()
  const wrongSince = new WeakMap<OpenPage, ReadonlyMap<string, number>>()
  return (checked: Checked): string | undefined => {
    const { world, calmSince } = checked
    const now = world.scheduler.now()
    for (const page of world.pages()) {
      const since = page.tab.isHidden() ? now : (seenSince.get(page) ?? now)
      seenSince.set(page, since)
      const isSettled = calmSince !== undefined && now - calmSince > AGREEMENT && now - since > AGREEMENT
      const before = wrongSince.get(page)
      const wrong = isSettled ? wrongOn(page, checked) : new Map<string, string>()
      const times = new Map([...wrong.keys()].map(subject => [subject, before?.get(subject) ?? now]))
      wrongSince.set(page, times)
      for (const [subject, what] of wrong)
        if (now - (times.get(subject) ?? now) > allowed) return `${page.device.name}: ${what}`
    }
    return undefined
  }
}
