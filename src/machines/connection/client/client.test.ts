import { describe, expect, it } from 'vitest'
import { fromCallback, fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { emptyStructure, withFrame, withTopology } from '../../../folding/structure.ts'
import type { ClientData, GroupConfig } from '../../../protocol/client-data.ts'
import type { ClientFact } from '../../../protocol/client-message.ts'
import { selectDraft } from '../../screens/draft/draft.selectors.ts'
import { selectMachineDraft } from '../client-settings/client-settings.selectors.ts'
import type { ClientReported } from '../fleet/fleet.events.ts'
import { packLines } from '../../../protocol/packed-lines.ts'
import type { LinkCommand, LinkTarget } from './client.events.ts'
import type { ClientInput } from './client.context.ts'
import { clientMachine } from './client.machine.ts'
import { isConnected, selectAskedState, selectClientSettings, selectIgnored, selectLostAt, selectTrouble } from './client.selectors.ts'

const START = Date.parse('2026-11-20T12:00:00.200Z')
const around = { account: undefined, latestVersion: undefined }
const direct: ClientInput = { id: '__direct__', kind: 'direct', address: '127.0.0.1:7396', surroundings: around }
const relayed: ClientInput = { id: 'abc', kind: 'relay', name: 'Attic', surroundings: around }

const dataWith = (config: GroupConfig = { paused: true }): ClientData => ({
  info: { version: '8.5.7', id: 'abc', mach_name: 'Attic' },
  config: {},
  groups: { '': { config } },
  units: [],
})

const startClient = (input: ClientInput) => {
  const links: { target: LinkTarget; sent: LinkCommand[]; isOpen: boolean }[] = []
  const machine = clientMachine.provide({
    actors: {
      clientLink: fromCallback<LinkCommand, LinkTarget>(({ input: target, receive }) => {
        const link = { target, sent: [] as LinkCommand[], isOpen: true }
        links.push(link)
        receive(command => link.sent.push(command))
        return () => {
          link.isOpen = false
        }
      }),
      readClock: fromPromise(() => Promise.resolve(START + clock.now())),
    },
  })
  const { actor, clock, heard } = startChild(machine, input)
  const at = (): number => START + clock.now()
  return {
    actor,
    clock,
    links,
    heard,
    open: (data: ClientData = dataWith()) =>
      actor.send({ type: 'link.reported', at: at(), facts: [{ type: 'snapshot.received', data }] }),
    change: (...changes: (readonly [...(string | number)[], never])[]) =>
      actor.send({ type: 'link.reported', at: at(), facts: [{ type: 'changes.received', changes }] }),
    close: () => actor.send({ type: 'link.closed', at: at(), trouble: 'closed' }),
    sent: () => links.at(-1)?.sent.flatMap(said => (said.type === 'link.send' ? [said] : [])).map(({ command, at: stamp }) => ({ ...command, second: Math.floor(stamp / 1000) - Math.floor(START / 1000) })),
  }
}

describe('a direct client', () => {
  it('opens its socket at once and is connected when the first full message has come', () => {
    const client = startClient(direct)
    expect(client.links.map(({ target }) => target)).toEqual([{ kind: 'direct', url: 'ws://127.0.0.1:7396/api/websocket', isWatched: false }])
    expect(client.actor.getSnapshot().hasTag('loading')).toBe(true)
    client.actor.send({ type: 'link.opened', at: START })
    expect(isConnected(client.actor.getSnapshot())).toBe(false)
    client.open()
    expect(isConnected(client.actor.getSnapshot())).toBe(true)
  })

  it('gives a connection up after 20 s without a first message, and tries again after 1 s', () => {
    const client = startClient(direct)
    client.clock.increment(19_999)
    expect(client.links).toHaveLength(1)
    client.clock.increment(1)
    expect(client.links[0]?.isOpen).toBe(false)
    expect(selectTrouble(client.actor.getSnapshot())).toBe('unreachable')
    client.clock.increment(1000)
    expect(client.links).toHaveLength(2)
  })

  it('keeps what it showed after a loss, and says since when it is gone', () => {
    const client = startClient(direct)
    client.open()
    client.clock.increment(5000)
    client.close()
    const snapshot = client.actor.getSnapshot()
    expect(isConnected(snapshot)).toBe(false)
    expect(selectLostAt(snapshot)).toBe(START + 5000)
    expect(snapshot.context.record.data).toEqual(dataWith())
    client.clock.increment(1000)
    client.open()
    expect(selectLostAt(client.actor.getSnapshot())).toBeUndefined()
  })

  it('takes 30 s of silence for a loss, and any word for life', () => {
    const client = startClient(direct)
    client.open()
    client.clock.increment(29_000)
    client.actor.send({ type: 'link.reported', at: START + 29_000, facts: [{ type: 'ping.received' }] })
    client.clock.increment(29_000)
    expect(isConnected(client.actor.getSnapshot())).toBe(true)
    client.clock.increment(1000)
    expect(isConnected(client.actor.getSnapshot())).toBe(false)
    expect(selectTrouble(client.actor.getSnapshot())).toBe('silent')
  })

  it('does not take silence for a loss of a client up to 8.1.17, which sends no pings', () => {
    const client = startClient(direct)
    client.open({ ...dataWith(), info: { version: '8.1.17' } })
    client.clock.increment(600_000)
    expect(isConnected(client.actor.getSnapshot())).toBe(true)
  })

  it('opens a new socket when the page has slept', () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.check' })
    expect(client.links.map(({ isOpen }) => isOpen)).toEqual([false, true])
  })
})

