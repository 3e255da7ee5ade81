import { describe, expect, it } from 'vitest'
import { createActor, createMachine, fromCallback, fromPromise, SimulatedClock } from 'xstate'
import { settled } from '../../../../test/child.ts'
import { START, direct, relayed, dataWith, startClient } from '../../../../test/machines/client.ts'
import type { ClientData } from '../../../protocol/client-data.ts'
import type { Command } from '../../../protocol/commands.ts'
import type { ClientLinkCommand, LinkTarget } from './client.events.ts'
import { clientMachine, type ClientRef } from './client.machine.ts'
import { selectDraft } from '../../shared/draft/draft.selectors.ts'
import { selectChangesElsewhere, selectMachineDraft } from '../client-settings/client-settings.selectors.ts'
import { selectAskedState, selectClientSettings, selectIgnored } from './client.selectors.ts'

describe('a command', () => {
  it('is asked until the client reports that it obeyed', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.setState', state: 'fold', group: '' })
    await settled()
    expect(client.sent()).toEqual([{ cmd: 'state', state: 'fold', group: '', second: 0 }])
    expect(selectAskedState('')(client.actor.getSnapshot())).toBe('fold')
    client.change(['groups', '', 'config', 'paused', false as never])
    expect(selectAskedState('')(client.actor.getSnapshot())).toBeUndefined()
    client.clock.increment(20_000)
    expect(selectIgnored(client.actor.getSnapshot())).toEqual([])
  })

  it('may be to start again', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.restart' })
    await settled()
    expect(client.sent()).toEqual([{ cmd: 'restart', second: 0 }])
  })

  it('is ignored, with a likely reason, when 10 s pass without an effect, until that is dismissed', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.setState', state: 'fold' })
    await settled()
    client.clock.increment(10_000)
    const [ignored] = selectIgnored(client.actor.getSnapshot())
    expect(ignored?.reason).toMatch(/clock/)
    client.actor.send({ type: 'client.dismiss', key: ignored?.key ?? '' })
    expect(selectIgnored(client.actor.getSnapshot())).toEqual([])
  })

  it('waits for the next second when its kind has used up this one, so that none is lost', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.setState', state: 'fold' })
    client.actor.send({ type: 'client.setState', state: 'pause' })
    client.actor.send({ type: 'client.setState', state: 'finish' })
    await settled()
    expect(client.sent()?.map(({ second }) => second)).toEqual([0])
    client.clock.increment(800)
    await settled()
    client.clock.increment(1000)
    await settled()
    expect(client.sent()).toEqual([
      { cmd: 'state', state: 'fold', second: 0 },
      { cmd: 'state', state: 'pause', second: 1 },
      { cmd: 'state', state: 'finish', second: 2 },
    ])
  })

  it('that would make a phantom group is refused before it is sent', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.setState', state: 'pause', group: 'my_gpu' })
    await settled()
    expect(client.sent()).toEqual([])
    expect(selectIgnored(client.actor.getSnapshot()).map(({ reason }) => reason)).toEqual([
      'The machine has no resource group "my_gpu".',
    ])
  })

  it('cannot be given to a client that is not connected', () => {
    const client = startClient(direct)
    expect(client.actor.getSnapshot().can({ type: 'client.setState', state: 'fold' })).toBe(false)
    client.open()
    expect(client.actor.getSnapshot().can({ type: 'client.setState', state: 'fold' })).toBe(true)
  })
})

describe('a restart', () => {
  it('that cannot be sent is kept, and sent once when the machine connects', async () => {
    const client = startClient(relayed)
    const owes = () => client.actor.getSnapshot().context.isRestartPending
    client.actor.send({ type: 'client.restart' })
    expect(owes()).toBe(true)
    client.actor.send({ type: 'client.joined', at: START })
    client.open()
    await settled()
    expect([client.sent(), owes()]).toEqual([[{ cmd: 'restart', second: 0 }], true])
    client.clock.increment(1500)
    expect(owes()).toBe(false)
    client.close()
    client.clock.increment(1000)
    client.open()
    await settled()
    expect(client.sent()).toEqual([])
  })

  it('that waited when the connection was lost is sent on the next one, and not reported as ignored', async () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined', at: START })
    client.open()
    client.actor.send({ type: 'client.restart' })
    client.close()
    await settled()
    client.clock.increment(1000)
    client.open()
    await settled()
    expect([client.sent(), selectIgnored(client.actor.getSnapshot())]).toEqual([[{ cmd: 'restart', second: 1 }], []])
  })

  it('that is not needed any more is not sent', async () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.restart' })
    client.actor.send({ type: 'client.cancelRestart' })
    client.actor.send({ type: 'client.joined', at: START })
    client.open()
    await settled()
    expect(client.sent()).toEqual([])
  })
})

