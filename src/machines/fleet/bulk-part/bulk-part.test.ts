import { describe, expect, it } from 'vitest'
import { createActor, createMachine, fromPromise, sendTo, SimulatedClock } from 'xstate'
import { settled } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { BulkWork } from '../../../folding/fleet/bulk-action.ts'
import type { ApiResult } from '../../../protocol/api/api-fault.ts'
import type { BulkPartEvent } from './bulk-part.events.ts'
import { bulkPartMachine, partSystemId, type AccountWork } from './bulk-part.machine.ts'

const PAUSE: BulkWork = { kind: 'commands', commands: [{ cmd: 'state', state: 'pause' }] }
const RENAME: BulkWork = { kind: 'rename', machine: 'm', name: 'attic' }

type Received = { readonly type: string } & Record<string, unknown>

/** A part below a parent, in a system with its client and the account. */
function start(
  work: BulkWork,
  call: () => Promise<ApiResult<unknown>> = () => new Promise(() => undefined),
  hasClient = true,
) {
  const received: Received[] = []
  const sent: Received[] = []
  const clock = new SimulatedClock()
  const collector = createMachine({ on: { '*': { actions: ({ event }) => sent.push(event) } } })
  const part = bulkPartMachine.provide({ actors: { callAccount: fromPromise<ApiResult<unknown>, AccountWork>(call) } })
  const parent = createActor(
    createMachine({
      invoke: [
        ...(hasClient ? [{ src: collector, id: 'client', systemId: 'client:m' }] : []),
        { src: collector, id: 'account', systemId: 'account' },
        { src: part, id: 'part', systemId: partSystemId('m'), input: { id: 'm', work } },
      ],
      on: {
        say: { actions: sendTo('part', ({ event }: { event: Received }) => event['event'] as BulkPartEvent) },
        '*': { actions: ({ event }) => received.push(event) },
      },
    }),
    { clock },
  ).start()
  return {
    clock,
    sent,
    say: (event: BulkPartEvent) => parent.send({ type: 'say', event }),
    received: () => received.filter(({ type }) => type.startsWith('part.')),
  }
}

function outcome(kind: string, because?: unknown) {
  return {
    type: 'part.settled',
    id: 'm',
    outcome: { kind, ...(because === undefined ? {} : { because }) },
  }
}

describe('a client’s part in a bulk action', () => {
  it('has the client send the commands, and is confirmed by the client', () => {
    const { sent, say, received } = start(PAUSE)
    expect(sent).toEqual([{ type: 'client.run', to: 'bulk:m', commands: [{ cmd: 'state', state: 'pause' }] }])
    say({ type: 'job.sent' })
    say({ type: 'job.confirmed' })
    expect(received()).toEqual([{ type: 'part.sent', id: 'm' }, outcome('confirmed')])
  })

  it('fails when nothing was sent, and is not confirmed when it was', () => {
    const before = start(PAUSE)
    before.say({ type: 'job.ignored', because: 'lost' })
    expect(before.received()).toEqual([outcome('failed', 'lost')])
    const after = start(PAUSE)
    after.say({ type: 'job.sent' })
    after.say({ type: 'job.ignored', because: 'late' })
    expect(after.received().at(-1)).toEqual(outcome('ignored', 'late'))
  })

  it('ends when the client leaves, or is not there any more', () => {
    const waiting = start(PAUSE)
    waiting.say({ type: 'part.left' })
    const asked = start(PAUSE)
    asked.say({ type: 'job.sent' })
    asked.say({ type: 'part.left' })
    expect([waiting, asked].map(({ received }) => received().at(-1))).toEqual([
      outcome('failed', 'It left.'),
      outcome('ignored', 'It left.'),
    ])
    expect(start(PAUSE, undefined, false).received()).toEqual([outcome('failed', 'It left.')])
  })

  it('does not wait for ever', () => {
    const waiting = start(PAUSE)
    waiting.clock.increment(16_000)
    expect(waiting.received()).toEqual([outcome('failed', 'It could not be sent in time.')])
    const asked = start(PAUSE)
    asked.say({ type: 'job.sent' })
    asked.clock.increment(149_999)
    expect(asked.received()).toEqual([{ type: 'part.sent', id: 'm' }])
    asked.clock.increment(1)
    expect(asked.received().at(-1)).toEqual(outcome('ignored', 'The machine did not respond.'))
  })

  it('of the account is done by it, and the client connects to the account again', async () => {
    const { sent, received } = start(RENAME, () => Promise.resolve({ ok: true, value: undefined }))
    await settled()
    expect(sent).toEqual([{ type: 'client.restart' }])
    expect(received()).toEqual([{ type: 'part.sent', id: 'm' }, outcome('confirmed')])
  })

  it('of the account fails with what the account says; a lost response may have worked', async () => {
    const refused = start(RENAME, () =>
      Promise.resolve({ ok: false, fault: { kind: 'refused', status: 401, message: 'no' } }),
    )
    const lost = start(RENAME, () => Promise.resolve({ ok: false, fault: { kind: 'unreachable', message: 'gone' } }))
    const broken = start(RENAME, () => Promise.reject(new Error('a mistake')))
    await settled()
    expect(refused.received().at(-1)).toMatchObject({ outcome: { kind: 'failed' } })
    expect(refused.sent).toEqual([{ type: 'account.sessionEnded' }])
    expect(lost.received().at(-1)).toMatchObject({ outcome: { kind: 'ignored' } })
    expect(broken.received().at(-1)).toEqual(outcome('failed', 'This page could not call the account.'))
  })

  it('reaches all its states', () => {
    const unreached = [PAUSE, RENAME].map(
      work =>
        walkShortestPaths(bulkPartMachine, {
          input: { id: 'm', work },
          events: [
            { type: 'job.sent' },
            { type: 'job.confirmed' },
            { type: 'job.ignored', because: '' },
            { type: 'part.left' },
            { type: 'xstate.done.actor.0.bulkPart.calling', output: { ok: true }, actorId: '0.bulkPart.calling' },
            { type: 'xstate.error.actor.0.bulkPart.calling', error: 1, actorId: '0.bulkPart.calling' },
          ],
          silence: ['sendCommands', 'restartClient', 'endSession', 'notifySent', 'notifySettled'],
        }).unreached,
    )
    expect(unreached[0]?.filter(id => unreached[1]?.includes(id))).toEqual([])
  })
})