describe('a client of the relay', () => {
  it('waits until the relay has it, then opens a session', () => {
    const client = startClient(relayed)
    expect(client.links).toEqual([])
    client.actor.send({ type: 'client.joined', at: START })
    expect(client.links.map(({ target }) => target)).toEqual([{ kind: 'session', client: 'abc', isWatched: false }])
    client.open()
    client.actor.send({ type: 'client.left', at: START + 7 })
    expect(client.links[0]?.isOpen).toBe(false)
    expect(selectLostAt(client.actor.getSnapshot())).toBe(START + 7)
  })

  it('applies no change before the first full message of a new session', () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined', at: START })
    client.open()
    client.actor.send({ type: 'client.left', at: START })
    client.actor.send({ type: 'client.joined', at: START })
    client.change(['config', 'user', 'Mallory' as never])
    expect(client.actor.getSnapshot().context.record.data).toEqual(dataWith())
  })
})

describe('somebody who looks at a client', () => {
  it('is told to its link, and to every link that follows, until nobody looks any more', () => {
    const client = startClient(direct)
    client.actor.send({ type: 'client.watch' })
    client.actor.send({ type: 'client.watch' })
    client.actor.send({ type: 'client.check' })
    expect(client.links.map(({ target, sent }) => [target.isWatched, sent.at(-1)])).toEqual([
      [false, { type: 'link.watch', isWatched: true }],
      [true, undefined],
    ])
    client.actor.send({ type: 'client.unwatch' })
    expect(client.links[1]?.sent.at(-1)).toEqual({ type: 'link.watch', isWatched: true })
    client.actor.send({ type: 'client.unwatch' })
    expect(client.links[1]?.sent.at(-1)).toEqual({ type: 'link.watch', isWatched: false })
  })
})

