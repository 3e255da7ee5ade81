import { describe, expect, it, vi } from 'vitest'
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { UpdatesEvent, VersionCommand } from './updates.events.ts'
import { updatesMachine } from './updates.machine.ts'
import { isUpdateKnown, selectUnsaved } from './updates.selectors.ts'

function startUpdates(findUnsaved: () => Promise<readonly string[]>) {
  const commands: VersionCommand[] = []
  let report: (fact: UpdatesEvent) => void = () => undefined
  const clock = new SimulatedClock()
  const actor = createActor(
    updatesMachine.provide({
      actors: {
        versionWatch: fromCallback<VersionCommand, undefined>(({ sendBack, receive }) => {
          report = sendBack
          receive(command => commands.push(command))
        }),
        findUnsaved: fromPromise<readonly string[], undefined>(findUnsaved),
      },
    }),
    { clock },
  ).start()
  return {
    actor,
    clock,
    commands,
    report: (fact: UpdatesEvent) => report(fact),
    isOffered: () => actor.getSnapshot().hasTag('offered'),
  }
}

const reloaded: readonly VersionCommand[] = [{ type: 'version.reload' }]

describe('a new version', () => {
  it('is offered when it is found, and reloads the page only when the user agrees', async () => {
    const { actor, commands, report, isOffered } = startUpdates(() => Promise.resolve([]))
    expect(isOffered()).toBe(false)
    expect(isUpdateKnown(actor.getSnapshot())).toBe(false)
    actor.send({ type: 'updates.take' })
    report({ type: 'updates.found' })
    expect(isOffered()).toBe(true)
    expect(isUpdateKnown(actor.getSnapshot())).toBe(true)
    expect(commands).toEqual([])
    actor.send({ type: 'updates.take' })
    await vi.waitFor(() => expect(commands).toEqual(reloaded), 20_000)
    expect(actor.getSnapshot().hasTag('reloading')).toBe(true)
  })

  it('is not taken while something is unsaved, which is named, and is taken once nothing is', async () => {
    let unsaved: readonly string[] = ['Account settings']
    const { actor, commands, report } = startUpdates(() => Promise.resolve(unsaved))
    report({ type: 'updates.found' })
    expect(selectUnsaved(actor.getSnapshot())).toEqual([])
    actor.send({ type: 'updates.take' })
    await vi.waitFor(() => expect(selectUnsaved(actor.getSnapshot())).toEqual(['Account settings']), 20_000)
    expect(commands).toEqual([])
    unsaved = []
    actor.send({ type: 'updates.take' })
    await vi.waitFor(() => expect(commands).toEqual(reloaded), 20_000)
    expect(selectUnsaved(actor.getSnapshot())).toEqual([])
  })

  it('can be postponed, and taken later', async () => {
    const { actor, commands, report, isOffered } = startUpdates(() => Promise.resolve([]))
    report({ type: 'updates.found' })
    actor.send({ type: 'updates.postpone' })
    report({ type: 'updates.found' })
    expect(isOffered()).toBe(false)
    expect(isUpdateKnown(actor.getSnapshot())).toBe(true)
    actor.send({ type: 'updates.take' })
    await vi.waitFor(() => expect(commands).toEqual(reloaded), 20_000)
  })

  it('is offered again when the browser did not reload the page, or the check failed', async () => {
    let fails = true
    const { actor, clock, commands, report } = startUpdates(() =>
      fails ? Promise.reject(new Error('a part is missing')) : Promise.resolve([]),
    )
    report({ type: 'updates.found' })
    actor.send({ type: 'updates.take' })
    await vi.waitFor(() => expect(actor.getSnapshot().value).toBe('offered'), 20_000)
    fails = false
    actor.send({ type: 'updates.take' })
    await vi.waitFor(() => expect(commands).toEqual(reloaded), 20_000)
    clock.increment(10_000)
    expect(actor.getSnapshot().value).toBe('offered')
  })

  it('reaches all its states', () => {
    const done = (output: readonly string[]) => ({ type: 'xstate.done.actor.0.updates.checking', output })
    const { unreached } = walkShortestPaths(updatesMachine, {
      events: [
        { type: 'updates.found' },
        { type: 'updates.take' },
        { type: 'updates.postpone' },
        done([]),
        done(['Account settings']),
      ],
      silence: ['reload'],
      context: ({ unsaved }) => unsaved,
    })
    expect(unreached).toEqual([])
  })
})

it('is new in this browser until the user has seen that', () => {
  const { actor, report } = startUpdates(() => Promise.resolve([]))
  expect(actor.getSnapshot().context.isUpgraded).toBe(false)
  report({ type: 'updates.upgraded' })
  expect(actor.getSnapshot().context.isUpgraded).toBe(true)
  actor.send({ type: 'updates.dismiss' })
  expect(actor.getSnapshot().context.isUpgraded).toBe(false)
})

it('knows when the page is stored', () => {
  const { actor, report } = startUpdates(() => Promise.resolve([]))
  expect(actor.getSnapshot().context.isStored).toBe(false)
  report({ type: 'updates.stored' })
  expect(actor.getSnapshot().context.isStored).toBe(true)
})
