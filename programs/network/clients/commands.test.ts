import { describe, expect, it, vi } from 'vitest'
import type { Json } from '../../../src/protocol/json.ts'
import { createTestClient, part, withoutNumbers } from '../../../test/network/test-client.ts'

const defaults = {
  on_idle: false,
  on_battery: true,
  keep_awake: true,
  paused: true,
  finish: false,
  beta: false,
  cuda: true,
  hip: true,
  key: 0,
  cpus: 0,
  gpus: {},
}

function reading(...args: Parameters<typeof createTestClient>) {
  const context = createTestClient(...args)
  const { connection, take } = context.read()
  take()
  return { ...context, connection, take }
}

describe('config', () => {
  it('makes a new group from the defaults first, then key by key', () => {
    const { connection, take } = reading()
    expect(
      connection.receive({ cmd: 'config', config: { groups: { '': {}, night: { cpus: 1, on_idle: true, key: 0 } } } }),
    ).toBe('ok')
    expect(take()).toEqual([
      ['groups', 'night', { config: expect.objectContaining(defaults) as Json }],
      ['groups', 'night', 'config', 'cpus', 1],
      ['groups', 'night', 'config', 'on_idle', true],
    ])
  })

  it('checks only the type of a value', () => {
    const { connection, take } = reading()
    connection.receive({
      cmd: 'config',
      config: {
        team: '7',
        user: 5,
        cause: 'nonsense',
        groups: { '': { cpus: 1.5, key: -9, on_idle: 1, 'on-battery': false, gpus: [], beta: null } },
      },
    })
    expect(take()).toEqual([
      ['groups', '', 'config', 'cpus', 1.5],
      ['groups', '', 'config', 'key', -9],
      ['config', 'cause', 'nonsense'],
    ])
  })

  it('deletes every group that the list leaves out, and none without a list', () => {
    const { connection, take, clock } = reading({ groups: { '': {}, b: {}, a: {} } })
    connection.receive({ cmd: 'config', config: { user: 'Ada' } })
    clock.advance(1000)
    connection.receive({ cmd: 'config', config: { groups: { b: {} } } })
    expect(take()).toEqual([
      ['config', 'user', 'Ada'],
      ['groups', 'a', null],
    ])
  })

  it('closes the socket for a group that is not an object, and keeps the group it has created', () => {
    const { connection, take } = reading()
    expect(connection.receive({ cmd: 'config', config: { groups: { bad: 5 } } })).toBe('close')
    expect(take()).toEqual([['groups', 'bad', { config: expect.objectContaining(defaults) as Json }]])
  })

  it('keeps unusual group names', () => {
    const { connection, document } = reading()
    const names = ['my-gpu', 'a/b.c "q" <x>&', 'ünï 🧬', 'constructor']
    connection.receive({ cmd: 'config', config: { groups: Object.fromEntries(names.map(name => [name, {}])) } })
    expect(Object.keys(document()['groups'] ?? {})).toEqual(['', ...names])
  })

  it('leaves out options that are newer than the client', () => {
    const { connection, take, document } = reading({ version: '8.1.18' })
    connection.receive({
      cmd: 'config',
      config: { groups: { '': { keep_awake: false, on_battery: false, beta: true } } },
    })
    expect(take()).toEqual([['groups', '', 'config', 'beta', true]])
    expect(Object.keys(part(document(), 'groups', '', 'config') ?? {})).toEqual([
      'on_idle',
      'paused',
      'finish',
      'beta',
      'key',
      'cpus',
      'gpus',
    ])
  })
})

describe('finish on something paused', () => {
  it.each([
    ['a group', { group: '' }],
    ['the machine', {}],
  ])('is kept by %s, which stays paused and starts no unit', (_what, group) => {
    const context = reading({ units: [{ state: 'RUN', cpus: 1, progress: 0.5 }] })
    context.connection.receive({ cmd: 'state', state: 'finish', ...group })
    context.clock.advance(3_600_000)
    expect(context.take()).toEqual([['groups', '', 'config', 'finish', true]])
    expect(context.units()).toMatchObject([{ state: 'CORE', pause_reason: 'Paused' }])
  })
  it('is kept by a group without units too, until it is folded or paused', () => {
    const { connection, take, clock } = reading({ noWork: true })
    connection.receive({ cmd: 'state', state: 'finish', time: '2026-11-20T12:00:05Z' })
    clock.advance(60_000)
    expect(take()).toEqual([['groups', '', 'config', 'finish', true]])
    connection.receive({ cmd: 'state', state: 'pause', time: '2026-11-20T12:00:06Z' })
    expect(take()).toEqual([['groups', '', 'config', 'finish', false]])
  })
})