describe('a molecule', () => {
  const topology = { names: ['N', 'CA'], elements: new Uint8Array(2), charges: new Float32Array(2), radii: new Float32Array(2), masses: new Float32Array(2), bonds: new Uint32Array() }
  const atoms = (unit: string) => ({ type: 'topology.received', unit, topology }) as const
  const frame = (unit: string, index: number) => ({ type: 'frame.received', unit, index, positions: new Float32Array(6) }) as const
  const viz = (client: ReturnType<typeof startClient>) => client.sent()?.map(({ cmd, unit, frame: from }: Record<string, unknown>) => [cmd, unit, from])
  const structures = (client: ReturnType<typeof startClient>) =>
    [...client.actor.getSnapshot().context.record.structures].map(([unit, { topology: known, trajectory }]) => [unit, known?.names.length, trajectory.count])
  const hear = (client: ReturnType<typeof startClient>, ...facts: readonly ClientFact[]) => client.actor.send({ type: 'link.reported', at: START, facts })

  it('is asked for from the beginning, and from the first missing frame on after a loss', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.view', unit: 'u' })
    await settled()
    expect(viz(client)).toEqual([['viz', 'u', 0]])
    hear(client, atoms('u'), frame('u', 0), frame('u', 1))
    client.close()
    client.clock.increment(1000)
    client.open()
    await settled()
    expect([viz(client), structures(client)]).toEqual([[['viz', 'u', 2]], [['u', 2, 2]]])
  })

  it('is asked for from where what was kept of it ends', async () => {
    const client = startClient(direct)
    client.open()
    const kept = withFrame(withTopology(emptyStructure, topology), 0, new Float32Array(6))
    client.actor.send({ type: 'client.view', unit: 'u', kept })
    await settled()
    expect([viz(client), structures(client)]).toEqual([[['viz', 'u', 1]], [['u', 2, 1]]])
  })

  it('is asked for when the client comes, if somebody looked before', async () => {
    const client = startClient(direct)
    client.actor.send({ type: 'client.view', unit: 'u' })
    client.open()
    await settled()
    expect(viz(client)).toEqual([['viz', 'u', 0]])
  })

  it('is asked for again when its first frame is counted, since a client forgets what it cannot give yet', async () => {
    const client = startClient(direct)
    client.open({ ...dataWith(), units: [{ id: 'u', state: 'DOWNLOAD' }] })
    client.actor.send({ type: 'client.view', unit: 'u' })
    client.change(['units', 0, 'state', 'RUN' as never])
    client.change(['units', 0, 'frames', 1 as never])
    await settled()
    expect(viz(client)).toEqual([['viz', 'u', 0], ['viz', 'u', 0]])
    hear(client, atoms('u'), frame('u', 0))
    client.change(['units', 0, 'frames', 2 as never])
    await settled()
    expect(viz(client)).toHaveLength(2)
  })

  it('ends before another begins, and nothing of it stays when nobody looks', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.view', unit: 'u' })
    hear(client, atoms('u'), frame('u', 0))
    client.actor.send({ type: 'client.unview', unit: 'u' })
    client.actor.send({ type: 'client.view', unit: 'v' })
    client.actor.send({ type: 'client.unview', unit: 'u' })
    hear(client, frame('u', 1), frame('v', 0))
    await settled()
    expect([viz(client), structures(client)]).toEqual([[['viz', 'u', 0], ['viz', '', 0], ['viz', 'v', 0]], [['v', undefined, 1]]])
    client.actor.send({ type: 'client.unview', unit: 'v' })
    expect(structures(client)).toEqual([])
  })
})

describe('a log', () => {
  const streams = (client: ReturnType<typeof startClient>) =>
    client.links.map(({ sent }) => sent.flatMap(said => (said.type === 'link.send' && 'enable' in said.command ? [`${said.command.cmd} ${said.command.enable}`] : [])))

  it('is streamed from the first who reads it to the last, and is asked for anew by every connection between', async () => {
    const client = startClient(direct)
    client.open()
    for (let who = 0; who < 2; who++) client.actor.send({ type: 'client.readLog' })
    await settled()
    client.close()
    client.clock.increment(1000)
    client.open()
    client.actor.send({ type: 'client.leaveLog' })
    await settled()
    expect(streams(client)).toEqual([['log true'], ['log true']])
    client.actor.send({ type: 'client.leaveLog' })
    await settled()
    expect(streams(client)).toEqual([['log true'], ['log true', 'log false']])
    client.actor.send({ type: 'client.leaveLog' })
    await settled()
    expect(streams(client)[1]).toEqual(['log true', 'log false'])
  })

  it('that is read before there is a connection is asked for when there is one', async () => {
    const client = startClient(direct)
    client.actor.send({ type: 'client.readLog' })
    await settled()
    expect(streams(client)).toEqual([[]])
    client.open()
    await settled()
    expect(streams(client)).toEqual([['log true']])
    expect(selectIgnored(client.actor.getSnapshot())).toEqual([])
  })

  it('goes on without a gap or a repetition when it is replayed', () => {
    const client = startClient(direct)
    const say = (replace: boolean, ...lines: string[]) =>
      client.actor.send({ type: 'link.reported', at: START, facts: [{ type: 'log.received', replace, lines: packLines(lines) }] })
    client.open()
    say(true, 'a', 'b')
    say(false, 'c')
    client.close()
    client.clock.increment(1000)
    client.open()
    say(true, 'a', 'b', 'c', 'd')
    expect(client.actor.getSnapshot().context.record.log.toJSON()).toEqual({ first: 0, lines: ['a', 'b', 'c', 'd'] })
  })
})

