import { describe, expect, it } from 'vitest'
import type { ClientData } from './client-data.ts'
import type { Command } from './commands.ts'
import { completeGroups, isConfirmedBy, isTimed, stampCommand } from './commands.ts'
import { validateCommand, type CommandFault } from './validate-command.ts'

const fold: Command = { cmd: 'state', state: 'fold' }
const pause: Command = { cmd: 'state', state: 'pause' }
const finish: Command = { cmd: 'state', state: 'finish' }

function dataOf(groups: ClientData['groups'], units: ClientData['units'] = []): ClientData {
  return {
    info: {},
    config: {},
    groups,
    units,
  }
}

const folding = { config: { paused: false, finish: false } }
const paused = { config: { paused: true, finish: false } }
const finishing = { config: { paused: false, finish: true } }

describe('A command', () => {
  it('is stamped with the time given, in UTC and whole seconds: some clients close the connection because of a fraction [7.35]', () => {
    expect(
      stampCommand({ cmd: 'state', state: 'pause', group: 'my-gpu' }, Date.UTC(2026, 10, 20, 13, 35, 14, 261)),
    ).toEqual({ cmd: 'state', state: 'pause', group: 'my-gpu', time: '2026-11-20T13:35:14Z' })
  })

  it('obeys the rule of one a second when it changes states or settings', () => {
    const timed = [
      fold,
      { cmd: 'config', config: {} },
      { cmd: 'dump', unit: 'u' },
      { cmd: 'log', enable: true },
      { cmd: 'restart' },
    ] satisfies Command[]
    expect(timed.map(isTimed)).toEqual([true, true, false, false, false])
  })
})

describe('A command is confirmed', () => {
  it.each<[Command, ClientData, boolean]>([
    [fold, dataOf({ '': folding, gpu: folding }), true],
    [fold, dataOf({ '': folding, gpu: paused }), false],
    [fold, dataOf({ '': finishing }), false],
    [{ ...fold, group: 'gpu' }, dataOf({ '': paused, gpu: folding }), true],
    [{ ...fold, group: '' }, dataOf({ '': paused, gpu: folding }), false],
    [{ ...fold, group: 'gone' }, dataOf({ '': folding }), false],
    [pause, dataOf({ '': paused, gpu: paused }), true],
    [pause, dataOf({ '': paused, gpu: finishing }), false],
    [finish, dataOf({ '': finishing, gpu: { config: { paused: true, finish: true } } }), true],
    [finish, dataOf({ '': folding }), false],
    [finish, dataOf({ '': paused }), true],
    [finish, dataOf({ '': paused }, [{ id: 'u', group: '' }]), false],
    [finish, dataOf({ '': finishing, gpu: paused }, [{ id: 'u', group: '' }]), true],
    [pause, { info: {}, config: { paused: true }, groups: {}, units: [] }, true],
    [fold, { info: {}, config: { paused: true }, groups: {}, units: [] }, false],
  ])('when every group it is for shows it: %j in %j is %s', (command, data, isConfirmed) => {
    expect(isConfirmedBy(command, data)).toBe(isConfirmed)
  })

  it.each<[Command & { cmd: 'config' }, boolean]>([
    [{ cmd: 'config', config: { user: 'Zoë', team: 5 } }, true],
    [{ cmd: 'config', config: { user: 'Zoë', team: 6 } }, false],
    [
      { cmd: 'config', config: { groups: { '': { cpus: 2, gpus: { 'gpu:01:00:00': { enabled: true } } }, gpu: {} } } },
      true,
    ],
    [{ cmd: 'config', config: { groups: { gpu: { cpus: 4 } } } }, true],
    [{ cmd: 'config', config: { groups: { '': { gpus: {} }, gpu: {} } } }, false],
    [{ cmd: 'config', config: { groups: { '': {} } } }, true],
    [{ cmd: 'config', config: { groups: { gpu: null } } }, false],
    [{ cmd: 'config', config: { groups: { night: null, '': null } } }, true],
    [{ cmd: 'config', config: { user: 'Zoë' }, secrets: { passkey: 'ab' } }, true],
    [{ cmd: 'config', config: { user: 'Zoë' }, secrets: { passkey: 'cd' } }, false],
    [{ cmd: 'config', config: { groups: { '': {}, gpu: {}, night: {} } } }, false],
    [{ cmd: 'config', config: {} }, true],
  ])('when each setting that was sent is reported: %j is %s', (command, isConfirmed) => {
    const data: ClientData = {
      info: {},
      units: [],
      config: { user: 'Zoë', team: 5, cause: 'any', passkey: 'ab' },
      groups: {
        '': { config: { cpus: 2, gpus: { 'gpu:01:00:00': { enabled: true } }, beta: false } },
        gpu: { config: { cpus: 4 } },
      },
    }
    expect(isConfirmedBy(command, data)).toBe(isConfirmed)
  })

  it('when the unit to dump is gone or being dumped', () => {
    const dump: Command = { cmd: 'dump', unit: 'u' }
    const states = ['RUN', 'DUMP', 'DONE'].map(state => isConfirmedBy(dump, dataOf({}, [{ id: 'u', state }])))
    expect([...states, isConfirmedBy(dump, dataOf({}, [{ id: 'v', state: 'RUN' }]))]).toEqual([false, true, true, true])
  })

  it('at once when its effect cannot be seen in the data', () => {
    const commands: Command[] = [
      { cmd: 'log', enable: true },
      { cmd: 'wus', enable: true },
      { cmd: 'viz', unit: 'u', frame: 0 },
      { cmd: 'link', token: 't', name: 'n' },
      { cmd: 'restart' },
    ]
    expect(commands.every(command => isConfirmedBy(command, dataOf({})))).toBe(true)
  })
})

