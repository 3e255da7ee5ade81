import type { AnyActorRef } from 'xstate'
import { selectFailures, isPartThere } from '../../../src/machines/app/app.selectors.ts'
import { selectRun } from '../../../src/machines/fleet/bulk/bulk.selectors.ts'
import { shardedEntries } from '../../../src/folding/shared/sharded-map.ts'
import { MINUTE } from '../time/durations.ts'
import type { OpenPage } from '../world.ts'
import { onEachPage, type Invariant } from './invariant.ts'
import { createLasting } from './lasting.ts'

type Living = { readonly status: string; readonly children?: Readonly<Record<string, AnyActorRef | undefined>> }

/** The first actor that has thrown, by the ids of its parents. */
function brokenBelow(ref: AnyActorRef, path: string): string | undefined {
  const { status, children = {} } = ref.getSnapshot() as Living
  if (status === 'error') return path
  for (const [id, child] of Object.entries(children)) {
    const broken = child === undefined ? undefined : brokenBelow(child, `${path}/${id}`)
    if (broken !== undefined) return broken
  }
  return undefined
}

export const noneBroken: Invariant = {
  name: 'no part of a page fails',
  reason: 'A part that throws is started again, and has forgotten what it was doing.',
  check: onEachPage(({ device, system }) => {
    const [failed] = Object.keys(selectFailures(system.app.getSnapshot()))
    const broken = failed ?? brokenBelow(system.app, 'app')
    return broken && `${device.name}: ${broken} has thrown`
  }),
}

function wrongAction({ system }: OpenPage): ReadonlyMap<string, string> {
  if (!isPartThere('bulk')(system.app.getSnapshot())) return new Map()
  const snapshot = system.bulk.getSnapshot()
  const run = selectRun(snapshot)
  if (run === undefined) return new Map()
  if (snapshot.hasTag('running')) return new Map([['runs', 'an action on many machines does not end']])
  const ids = new Set([...shardedEntries(run.entries)].map(([id]) => id))
  const { waiting, asked, confirmed, ignored, failed } = run.counts
  const skipped = run.skipped.find(({ id }) => ids.has(id))
  return new Map([
    ...(waiting + asked === 0 ? [] : [['open', 'machines of an action have no result'] as const]),
    ...(waiting + asked + confirmed + ignored + failed === ids.size
      ? []
      : [['lost', 'an action has lost machines'] as const]),
    ...(skipped === undefined ? [] : [['skipped', `${skipped.id} is skipped and changed`] as const]),
  ])
}

/** An action sends to a hundred machines at a time, and each has ten seconds to confirm it. */
const checkAction = createLasting(wrongAction, 2 * MINUTE)

export const allAccountedFor: Invariant = {
  name: 'an action on many ends, with a result of each machine',
  reason: 'Of a thousand machines nobody looks which one was left out.',
  check: checkAction,
}
