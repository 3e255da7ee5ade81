import { describe, expect, it } from 'vitest'
import { fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { broadcastPayload, type BroadcastContent } from './broadcast.events.ts'
import { broadcastMachine, type ClockReading } from './broadcast.machine.ts'

const START = Date.parse('2026-11-20T12:00:00.200Z')
const fold: BroadcastContent = { cmd: 'state', state: 'fold' }
const pause: BroadcastContent = { cmd: 'state', state: 'pause' }
const restart: BroadcastContent = { cmd: 'restart' }

function startBroadcaster(isTrusted = true, canBeRead = true) {
  const machine = broadcastMachine.provide({
    actors: {
      readClock: fromPromise(() =>
        canBeRead ? Promise.resolve({ now: START + clock.now(), isTrusted }) : Promise.reject(new Error('no clock')),
      ),
    },
  })
  const { actor, clock, received } = startChild(machine)
  return {
    actor,
    clock,
    received,
    send: (broadcast: BroadcastContent) => actor.send({ type: 'broadcast.send', broadcast }),
  }
}

describe('a broadcast', () => {
  it('is due at once when nothing of its kind went out in this second', async () => {
    const { received, send } = startBroadcaster()
    send(fold)
    send(restart)
    await settled()
    expect(received).toEqual([
      { type: 'broadcast.due', broadcast: fold, at: START },
      { type: 'broadcast.due', broadcast: restart, at: START },
    ])
  })

  it('waits for the next second after another of its kind, so that none is dropped', async () => {
    const { clock, received, send } = startBroadcaster()
    send(fold)
    send(pause)
    await settled()
    expect(received).toHaveLength(1)
    clock.increment(800)
    await settled()
    expect(received.at(-1)).toEqual({ type: 'broadcast.due', broadcast: pause, at: START + 800 })
  })

  it('does not wait until a clock that was hours ahead is caught up with', async () => {
    const times = [START + 3 * 3_600_000, START]
    const machine = broadcastMachine.provide({
      actors: {
        readClock: fromPromise((): Promise<ClockReading> =>
          Promise.resolve({ now: times.shift() ?? START, isTrusted: true }),
        ),
      },
    })
    const { actor, received } = startChild(machine)
    for (const broadcast of [fold, pause]) {
      actor.send({ type: 'broadcast.send', broadcast })
      await settled()
    }
    expect(received.at(-1)).toEqual({ type: 'broadcast.due', broadcast: pause, at: START })
  })

  it('is never sent by a clock that is known to be far wrong', async () => {
    const { received, send } = startBroadcaster(false)
    send(fold)
    send(restart)
    await settled()
    expect(received).toEqual([
      { type: 'broadcast.refused', broadcast: fold, because: 'clock' },
      { type: 'broadcast.refused', broadcast: restart, because: 'clock' },
    ])
  })

  it('is not sent without a time, and those that follow are tried again', async () => {
    const { received, send } = startBroadcaster(true, false)
    send(fold)
    await settled()
    send(restart)
    await settled()
    expect(received).toEqual(
      [fold, restart].map(broadcast => ({ type: 'broadcast.refused', broadcast, because: 'clock' })),
    )
  })

  it('is signed with its command, its time and what it is about, in that order', () => {
    expect(
      [fold, { cmd: 'config', secrets: { config: { team: 7 } } } as const, restart].map(broadcast =>
        JSON.stringify(broadcastPayload(broadcast, START)),
      ),
    ).toEqual([
      '{"cmd":"state","time":"2026-11-20T12:00:00Z","state":"fold"}',
      '{"cmd":"config","time":"2026-11-20T12:00:00Z","config":{"team":7}}',
      '{"cmd":"restart","time":"2026-11-20T12:00:00Z"}',
    ])
  })

  it('reaches all its states', () => {
    const id = '0.broadcast.readingClock'
    const { unreached } = walkShortestPaths(broadcastMachine, {
      events: [
        { type: 'broadcast.send', broadcast: fold },
        ...[
          { now: START, isTrusted: true },
          { now: START, isTrusted: false },
        ].map(output => ({ type: `xstate.done.actor.${id}`, actorId: id, output })),
      ],
      silence: ['notifyDue', 'refuseAll'],
      context: ({ waiting, lastSecond }) => [Math.min(waiting.length, 2), lastSecond.state],
    })
    expect(unreached).toEqual([])
  })
})