describe('The groups of a config command', () => {
  const data = dataOf({ '': folding, 'my-gpu': paused, night: paused })

  it('are all that the client has now, since those left out are deleted', () => {
    expect(completeGroups({ 'my-gpu': { cpus: 3 } }, data)).toEqual({ '': {}, 'my-gpu': { cpus: 3 }, night: {} })
  })

  it('are joined by new ones, and lose those edited away, but never the default', () => {
    expect(completeGroups({ new: { cpus: 1 }, night: null, '': null }, data)).toEqual({
      '': {},
      'my-gpu': {},
      new: { cpus: 1 },
    })
  })
})

describe('A command is refused before it can cost the connection', () => {
  const data = dataOf({ '': folding, gpu: folding, 'two\nlines': folding }, [
    { id: 'running', state: 'RUN' },
    { id: 'paused', state: 'RUN', pause_reason: 'Paused' },
    { id: 'flagged', state: 'CORE', paused: true },
    { id: 'assigning', state: 'ASSIGN', pause_reason: 'Paused' },
    { state: 'RUN', paused: true },
  ])
  const noUnit: CommandFault = { kind: 'unknown-unit' }
  const badName: CommandFault = { kind: 'name-characters' }

  it.each<[Command, CommandFault | undefined]>([
    [fold, undefined],
    [{ ...pause, group: '' }, undefined],
    [{ ...pause, group: 'gpu' }, undefined],
    [
      { ...pause, group: 'my_gpu' },
      { kind: 'unknown-group', group: 'my_gpu' },
    ],
    [{ cmd: 'state', state: 'sleep' as 'pause' }, { kind: 'unknown-state' }],
    [{ cmd: 'dump', unit: 'paused' }, undefined],
    [{ cmd: 'dump', unit: 'flagged' }, undefined],
    [{ cmd: 'dump', unit: 'running' }, { kind: 'unpaused-unit' }],
    [{ cmd: 'dump', unit: 'assigning' }, { kind: 'unassigned-unit' }],
    [{ cmd: 'dump', unit: 'stale' }, noUnit],
    [{ cmd: 'dump', unit: '' }, noUnit],
    [{ cmd: 'link', token: 'tok', name: 'My machine.1' }, undefined],
    [{ cmd: 'link', token: 'tok', name: '<b>' }, badName],
    [{ cmd: 'link', token: 'tok', name: "it's" }, badName],
    [{ cmd: 'link', token: 'tok', name: 'x'.repeat(64) }, undefined],
    [{ cmd: 'link', token: 'tok', name: 'x'.repeat(65) }, { kind: 'name-length' }],
    [{ cmd: 'link', token: 'tok', name: '' }, { kind: 'name-length' }],
    [{ cmd: 'link', token: '', name: 'a' }, { kind: 'no-token' }],
    [{ cmd: 'link', token: 'tok', name: 'a\nb' }, badName],
    [{ cmd: 'state', state: 'fold', group: 'two\nlines' }, undefined],
    [{ cmd: 'config', config: { groups: { 'two\nlines': {}, 'a\u0000': {} } } }, undefined],
    [{ cmd: 'config', config: { user: '\ud83e' } }, { kind: 'lone-surrogate' }],
    [
      { cmd: 'config', config: { user: '🧬 <b>Zoë</b>', team: 5, groups: { 'my-gpu': { cpus: 1, gpus: {} } } } },
      undefined,
    ],
    [{ cmd: 'config', config: { user: 'x'.repeat(800_000) } }, { kind: 'too-large' }],
    [
      { cmd: 'config', config: { team: '5' as unknown as number } },
      { kind: 'wrong-setting', setting: 'team' },
    ],
    [
      { cmd: 'config', config: { team: NaN } },
      { kind: 'wrong-setting', setting: 'team' },
    ],
    [
      { cmd: 'config', config: { groups: { a: { paused: 1 as unknown as boolean } } } },
      { kind: 'wrong-setting', setting: 'paused' },
    ],
    [
      { cmd: 'config', config: { groups: { a: 5 as unknown as object } } },
      { kind: 'incomplete-group', group: 'a' },
    ],
    [
      { cmd: 'config', config: { groups: [] as unknown as Record<string, object> } },
      { kind: 'wrong-setting', setting: 'groups' },
    ],
    [{ cmd: 'viz', unit: '', frame: 0 }, undefined],
    [{ cmd: 'viz', unit: 'u', frame: -1 }, { kind: 'unknown-frame' }],
    [{ cmd: 'log', enable: true }, undefined],
    [{ cmd: 'wus', enable: false }, undefined],
    [{ cmd: 'restart' }, undefined],
  ])('%j: %j', (command, fault) => {
    expect(validateCommand(command, data)).toEqual(fault)
  })

  it('and before anything is known of the client, a dump is refused and a pause is not', () => {
    expect(validateCommand({ cmd: 'dump', unit: 'u' }, undefined)).toEqual(noUnit)
    expect(validateCommand({ ...pause, group: 'gpu' }, undefined)).toBeUndefined()
  })
})