describe('to finish', () => {
  const resting = (...groups: string[]): ClientData => ({
    ...dataWith(),
    groups: Object.fromEntries(groups.map(name => [name, { config: { paused: true } }])),
    units: groups.map(group => ({ id: `of ${group}`, group, state: 'RUN', pause_reason: 'Paused' })),
  })
  const next = async (client: ReturnType<typeof startClient>) => {
    client.clock.increment(1000)
    await settled()
  }

  it('what is paused folds first, and finishes a second later, as the client reports it', async () => {
    const client = startClient(direct)
    client.open(resting(''))
    client.actor.send({ type: 'client.setState', state: 'finish' })
    await settled()
    expect([client.sent(), selectAskedState('')(client.actor.getSnapshot())]).toEqual([
      [{ cmd: 'state', state: 'fold', second: 0 }],
      'finish',
    ])
    client.change(['groups', '', 'config', 'paused', false as never])
    await next(client)
    expect(client.sent()?.slice(1)).toEqual([{ cmd: 'state', state: 'finish', second: 1 }])
    expect(selectAskedState('')(client.actor.getSnapshot())).toBe('finish')
    client.change(['groups', '', 'config', 'finish', true as never])
    expect(selectAskedState('')(client.actor.getSnapshot())).toBeUndefined()
  })

  it('only the groups fold that hold units', async () => {
    const client = startClient(direct)
    const data = resting('', 'gpu', 'night')
    client.open({ ...data, units: data.units.filter(({ group }) => group !== 'night') })
    client.actor.send({ type: 'client.setState', state: 'finish' })
    await settled()
    await next(client)
    await next(client)
    expect(client.sent()).toEqual([
      { cmd: 'state', state: 'fold', group: '', second: 0 },
      { cmd: 'state', state: 'fold', group: 'gpu', second: 1 },
      { cmd: 'state', state: 'finish', second: 2 },
    ])
  })

  it('a paused group that keeps its units is not obeyed, whatever it takes note of', async () => {
    const client = startClient(direct)
    client.open({ ...resting(''), groups: { '': { config: { paused: false } } } })
    client.actor.send({ type: 'client.setState', state: 'finish' })
    await settled()
    client.change(['groups', '', 'config', 'paused', true as never], ['groups', '', 'config', 'finish', true as never])
    client.clock.increment(10_000)
    expect(selectIgnored(client.actor.getSnapshot())).toHaveLength(1)
  })

  it('what is paused folds and finishes after a broadcast, too', async () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined', at: START })
    client.open(resting(''))
    client.actor.send({ type: 'client.broadcastApplied', state: 'finish', at: START })
    await settled()
    expect(client.sent()).toEqual([])
    await next(client)
    await next(client)
    expect(client.sent()).toEqual([
      { cmd: 'state', state: 'fold', second: 1 },
      { cmd: 'state', state: 'finish', second: 2 },
    ])
  })
})

