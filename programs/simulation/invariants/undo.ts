import { groupsOf, groupState } from '../../../src/folding/client/group.ts'
import { shardedEntries } from '../../../src/folding/shared/sharded-map.ts'
import { selectRun } from '../../../src/machines/fleet/bulk/bulk.selectors.ts'
import type { FleetClient } from '../../network/index.ts'
import type { FoldingState } from '../../../src/protocol/client/commands.ts'
import { MINUTE } from '../time/durations.ts'
import type { OpenPage } from '../world.ts'
import type { Books } from './books.ts'
import { onEachPage, type Checked, type Invariant } from './invariant.ts'

type States = Readonly<Record<string, FoldingState>>

/** An action on many machines, and what its machines had before it. */
type Remembered = {
  readonly at: number
  readonly before: ReadonlyMap<string, States>
  /** When it was undone. */
  undoneAt: number | undefined
}

const remembered = new WeakMap<OpenPage, Remembered>()

function statesOf(client: FleetClient, books: Books): States {
  return Object.fromEntries(
    Object.entries(groupsOf(books.stateOf(client))).map(([name, group]) => [name, groupState(group)] as const),
  )
}

/** Somebody is about to do something with many machines. */
export function rememberStates(page: OpenPage, clients: readonly FleetClient[], books: Books, at: number): void {
  const before = new Map(clients.map(client => [client.id, statesOf(client, books)]))
  remembered.set(page, { at, before, undoneAt: undefined })
}

/** Somebody has just undone that. Returns whether there was something. */
export function rememberUndo(page: OpenPage, at: number): boolean {
  const entry = remembered.get(page)
  if (entry === undefined) return false
  entry.undoneAt = at
  return true
}

/** Milliseconds after which an undo has ended. */
const ENDS = 1.5 * MINUTE

/** A group that was to be finished may have been paused since. */
function isSame(was: FoldingState, is: FoldingState | undefined): boolean {
  return was === is || (was === 'finish' && is === 'pause')
}

function wrongOn(page: OpenPage, { world, books }: Checked): string | undefined {
  const entry = remembered.get(page)
  const now = world.scheduler.now()
  if (entry?.undoneAt === undefined || now - entry.undoneAt < ENDS) return undefined
  const snapshot = page.system.bulk.getSnapshot()
  if (snapshot.hasTag('running')) return undefined
  remembered.delete(page)
  const run = selectRun(snapshot)
  if (run?.action.kind !== 'undo') return undefined
  const isTouched = (id: string): boolean =>
    books.commands().some(({ client, at, isSure }) => client === id && isSure && at > entry.at)
  for (const [id, { state }] of shardedEntries(run.entries)) {
    const client = world.network.clients().find(one => one.id === id)
    if (client === undefined || state.kind !== 'confirmed' || isTouched(id)) continue
    const after = statesOf(client, books)
    const wrong = Object.entries(entry.before.get(id) ?? {}).find(
      ([group, was]) => after[group] !== undefined && !isSame(was, after[group]),
    )
    if (wrong !== undefined)
      return `${page.device.name}: ${client.client.name()} was set to ${wrong[1]} in the group '${wrong[0]}', and has ${after[wrong[0]]} after the undo`
  }
  return undefined
}

export const undoGivesBack: Invariant = {
  name: 'an undo gives back what was there',
  reason: 'Whoever undoes an action on a thousand machines cannot look at each of them.',
  check: onEachPage(wrongOn),
}
