import type { AnyActorRef } from 'xstate'
import { isPartThere } from '../../../src/machines/app/app.selectors.ts'
import { selectClientSettings } from '../../../src/machines/connection/client/client.selectors.ts'
import type { OpenPage } from '../world.ts'
import type { Invariant } from './invariant.ts'
import { createLasting } from './lasting.ts'

/** Actors that a page without machines has at rest, and some for what is open. */
const MOST_OTHERS = 100
/** Its connection, the requests of its settings, and what is read of it. */
const MOST_OF_MACHINE = 12

type Parent = { readonly children?: Readonly<Record<string, AnyActorRef | undefined>> }

function childrenOf(ref: AnyActorRef): readonly (readonly [string, AnyActorRef])[] {
  return Object.entries((ref.getSnapshot() as Parent).children ?? {}).flatMap(([id, child]) =>
    child === undefined ? [] : [[id, child] as const],
  )
}

function countBelow(ref: AnyActorRef): number {
  return childrenOf(ref).reduce((sum, [, child]) => sum + 1 + countBelow(child), 0)
}

function surplusOf({ system }: OpenPage): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const note = (path: string, why: string): void => void found.set(path, `the actor ${path} lives on, and ${why}`)
  const { members } = system.fleet.getSnapshot().context
  let ofMachines = 0
  for (const [id, child] of childrenOf(system.fleet)) {
    const ref = members[id]?.ref
    if (ref === undefined) note(`fleet/${id}`, 'is no machine of the page')
    else if (
      selectClientSettings(ref.getSnapshot()) === undefined &&
      childrenOf(ref).some(([name]) => name === 'settings')
    )
      note(`fleet/${id}/settings`, 'no settings are open')
    const count = countBelow(child)
    ofMachines += 1 + count
    if (count > MOST_OF_MACHINE) note(`fleet/${id}`, `has ${count} others below it`)
  }
  if (!system.account.getSnapshot().hasTag('signedIn'))
    for (const [id] of childrenOf(system.account)) note(`account/${id}`, 'nobody is signed in')
  if (isPartThere('connections')(system.app.getSnapshot()) && !system.connectionCheck.getSnapshot().hasTag('busy'))
    for (const [id] of childrenOf(system.connectionCheck)) note(`connectionCheck/${id}`, 'nothing is checked')
  if (isPartThere('bulk')(system.app.getSnapshot()) && !system.bulk.getSnapshot().hasTag('running'))
    for (const [id] of childrenOf(system.bulk)) note(`bulk/${id}`, 'no action runs')
  const others = countBelow(system.app) - ofMachines
  if (others > MOST_OTHERS) note('app', `has ${others} actors besides its machines`)
  return found
}

export const noSurplus: Invariant = {
  name: 'no actor without what it is for',
  reason: 'What nobody asks for any more still works, and answers nobody, for as long as the page is open.',
  check: createLasting(surplusOf),
}
