import { isConfirmedBy } from '../../../src/protocol/client/commands.ts'
import type { OpenPage } from '../world.ts'
import type { Invariant, Checked } from './invariant.ts'
import { createLasting } from './lasting.ts'
import { machinesOf } from './machines.ts'

/** Commands of which a page says that they were ignored, while the client does what they say. */
function wronglyIgnored(page: OpenPage, checked: Checked): ReadonlyMap<string, string> {
  const wrong = new Map<string, string>()
  for (const machine of machinesOf(checked)) {
    const snapshot = machine.refOn(page)?.getSnapshot()
    if (snapshot === undefined || !snapshot.hasTag('connected') || machine.isHarmed()) continue
    const said = machine.said()
    if (said === undefined) continue
    for (const { key, status, askedAt, command } of snapshot.context.queue.entries)
      if (status === 'ignored' && askedAt !== undefined && isConfirmedBy(command, said))
        wrong.set(
          `${machine.id} ${key}`,
          `${JSON.stringify(command)} to ${machine.name} is called ignored, and was obeyed`,
        )
  }
  return wrong
}

export const outcomesAreTrue: Invariant = {
  name: 'what is called ignored was not obeyed',
  reason: 'Somebody who is told that a command was ignored gives it again, or looks for a mistake that there is not.',
  check: createLasting(wronglyIgnored),
}