describe('a command', () => {
  it('is asked until the client reports that it obeyed', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.fold', group: '' })
    await settled()
    expect(client.sent()).toEqual([{ cmd: 'state', state: 'fold', group: '', second: 0 }])
    expect(selectAskedState('')(client.actor.getSnapshot())).toBe('fold')
    client.change(['groups', '', 'config', 'paused', false as never])
    expect(selectAskedState('')(client.actor.getSnapshot())).toBeUndefined()
    client.clock.increment(20_000)
    expect(selectIgnored(client.actor.getSnapshot())).toEqual([])
  })

  it('is ignored, with a likely reason, when 10 s pass without an effect, until that is dismissed', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.fold' })
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
    client.actor.send({ type: 'client.fold' })
    client.actor.send({ type: 'client.pause' })
    client.actor.send({ type: 'client.finish' })
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
    client.actor.send({ type: 'client.pause', group: 'my_gpu' })
    await settled()
    expect(client.sent()).toEqual([])
    expect(selectIgnored(client.actor.getSnapshot()).map(({ reason }) => reason)).toEqual(['The machine has no resource group "my_gpu".'])
  })

  it('cannot be given to a client that is not connected', () => {
    const client = startClient(direct)
    expect(client.actor.getSnapshot().can({ type: 'client.fold' })).toBe(false)
    client.open()
    expect(client.actor.getSnapshot().can({ type: 'client.fold' })).toBe(true)
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
    expect([selectClientSettings(client.actor.getSnapshot()), client.actor.system.get('client:__direct__:draft')]).toEqual([undefined, undefined])
    client.actor.send({ type: 'client.openSettings' })
    expect(selectClientSettings(client.actor.getSnapshot())).toBeDefined()
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

  it('hear that they were ignored, and nobody else does', async () => {
    const client = open()
    client.actor.send({ type: 'client.configure', config: { user: 'Ada' } })
    await settled()
    client.clock.increment(10_000)
    expect(selectIgnored(client.actor.getSnapshot())).toEqual([])
  })

  it('that were not sent when the connection was lost are not sent later, and are told so', async () => {
    const client = open()
    client.actor.send({ type: 'client.configure', config: { user: 'Ada' } })
    client.actor.send({ type: 'client.configure', config: { user: 'Eve' } })
    await settled()
    client.actor.send({ type: 'client.closeSettings' })
    client.close()
    expect(selectIgnored(client.actor.getSnapshot()).map(({ reason }) => reason)).toEqual(['The connection was lost before it could be sent.'])
  })

  it('are not sent when a group would be deleted whose name is never read', async () => {
    const client = open()
    client.actor.send({ type: 'link.reported', at: START, facts: [{ type: 'fault.found', fault: { kind: 'unsafe-key', key: '__proto__' } }] })
    client.actor.send({ type: 'client.closeSettings' })
    client.actor.send({ type: 'client.configure', config: { groups: { '': { cpus: 1 } } } })
    await settled()
    expect([client.sent(), selectIgnored(client.actor.getSnapshot()).length]).toEqual([[], 1])
  })
})

describe('a broadcast', () => {
  it('counts as asked of a client that has heard it', () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined', at: START })
    client.open()
    client.actor.send({ type: 'client.wasTold', word: 'fold', at: START })
    expect([selectAskedState('')(client.actor.getSnapshot()), client.sent()]).toEqual(['fold', []])
    client.clock.increment(10_000)
    expect(selectIgnored(client.actor.getSnapshot())).toHaveLength(1)
  })

  it('is repeated in the next second to a client that was told something else in the same one', async () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined', at: START })
    client.open()
    client.actor.send({ type: 'client.fold' })
    await settled()
    client.actor.send({ type: 'client.wasTold', word: 'pause', at: START + 100 })
    await settled()
    client.clock.increment(800)
    await settled()
    expect(client.sent()).toEqual([
      { cmd: 'state', state: 'fold', second: 0 },
      { cmd: 'state', state: 'pause', second: 1 },
    ])
  })
})

