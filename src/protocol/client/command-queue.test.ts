import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClientData } from './client-data.ts'
import type { CommandQueue } from './command-queue.ts'
import {
  dropUnsent,
  emptyQueue,
  enqueue,
  markIgnored,
  removeCommand,
  markSent,
  nextToSend,
  confirmCommands,
} from './command-queue.ts'
import type { Command, ConfigPatch, GroupPatch } from './commands.ts'
import { isTimed } from './commands.ts'

const fold: Command = { cmd: 'state', state: 'fold' }
const pause: Command = { cmd: 'state', state: 'pause' }
const save: Command = { cmd: 'config', config: { user: 'x' } }
const log: Command = { cmd: 'log', enable: true }

const NOON = Date.UTC(2026, 10, 20, 12)

function queueOf(...commands: Command[]) {
  return commands.reduce((queue, command, at) => enqueue(queue, command, `k${at}`), emptyQueue)
}
function statuses(queue: CommandQueue) {
  return Object.fromEntries(queue.entries.map(({ key, status }) => [key, status]))
}
function dataWith(paused: boolean): ClientData {
  return {
    info: {},
    config: {},
    groups: { '': { config: { paused, finish: false } } },
    units: [],
  }
}

describe('A queue of commands', () => {
  it('has nothing to send when nothing waits', () => {
    expect(nextToSend(emptyQueue, NOON)).toBeUndefined()
    expect(nextToSend(markSent(queueOf(fold), 'k0', NOON), NOON)).toBeUndefined()
  })

  it('keeps a second state command until the next whole second', () => {
    const queue = markSent(queueOf(fold, pause), 'k0', NOON + 400)
    expect(nextToSend(queue, NOON + 450)).toEqual({ waitMs: 550 })
    expect(nextToSend(queue, NOON + 999)).toEqual({ waitMs: 1 })
    expect(nextToSend(queue, NOON + 1000)).toEqual({ key: 'k1', command: pause })
  })

  it('spaces state and config commands separately', () => {
    const queue = markSent(queueOf(fold, save), 'k0', NOON)
    expect(nextToSend(queue, NOON)).toEqual({ key: 'k1', command: save })
  })

  it('keeps the order of commands, and lets stream requests pass', () => {
    const queue = markSent(queueOf(fold, pause, save, log), 'k0', NOON)
    expect(nextToSend(queue, NOON)).toEqual({ key: 'k3', command: log })
    expect(nextToSend(markSent(queue, 'k3', NOON), NOON)).toEqual({ waitMs: 1000 })
  })

  it('waits after a clock was set back, since the client keeps the later time', () => {
    expect(nextToSend(markSent(queueOf(fold, pause), 'k0', NOON), NOON - 5000)).toEqual({ waitMs: 6000 })
  })

  it('forgets the second of a command that was ignored', () => {
    const queue = markIgnored(markSent(queueOf(fold, pause), 'k0', NOON), 'k0', 'The clock of this computer is wrong.')
    expect(queue.entries[0]).toEqual({
      key: 'k0',
      command: fold,
      status: 'ignored',
      askedAt: NOON,
      reason: 'The clock of this computer is wrong.',
    })
    expect(nextToSend(queue, NOON - 3_600_000)).toEqual({ key: 'k1', command: pause })
  })

  it('confirms a sent command once the data shows its effect', () => {
    const asked = markSent(queueOf(pause, save), 'k0', NOON)
    expect(confirmCommands(asked, dataWith(false))).toBe(asked)
    expect(statuses(confirmCommands(asked, dataWith(true)))).toEqual({ k0: 'confirmed', k1: 'waiting' })
  })

  it('does not wait for a second far in the future, from a wrong clock', () => {
    expect(nextToSend(markSent(queueOf(fold, pause), 'k0', NOON + 3_600_000), NOON)).toEqual({
      key: 'k1',
      command: pause,
    })
  })

  it('confirms at once what is true already, since a client does not report it', () => {
    expect(statuses(markSent(queueOf(pause), 'k0', NOON, dataWith(true)))).toEqual({ k0: 'confirmed' })
    expect(statuses(markSent(queueOf(pause), 'k0', NOON, dataWith(false)))).toEqual({ k0: 'asked' })
  })

  it('does not confirm by data that an earlier command may still change', () => {
    const folding = markSent(queueOf(fold, pause), 'k0', NOON, dataWith(true))
    const both = markSent(folding, 'k1', NOON + 1000, dataWith(true))
    expect(statuses(both)).toEqual({ k0: 'asked', k1: 'asked' })
    expect(statuses(confirmCommands(confirmCommands(both, dataWith(false)), dataWith(true)))).toEqual({
      k0: 'confirmed',
      k1: 'confirmed',
    })
  })

  it('confirms an earlier command whose effect a later one has overwritten', () => {
    const queue = markSent(markSent(queueOf(fold, pause), 'k0', NOON), 'k1', NOON + 1000)
    expect(statuses(confirmCommands(queue, dataWith(true)))).toEqual({ k0: 'confirmed', k1: 'confirmed' })
    const other = markSent(
      markSent(queueOf({ ...fold, group: 'gpu' }, { ...pause, group: '' }), 'k0', NOON),
      'k1',
      NOON + 1000,
    )
    expect(statuses(confirmCommands(other, dataWith(true)))).toEqual({ k0: 'asked', k1: 'confirmed' })
  })

  const [on, off] = [{ enabled: true }, { enabled: false }]
  const config = (change: ConfigPatch): Command => ({ cmd: 'config', config: change })
  const inGroup = (patch: GroupPatch | null, name = 'gpu'): Command => config({ groups: { [name]: patch } })
  const withGpus = (gpus: GroupPatch['gpus'] & {}): Command => ({
    cmd: 'config',
    config: { groups: { gpu: { gpus } } },
    keepsOtherGpus: true,
  })
  const withPasskey = (passkey: string): Command => ({ cmd: 'config', config: {}, secrets: { passkey } })
  it.each<[string, 'asked' | 'confirmed', ...Command[]]>([
    ['of a group, not the name after it', 'asked', inGroup({ cpus: 4 }), save],
    ['a team beside a name', 'asked', config({ user: 'w', team: 5 }), save],
    ['a name beside a team', 'confirmed', config({ user: 'w', team: 7 }), save],
    [
      'a name and a team, one by one',
      'confirmed',
      config({ user: 'w', team: 5 }),
      config({ user: 'v', team: 7 }),
      save,
    ],
    ['of the same group', 'confirmed', inGroup({ cpus: 4 }), inGroup({ cpus: 2 })],
    ['of another group', 'asked', inGroup({ cpus: 4 }, ''), inGroup({ cpus: 2 })],
    ['of a group that was deleted', 'confirmed', inGroup({ cpus: 4 }, 'gone'), inGroup(null, 'gone')],
    ['a group deleted and made again', 'confirmed', inGroup(null), inGroup({ cpus: 2 })],
    ['a group deleted, and kept as it was', 'asked', inGroup(null), inGroup({})],
    ['another GPU', 'asked', withGpus({ a: on }), withGpus({ b: on })],
    ['a GPU', 'confirmed', withGpus({ a: on }), withGpus({ a: off })],
    ['a GPU, by all GPUs', 'confirmed', withGpus({ c: on }), inGroup({ gpus: { a: off, b: on } })],
    ['a passkey', 'confirmed', withPasskey('a'), withPasskey('b')],
  ])('confirms a change of settings but for what later ones overwrote: %s, %s', (_, status, ...commands) => {
    const data: ClientData = {
      ...{ info: {}, units: [], config: { user: 'x', team: 7, passkey: 'b' } },
      groups: { '': { config: { cpus: 1 } }, gpu: { config: { cpus: 2, gpus: { a: off, b: on } } } },
    }
    const sent = commands.reduce(
      (queue, _each, at) => markSent(queue, `k${at}`, NOON + at * 1000),
      queueOf(...commands),
    )
    expect(statuses(confirmCommands(sent, data))['k0']).toBe(status)
  })

  it('removes confirmed commands with the next one, and any on demand', () => {
    const queue = confirmCommands(markSent(queueOf(pause), 'k0', NOON), dataWith(true))
    expect(statuses(enqueue(queue, log, 'k9'))).toEqual({ k9: 'waiting' })
    expect(removeCommand(queue, 'k0').entries).toEqual([])
  })

  it('drops unsent commands after a lost connection, but keeps the second', () => {
    const queue = dropUnsent(markSent(queueOf(fold, pause), 'k0', NOON))
    expect(statuses(queue)).toEqual({ k0: 'asked' })
    expect(nextToSend(enqueue(queue, pause, 'k5'), NOON)).toEqual({ waitMs: 1000 })
  })

  it('never sends two of a kind in one second, never late by more than it said, and loses none [12.13]', () => {
    const command = fc.constantFrom(fold, pause, save, log, { cmd: 'restart' } as const)
    fc.assert(
      fc.property(fc.array(fc.tuple(command, fc.nat(2500)), { maxLength: 20 }), asked => {
        let queue = emptyQueue
        let now = NOON
        const sent: { cmd: string; second: number }[] = []
        const drain = (until: number) => {
          for (let next = nextToSend(queue, now); next; next = nextToSend(queue, now)) {
            if ('waitMs' in next) {
              expect(next.waitMs).toBeGreaterThan(0)
              if (now + next.waitMs > until) break
              now += next.waitMs
            } else {
              if (isTimed(next.command)) sent.push({ cmd: next.command.cmd, second: Math.floor(now / 1000) })
              queue = markSent(queue, next.key, now)
            }
          }
          now = Math.max(now, until)
        }
        asked.forEach(([each, gap], at) => {
          queue = enqueue(queue, each, `k${at}`)
          drain(now + gap)
        })
        drain(now + 60_000)
        expect(new Set(sent.map(({ cmd, second }) => `${cmd} ${second}`)).size).toBe(sent.length)
        expect(sent.length).toBe(asked.filter(([each]) => isTimed(each)).length)
        expect(queue.entries.filter(entry => entry.status === 'waiting')).toEqual([])
      }),
    )
  })
})
