import { expect, it } from 'vitest'
import { createActor, fromCallback, SimulatedClock } from 'xstate'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { MOST_RECORDS, type UnitRecord } from '../../../folding/unit/unit-record.ts'
import type { RecordStoreCommand } from './records.events.ts'
import { recordsMachine } from './records.machine.ts'
import { selectRecord } from './records.selectors.ts'

function recordOf(unit: string, owner?: string): UnitRecord {
  return {
    client: 'c',
    unit,
    owner,
    spacing: 60_000,
    moments: [{ at: 1000, ppd: 0, status: 'RUN', isAfterGap: true }],
  }
}
function seen(unit: string, at = 2000) {
  return {
    client: 'c',
    unit,
    owner: undefined,
    moment: { at, ppd: 0, status: 'RUN' },
  }
}
function observed(units: readonly string[], account?: string | null) {
  return { type: 'records.observed', account, seen: units.map(unit => seen(unit)) } as const
}

function start() {
  const clock = new SimulatedClock()
  const sent: RecordStoreCommand[] = []
  let watches = 0
  const actor = createActor(
    recordsMachine.provide({
      actors: {
        recordStore: fromCallback<RecordStoreCommand, undefined>(({ receive }) =>
          receive(command => sent.push(command)),
        ),
        recordWatch: fromCallback<{ type: 'none' }, undefined>(() => {
          watches += 1
        }),
      },
    }),
    { clock },
  ).start()
  return {
    actor,
    clock,
    sent,
    watches: () => watches,
    units: () => [...actor.getSnapshot().context.records.values()].map(({ unit }) => unit),
  }
}

it('observes when what is stored is known, however late', () => {
  const { actor, clock, sent, watches } = start()
  expect(sent).toEqual([{ type: 'recordStore.load' }])
  expect(watches()).toBe(0)
  expect(actor.getSnapshot().hasTag('loading')).toBe(true)
  clock.increment(60_000)
  expect({ watches: watches(), loading: actor.getSnapshot().hasTag('loading') }).toEqual({ watches: 0, loading: true })
  actor.send({ type: 'records.loaded', records: [] })
  expect({ watches: watches(), loading: actor.getSnapshot().hasTag('loading') }).toEqual({ watches: 1, loading: false })
})

it('adds what is seen to what is stored, and stores it', () => {
  const { actor, sent } = start()
  actor.send({ type: 'records.loaded', records: [recordOf('a')] })
  actor.send(observed(['a', 'b']))
  expect(selectRecord('a')(actor.getSnapshot())?.moments.map(({ at }) => at)).toEqual([1000, 2000])
  expect(sent.slice(1)).toEqual([
    {
      type: 'recordStore.save',
      records: [selectRecord('a')(actor.getSnapshot()), selectRecord('b')(actor.getSnapshot())],
    },
  ])
})

it('drops those seen longest ago when there are too many', () => {
  const { actor, sent, units } = start()
  actor.send({ type: 'records.loaded', records: [recordOf('old')] })
  actor.send(observed(Array.from({ length: MOST_RECORDS }, (_, at) => `u${at}`)))
  expect(units().includes('old')).toBe(false)
  expect(sent.at(-1)).toEqual({ type: 'recordStore.delete', units: [{ client: 'c', unit: 'old' }] })
})

it.each([
  ['another account is signed in', observed([], 'b')],
  ['nobody is signed in', observed([], null)],
  ['the account is left', { type: 'records.accountChanged', account: null } as const],
])('deletes what was seen through an account when %s', (_, event) => {
  const { actor, sent, units } = start()
  actor.send({ type: 'records.loaded', records: [recordOf('direct'), recordOf('owned', 'a')] })
  actor.send(observed([], 'a'))
  actor.send(observed([], undefined))
  expect(units()).toEqual(['direct', 'owned'])
  actor.send(event)
  expect(units()).toEqual(['direct'])
  expect(sent.at(-1)).toEqual({ type: 'recordStore.delete', units: [{ client: 'c', unit: 'owned' }] })
})

it('forgets all on request', () => {
  const { actor, sent, units } = start()
  actor.send({ type: 'records.loaded', records: [recordOf('a')] })
  actor.send({ type: 'records.clear' })
  expect({ units: units(), lastSent: sent.at(-1) }).toEqual({ units: [], lastSent: { type: 'recordStore.clear' } })
})

it('reaches every state', () => {
  const { unreached } = walkShortestPaths(recordsMachine, {
    events: [{ type: 'records.loaded', records: [] }, observed(['a'])],
    context: ({ records }) => records.size,
  })
  expect(unreached).toEqual([])
})