describe('the time of commands', () => {
  const pause = (time: Json) => ({ cmd: 'state', state: 'pause', time })
  const fold = (time: Json) => ({ cmd: 'state', state: 'fold', time })
  const isPaused = (context: ReturnType<typeof createTestClient>) =>
    part(context.document(), 'groups', '', 'config', 'paused')

  it('loses the second of two state commands within one second, even for different groups', () => {
    const { connection, take } = reading({ groups: { '': {}, other: {} } })
    connection.receive({ cmd: 'state', state: 'finish', group: '', time: '2026-11-20T12:00:05.100Z' })
    connection.receive({ cmd: 'state', state: 'finish', group: 'other', time: '2026-11-20T12:00:05.900Z' })
    expect(take()).toEqual([['groups', '', 'config', 'finish', true]])
  })

  it('keeps state and config apart', () => {
    const { connection, take } = reading()
    connection.receive({ cmd: 'state', state: 'finish', time: '2026-11-20T12:00:05Z' })
    connection.receive({ cmd: 'config', config: { user: 'Ada' }, time: '2026-11-20T12:00:05Z' })
    expect(take()).toEqual([
      ['groups', '', 'config', 'finish', true],
      ['config', 'user', 'Ada'],
    ])
  })

  it('accepts a time up to 65 minutes ahead, and then none older', () => {
    const context = reading({ noWork: true })
    context.connection.receive(fold('2026-11-20T13:05:00Z'))
    expect(isPaused(context)).toBe(false)
    context.clock.advance(60_000)
    context.connection.receive(pause(null))
    context.connection.receive(pause('2026-11-20T13:06:30Z'))
    expect(isPaused(context)).toBe(false)
    context.connection.receive(pause('2026-11-20T13:05:01Z'))
    expect(isPaused(context)).toBe(true)
  })

  it('ignores an invalid time, and logs it', () => {
    const { connection, take } = reading()
    connection.receive({ cmd: 'log', enable: true })
    connection.receive(fold('yesterday'))
    connection.receive({ cmd: 'log', enable: true })
    expect(take().at(-1)).toEqual([
      'log',
      -2,
      ["\u001b[93m12:00:00:W :Ignoring command 'state' with invalid time 'yesterday'\u001b[0m"],
    ])
  })

  it('stores the time of an unknown command', () => {
    const { connection, take } = reading()
    expect(connection.receive({ cmd: 'state', state: 'sleep', time: '2026-11-20T12:00:05Z' })).toBe('ok')
    connection.receive({ cmd: 'state', state: 'finish', time: '2026-11-20T12:00:05Z' })
    expect(take()).toEqual([])
  })

  it('is shared by direct and broadcast commands', () => {
    const { client, connection, take } = reading()
    client.receiveBroadcast({ cmd: 'config', config: { user: 'First' }, time: '2026-11-20T12:00:05Z' })
    connection.receive({ cmd: 'config', config: { user: 'Second' }, time: '2026-11-20T12:00:05Z' })
    expect(take()).toEqual([['config', 'user', 'First']])
  })
})

describe('what closes a socket', () => {
  it.each([
    ['a text', 'ping'],
    ['a number', 5],
    ['null', null],
    ['a list', []],
    ['a dump without a unit', { cmd: 'dump' }],
    ['a dump of an unknown unit', { cmd: 'dump', unit: 'nobody' }],
    ['a state without a word', { cmd: 'state' }],
    ['a config without an object', { cmd: 'config', config: null }],
    ['a link without a token', { cmd: 'link', name: 'x' }],
    ['a link with a bad name', { cmd: 'link', token: 't', name: 'a<b' }],
    ['a link with an endless name', { cmd: 'link', token: 't', name: 'x'.repeat(65) }],
    ['half a character', { cmd: 'log', note: '\ud800' }],
  ])('%s', (_, message) => {
    expect(reading().connection.receive(message)).toBe('close')
  })
  it.each([
    ['an unknown command', { cmd: 'dance' }],
    ['no command', {}],
    ['a molecule of an unknown unit', { cmd: 'viz', unit: 'x', frame: 0 }],
  ])('not %s', (_, message) => {
    const { connection, take } = reading()
    expect(connection.receive(message)).toBe('ok')
    expect(take()).toEqual([])
  })
})