describe('settings', () => {
  const open = (data?: ClientData) => {
    const client = startClient(direct)
    client.open(data)
    client.actor.send({ type: 'client.openSettings' })
    const settings = selectClientSettings(client.actor.getSnapshot())
    if (settings === undefined) throw new Error('The settings were opened.')
    return { ...client, draft: () => selectMachineDraft(settings.getSnapshot()).getSnapshot() }
  }

  it('live as long as their page, and follow what the client reports', () => {
    const client = open(dataWith({ cpus: 4 }))
    client.change(['groups', '', 'config', 'cpus', 6 as never])
    expect(selectDraft(client.draft())?.groups?.['']?.cpus).toBe(6)
    client.actor.send({ type: 'client.closeSettings' })
    expect([
      selectClientSettings(client.actor.getSnapshot()),
      client.actor.system.get('client:__direct__:draft'),
    ]).toEqual([undefined, undefined])
    client.actor.send({ type: 'client.openSettings' })
    expect(selectClientSettings(client.actor.getSnapshot())).toBeDefined()
  })

  it('are not shown, nor compared with, as they were on an earlier visit', () => {
    const client = startClient(direct)
    client.actor.send({ type: 'client.restored', data: dataWith({ cpus: 4 }), at: START - 5000 })
    client.actor.send({ type: 'client.openSettings' })
    const settings = selectClientSettings(client.actor.getSnapshot())
    if (settings === undefined) throw new Error('The settings were opened.')
    const draft = () => selectDraft(selectMachineDraft(settings.getSnapshot()).getSnapshot())
    expect(draft()).toEqual({})
    client.open(dataWith({ cpus: 6 }))
    expect([draft()?.groups?.['']?.cpus, selectChangesElsewhere(settings.getSnapshot())]).toEqual([6, []])
    client.close()
    expect(draft()?.groups?.['']?.cpus).toBe(6)
    client.clock.increment(1000)
    client.open(dataWith({ cpus: 7 }))
    expect(selectChangesElsewhere(settings.getSnapshot())).toEqual([['groups', '', 'cpus']])
  })

  it('are sent with every group that the client has in that moment', async () => {
    const client = open(dataWith({ cpus: 4 }))
    client.actor.send({ type: 'client.configure', config: { groups: { '': { cpus: 1 } } } })
    client.actor.send({ type: 'client.configure', config: { groups: { '': { cpus: 2 } } }, secrets: { passkey: 'ab' } })
    await settled()
    // The second one waits for its second, and somebody makes a group meanwhile.
    client.change(['groups', 'my-gpu', { config: {} } as never])
    client.clock.increment(800)
    await settled()
    expect(client.sent()).toEqual([
      { cmd: 'config', config: { groups: { '': { cpus: 1 } } }, second: 0 },
      { cmd: 'config', config: { groups: { '': { cpus: 2 }, 'my-gpu': {} } }, secrets: { passkey: 'ab' }, second: 1 },
    ])
  })

  it('are notified of ignored commands', async () => {
    const client = open()
    client.actor.send({ type: 'client.configure', config: { user: 'Ada' } })
    await settled()
    client.clock.increment(10_000)
    expect(selectIgnored(client.actor.getSnapshot())).toEqual([])
  })

  it('that were not sent when the connection was lost are not sent later, and fail', async () => {
    const client = open()
    client.actor.send({ type: 'client.configure', config: { user: 'Ada' } })
    client.actor.send({ type: 'client.configure', config: { user: 'Eve' } })
    await settled()
    client.actor.send({ type: 'client.closeSettings' })
    client.close()
    expect(selectIgnored(client.actor.getSnapshot()).map(({ reason }) => reason)).toEqual([
      'The connection was lost before it could be sent.',
    ])
  })

  it('that waited for their second when the connection was lost are reported as ignored, and what streams is not', async () => {
    const client = open()
    client.actor.send({ type: 'client.setState', state: 'fold' })
    client.actor.send({ type: 'client.setState', state: 'pause' })
    client.actor.send({ type: 'client.subscribeLog' })
    client.close()
    await settled()
    const lost = 'The connection was lost before it could be sent.'
    expect(selectIgnored(client.actor.getSnapshot()).map(({ command, reason }) => [command, reason])).toEqual([
      [{ cmd: 'state', state: 'fold' }, lost],
      [{ cmd: 'state', state: 'pause' }, lost],
    ])
  })

  it('are not sent when a group would be deleted whose name is never read', async () => {
    const client = open()
    client.actor.send({
      type: 'link.reported',
      at: START,
      facts: [{ type: 'fault.found', fault: { kind: 'unsafe-key', key: '__proto__' } }],
    })
    client.actor.send({ type: 'client.closeSettings' })
    client.actor.send({ type: 'client.configure', config: { groups: { '': { cpus: 1 } } } })
    await settled()
    expect([client.sent(), selectIgnored(client.actor.getSnapshot()).length]).toEqual([[], 1])
  })
})

