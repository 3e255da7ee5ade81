import { describe, expect, it } from 'vitest'
import { createActor, createMachine, fromCallback, fromPromise, SimulatedClock } from 'xstate'
import { settled } from '../../../../test/child.ts'
import { START, direct, dataWith } from '../../../../test/machines/client.ts'
import type { ClientData } from '../../../protocol/client/client-data.ts'
import type { Command } from '../../../protocol/client/commands.ts'
import type { ClientLinkCommand, LinkTarget } from './client.events.ts'
import { clientMachine, type ClientRef } from './client.machine.ts'

describe('commands of another actor', () => {
  const start = () => {
    const events: { readonly type: string }[] = []
    const clock = new SimulatedClock()
    const sent: Command[] = []
    const machine = clientMachine.provide({
      actors: {
        clientLink: fromCallback<ClientLinkCommand, LinkTarget>(({ receive }) => {
          receive(said => {
            if (said.type === 'link.send') sent.push(said.command)
          })
        }),
        readClock: fromPromise(() => Promise.resolve(START + clock.now())),
      },
    })
    const part = createMachine({ on: { '*': { actions: ({ event }) => events.push(event) } } })
    const parent = createActor(
      createMachine({
        invoke: [
          { src: machine, id: 'client', input: direct },
          { src: part, id: 'part', systemId: 'part' },
        ],
      }),
      { clock },
    ).start()
    const client = parent.getSnapshot().children['client'] as unknown as ClientRef
    return {
      client,
      clock,
      sent,
      jobEvents: () => events.filter(({ type }) => type.startsWith('job.')),
      report: (data: ClientData) =>
        client.send({ type: 'link.reported', at: START + clock.now(), facts: [{ type: 'snapshot.received', data }] }),
    }
  }

  it('fail at once without a connection, and when it is lost before they are sent', async () => {
    const { client, jobEvents, report } = start()
    client.send({ type: 'client.run', to: 'part', commands: [{ cmd: 'state', state: 'fold' }] })
    expect(jobEvents()).toEqual([{ type: 'job.ignored', because: 'The connection was lost before it could be sent.' }])
    report(dataWith())
    client.send({ type: 'client.run', to: 'part', commands: [{ cmd: 'state', state: 'fold' }] })
    client.send({ type: 'link.closed', at: START, trouble: 'closed' })
    await settled()
    expect(jobEvents()).toHaveLength(2)
  })

  it('are sent one a second, and confirmed when all are', async () => {
    const { client, clock, jobEvents, report, sent } = start()
    report(dataWith())
    client.send({
      type: 'client.run',
      to: 'part',
      commands: [
        { cmd: 'state', state: 'fold' },
        { cmd: 'state', state: 'finish' },
      ],
    })
    await settled()
    expect({ sent: sent.length, jobEvents: jobEvents() }).toEqual({ sent: 1, jobEvents: [] })
    report(dataWith({ paused: false }))
    clock.increment(1000)
    await settled()
    expect({ sent: sent.length, jobEvents: jobEvents() }).toEqual({ sent: 2, jobEvents: [{ type: 'job.sent' }] })
    report(dataWith({ paused: false, finish: true }))
    expect(jobEvents().at(-1)).toEqual({ type: 'job.confirmed' })
  })

  it('are followed when they are sent in another way, until the data show the effect', async () => {
    const { client, clock, jobEvents, report } = start()
    report(dataWith({ paused: false }))
    client.send({ type: 'client.follow', to: 'part', command: { cmd: 'state', state: 'pause' } })
    expect(jobEvents()).toEqual([])
    client.send({ type: 'client.broadcastApplied', state: 'pause', at: START })
    expect(jobEvents()).toEqual([{ type: 'job.sent' }])
    report(dataWith({ paused: true }))
    expect(jobEvents().at(-1)).toEqual({ type: 'job.confirmed' })
    client.send({ type: 'client.setState', state: 'fold' })
    client.send({ type: 'client.follow', to: 'part', command: { cmd: 'state', state: 'fold' } })
    // The queue reads the clock, and waits for the second after that of the broadcast.
    await settled()
    clock.increment(1000)
    await settled()
    clock.increment(10_000)
    expect(
      jobEvents()
        .slice(2)
        .map(({ type }) => type),
    ).toEqual(['job.sent', 'job.ignored'])
  })

  it('are taken back where none was sent, and else sent to the end', async () => {
    const { client, clock, jobEvents, report, sent } = start()
    const both = [
      { cmd: 'state', state: 'fold' },
      { cmd: 'state', state: 'finish' },
    ] as const
    report(dataWith())
    client.send({ type: 'client.run', to: 'part', commands: both })
    await settled()
    report(dataWith({ paused: false }))
    client.send({ type: 'client.run', to: 'other', commands: [{ cmd: 'state', state: 'pause' }] })
    client.send({ type: 'client.withdraw', to: 'other' })
    client.send({ type: 'client.withdraw', to: 'part' })
    client.send({ type: 'client.withdraw', to: 'nobody' })
    for (let second = 0; second < 4; second++) {
      clock.increment(1000)
      await settled()
    }
    expect(sent).toMatchObject(both)
    expect(jobEvents()).toEqual([])
  })

  it.each(['client.run', 'client.follow'] as const)(
    'do not end with those that the actor began before (%s)',
    async type => {
      const { client, clock, jobEvents, report } = start()
      report(dataWith({ paused: false }))
      client.send({ type: 'client.run', to: 'part', commands: [{ cmd: 'state', state: 'finish' }] })
      await settled()
      expect(jobEvents()).toEqual([{ type: 'job.sent' }])
      clock.increment(5000)
      if (type === 'client.run')
        client.send({ type, to: 'part', commands: [{ cmd: 'config', config: { groups: { '': { cpus: 1 } } } }] })
      else {
        client.send({ type, to: 'part', command: { cmd: 'state', state: 'pause' } })
        client.send({ type: 'client.broadcastApplied', state: 'pause', at: START + clock.now() })
      }
      await settled()
      expect(jobEvents()).toEqual([{ type: 'job.sent' }, { type: 'job.sent' }])
      clock.increment(6000)
      await settled()
      expect(jobEvents()).toHaveLength(2)
      clock.increment(5000)
      expect(jobEvents().at(-1)?.type).toBe('job.ignored')
    },
  )
})