describe('readers', () => {
  it('all get every change, and the same object', () => {
    const { connection, take, read } = reading()
    const other = read()
    other.take()
    connection.receive({ cmd: 'config', config: { user: 'Ada' } })
    const [mine] = take()
    const [theirs] = other.take()
    expect(mine).toEqual(['config', 'user', 'Ada'])
    expect(theirs).toBe(mine)
  })

  it('get log and history only on request', () => {
    const { connection, take, read, clock } = reading({ history: ['credited', 'failed'] })
    const other = read()
    other.take()
    connection.receive({ cmd: 'wus', enable: 'yes' })
    connection.receive({ cmd: 'log', enable: 1 })
    connection.receive({ cmd: 'state', state: 'finish' })
    clock.advance(1000)
    expect(take().map(message => part(message, 0))).toEqual(['wus', 'log', 'groups', 'log'])
    expect(other.take()).toEqual([['groups', '', 'config', 'finish', true]])
  })

  it('get only missed lines after they stop and start again', () => {
    const { connection, take, clock } = reading()
    connection.receive({ cmd: 'log', enable: true })
    connection.receive({ cmd: 'log', enable: false })
    connection.receive({ cmd: 'state', state: 'pause' })
    clock.advance(1000)
    take()
    connection.receive({ cmd: 'log', enable: true })
    connection.receive({ cmd: 'log', enable: true })
    expect(take()).toEqual([['log', -2, ['12:00:00:I1:Machine state pause']]])
  })

  it('get nothing after they disconnect', () => {
    const { connection, take, client } = reading()
    connection.detach()
    connection.detach()
    client.rename('other')
    expect(connection.receive({ cmd: 'state' })).toBe('ok')
    expect(take()).toEqual([])
  })
})

describe('the account side', () => {
  it('is notified of link and restart', () => {
    const onLink = vi.fn<(request: { token: string; name: string }) => void>()
    const onRestart = vi.fn<() => void>()
    const { connection } = reading({}, { hooks: { onLink, onRestart } })
    connection.receive({ cmd: 'link', token: 'secret', name: 'Rig' })
    connection.receive({ cmd: 'restart' })
    expect(onLink.mock.calls).toEqual([[{ token: 'secret', name: 'Rig' }]])
    expect(onRestart.mock.calls).toEqual([[]])
  })

  it('acts on a broadcast restart once for each second', () => {
    const onRestart = vi.fn<() => void>()
    const { client } = reading({}, { hooks: { onRestart } })
    client.receiveBroadcast({ cmd: 'restart', time: '2026-11-20T12:00:05Z' })
    client.receiveBroadcast({ cmd: 'restart', time: '2026-11-20T12:00:05Z' })
    expect(onRestart).toHaveBeenCalledTimes(1)
  })

  it('renames, links and configures the client', () => {
    const { client, take } = reading()
    client.setAccount('an-account')
    client.rename('Rig')
    client.configureFromAccount({ user: 'Ada', team: 7, passkey: 'k', cause: 'cancer' })
    expect(take()).toEqual([
      ['info', 'account', 'an-account'],
      ['info', 'mach_name', 'Rig'],
      ['config', 'user', 'Ada'],
      ['config', 'team', 7],
      ['config', 'passkey', 'k'],
      ['config', 'cause', 'cancer'],
    ])
    expect(client.name()).toBe('Rig')
  })
})

it('a client sends what each command does, in the order of the real one', () => {
  const { connection, take } = reading({}, {})
  connection.receive({ cmd: 'state', state: 'fold' })
  const [, , , , , added, id] = withoutNumbers(take())
  expect(added).toEqual(['units', 0, { group: '', number: 1, cpus: 1, gpus: [], state: 'ASSIGN' }])
  expect(id?.slice(0, 3)).toEqual(['units', 0, 'id'])
})