describe('a broadcast', () => {
  it('counts as sent to a connected client', () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined', at: START })
    client.open()
    client.actor.send({ type: 'client.broadcastApplied', state: 'fold', at: START })
    expect([selectAskedState('')(client.actor.getSnapshot()), client.sent()]).toEqual(['fold', []])
    client.clock.increment(10_000)
    expect(selectIgnored(client.actor.getSnapshot())).toHaveLength(1)
  })

  it('is repeated in the next second for a client that got another state in the same one', async () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined', at: START })
    client.open()
    client.actor.send({ type: 'client.setState', state: 'fold' })
    await settled()
    client.actor.send({ type: 'client.broadcastApplied', state: 'pause', at: START + 100 })
    await settled()
    client.clock.increment(800)
    await settled()
    expect(client.sent()).toEqual([
      { cmd: 'state', state: 'fold', second: 0 },
      { cmd: 'state', state: 'pause', second: 1 },
    ])
  })
})

describe('commands of another actor', () => {
  const start = () => {
    const told: { readonly type: string }[] = []
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
    const part = createMachine({ on: { '*': { actions: ({ event }) => told.push(event) } } })
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
      told: () => told.filter(({ type }) => type.startsWith('job.')),
      report: (data: ClientData) =>
        client.send({ type: 'link.reported', at: START + clock.now(), facts: [{ type: 'snapshot.received', data }] }),
    }
  }

  it('fail at once without a connection, and when it is lost before they are sent', async () => {
    const { client, told, report } = start()
    client.send({ type: 'client.run', to: 'part', commands: [{ cmd: 'state', state: 'fold' }] })
    expect(told()).toEqual([{ type: 'job.ignored', because: 'The connection was lost before it could be sent.' }])
    report(dataWith())
    client.send({ type: 'client.run', to: 'part', commands: [{ cmd: 'state', state: 'fold' }] })
    client.send({ type: 'link.closed', at: START, trouble: 'closed' })
    await settled()
    expect(told()).toHaveLength(2)
  })

  it('are sent one a second, and confirmed when all are', async () => {
    const { client, clock, told, report, sent } = start()
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
    expect([sent.length, told()]).toEqual([1, []])
    report(dataWith({ paused: false }))
    clock.increment(1000)
    await settled()
    expect([sent.length, told()]).toEqual([2, [{ type: 'job.sent' }]])
    report(dataWith({ paused: false, finish: true }))
    expect(told().at(-1)).toEqual({ type: 'job.confirmed' })
  })

  it('are followed when they are sent in another way, until the data show the effect', async () => {
    const { client, clock, told, report } = start()
    report(dataWith({ paused: false }))
    client.send({ type: 'client.follow', to: 'part', command: { cmd: 'state', state: 'pause' } })
    expect(told()).toEqual([])
    client.send({ type: 'client.broadcastApplied', state: 'pause', at: START })
    expect(told()).toEqual([{ type: 'job.sent' }])
    report(dataWith({ paused: true }))
    expect(told().at(-1)).toEqual({ type: 'job.confirmed' })
    client.send({ type: 'client.setState', state: 'fold' })
    client.send({ type: 'client.follow', to: 'part', command: { cmd: 'state', state: 'fold' } })
    // The queue reads the clock, and waits for the second after that of the broadcast.
    await settled()
    clock.increment(1000)
    await settled()
    clock.increment(10_000)
    expect(
      told()
        .slice(2)
        .map(({ type }) => type),
    ).toEqual(['job.sent', 'job.ignored'])
  })

  it('are taken back where none was sent, and else sent to the end', async () => {
    const { client, clock, told, report, sent } = start()
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
    expect(told()).toEqual([])
  })

  it.each(['client.run', 'client.follow'] as const)(
    'do not end with those that the actor began before (%s)',
    async type => {
      const { client, clock, told, report } = start()
      report(dataWith({ paused: false }))
      client.send({ type: 'client.run', to: 'part', commands: [{ cmd: 'state', state: 'finish' }] })
      await settled()
      expect(told()).toEqual([{ type: 'job.sent' }])
      clock.increment(5000)
      if (type === 'client.run')
        client.send({ type, to: 'part', commands: [{ cmd: 'config', config: { groups: { '': { cpus: 1 } } } }] })
      else {
        client.send({ type, to: 'part', command: { cmd: 'state', state: 'pause' } })
        client.send({ type: 'client.broadcastApplied', state: 'pause', at: START + clock.now() })
      }
      await settled()
      expect(told()).toEqual([{ type: 'job.sent' }, { type: 'job.sent' }])
      clock.increment(6000)
      await settled()
      expect(told()).toHaveLength(2)
      clock.increment(5000)
      expect(told().at(-1)?.type).toBe('job.ignored')
    },
  )
})