describe('what the fleet hears of a client', () => {
  it('is news alone: how far a unit is changes nothing', () => {
    const client = startClient(direct)
    const unit = { id: 'u', state: 'RUN', cpus: 4, ppd: 1000, wu_progress: 0.1, eta: '2h 5m' }
    client.open({ ...dataWith({ paused: false }), units: [unit] })
    const before = client.heard.length
    client.change(['units', 0, 'eta', '2h 4m' as never], ['units', 0, 'wu_progress', 0.2 as never])
    expect(client.heard).toHaveLength(before)
    client.change(['units', 0, 'ppd', 2000 as never])
    expect(client.heard).toHaveLength(before + 1)
    expect(client.heard.at(-1)).toMatchObject({ type: 'client.reported', id: '__direct__', report: { summary: { ppd: 2000 } } })
  })
})

it('tells the fleet how much it earns four times a second while somebody looks at it, the last of it included', () => {
  const client = startClient(direct)
  client.open({ ...dataWith({ paused: false }), units: [{ id: 'u', group: '', state: 'RUN', ppd: 1, start_time: '2026-11-20T11:00:00Z' }] })
  client.actor.send({ type: 'client.watch' })
  client.clock.increment(250)
  const before = client.heard.length
  const told = (): readonly number[] =>
    client.heard.slice(before).flatMap(event => (event.type === 'client.reported' ? [(event as unknown as ClientReported).report.summary.ppd] : []))
  for (const ppd of [2, 3, 4]) client.change(['units', 0, 'ppd', ppd as never])
  expect(told()).toEqual([2])
  client.clock.increment(250)
  expect(told()).toEqual([2, 4])
})

describe('the paths of a client', () => {
  const facts = [{ type: 'snapshot.received', data: dataWith() }] as const
  const events = [
    { type: 'client.joined', at: 1 },
    { type: 'client.left', at: 2 },
    { type: 'client.watch' },
    { type: 'client.check' },
    { type: 'client.reconnect' },
    { type: 'client.pause' },
    { type: 'client.fold' },
    { type: 'link.reported', at: 3, facts },
    { type: 'link.reported', at: 3, facts: [{ type: 'snapshot.received', data: { ...dataWith(), info: { version: '8.1.17' } } }] },
    { type: 'link.reported', at: 3, facts: [] },
    { type: 'link.closed', at: 4, trouble: 'closed' },
    { type: 'xstate.done.actor.0.client.commands.reading', actorId: '0.client.commands.reading', output: START },
    { type: 'xstate.done.actor.0.client.commands.reading', actorId: '0.client.commands.reading', output: START + 1000 },
  ] as const
  const options = {
    events,
    silence: ['report'],
    context: ({ connectedAt, watchers, queue: { entries } }: { connectedAt: number | undefined; watchers: number; queue: { entries: readonly { status: string }[] } }) => [
      connectedAt,
      watchers > 0,
      entries.slice(-3).map(({ status }) => status),
    ],
  }

  it.each([
    ['a direct one', direct, (type: string) => type !== 'client.joined' && type !== 'client.left', ['client.link.away']],
    ['one of the relay', relayed, () => true, ['client.link.reaching.live.watched']],
  ] as const)('lead %s through all states that it can have, and it is connected only while it is live', (_, input, hears, without) => {
    const heard = events.filter(({ type }) => hears(type))
    const { ends, unreached } = walkShortestPaths(clientMachine, { ...options, events: heard, input })
    expect(unreached).toEqual(without)
    for (const { snapshot, path } of ends) {
      const { connectedAt, queue } = snapshot.context
      expect(isConnected(snapshot), path).toBe(connectedAt !== undefined)
      if (connectedAt === undefined) expect(queue.entries.filter(({ status }) => status === 'waiting'), path).toEqual([])
    }
  })
})
