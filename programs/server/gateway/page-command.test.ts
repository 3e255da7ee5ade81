import { expect, test } from 'vitest'
import { dataOf } from '../../../test/machines/fleet.ts'
import { describeCommand, readPageContent, readPageMessage } from './page-command.ts'

const data = dataOf('machine', 'puppet')
function read(message: unknown) {
  return readPageMessage(JSON.stringify(message), data)
}

test('requests of streams, and commands without their times', () => {
  expect(read({ cmd: 'log', enable: 1, time: 'x' })).toEqual({ kind: 'stream', request: { cmd: 'log', enable: true } })
  expect(read({ cmd: 'wus' })).toEqual({ kind: 'stream', request: { cmd: 'wus', enable: false } })
  expect(read({ cmd: 'viz', unit: 'a', frame: 2.5 })).toEqual({
    kind: 'stream',
    request: { cmd: 'viz', unit: 'a', frame: 2 },
  })
  expect(read({ cmd: 'state', state: 'fold', group: null, time: '2099-01-01T00:00:00Z' })).toEqual({
    kind: 'control',
    request: { cmd: 'state', state: 'fold' },
  })
  expect(read({ cmd: 'unpause' })).toEqual({ kind: 'control', request: { cmd: 'state', state: 'fold' } })
  expect(read({ cmd: 'restart', extra: true })).toEqual({ kind: 'control', request: { cmd: 'restart' } })
})

test.each([
  ['text', 'not JSON {'],
  ['no object', '"ping"'],
  ['an unknown unit to dump', '{"cmd":"dump","unit":"none"}'],
  ['a running unit to dump', '{"cmd":"dump","unit":"machine-1"}'],
  ['an unknown group, which would be made', '{"cmd":"state","state":"fold","group":"new"}'],
  ['no state', '{"cmd":"state"}'],
  ['a group that is no object', '{"cmd":"config","config":{"groups":{"":5}}}'],
  ['a group that is null', '{"cmd":"config","config":{"groups":{"":{},"night":null}}}'],
  ['a setting of a wrong type', '{"cmd":"config","config":{"team":"1"}}'],
  ['a bad name', '{"cmd":"link","token":"t","name":"<b>"}'],
  ['a negative frame', '{"cmd":"viz","unit":"a","frame":-1}'],
])('is refused, since it would harm the connection of all pages: %s', (_, text) => {
  expect(readPageMessage(text, data)).toEqual({ kind: 'invalid' })
})

test('a page names the groups that stay; the HTTP API only those that change', () => {
  const withNight = { ...data, groups: { '': {}, night: {} } }
  const command = { cmd: 'config', config: { groups: { '': { cpus: 4 } } } }
  expect(readPageMessage(JSON.stringify(command), withNight)).toEqual({
    kind: 'control',
    request: { cmd: 'config', config: { groups: { '': { cpus: 4 }, night: null } } },
  })
  expect(readPageContent(command, withNight)).toEqual({ kind: 'control', request: command })
  expect(readPageContent({ cmd: 'config', config: { groups: { night: null } } }, withNight)).toEqual({
    kind: 'invalid',
  })
})

test('settings that no client knows are not passed on', () => {
  const text =
    '{"cmd":"config","config":{"team":1,"dance":2,"groups":{"":{"cpus":4,"dance":{}},"__proto__":{"cpus":1}}}}'
  expect(readPageMessage(text, data)).toMatchObject({
    kind: 'control',
    request: { cmd: 'config', config: { team: 1, groups: { '': { cpus: 4 } } } },
  })
  expect(JSON.stringify(readPageMessage(text, data))).not.toMatch(/dance|__proto__/)
})

test('unknown commands are ignored, as a client does', () => {
  expect(read({ cmd: 'dance' })).toEqual({ kind: 'ignored' })
  expect(read({})).toEqual({ kind: 'ignored' })
})

test('the record of actions names what was changed, and no passkey or token', () => {
  const text = [
    describeCommand({ cmd: 'config', config: { user: 'ana', passkey: 'secret', groups: { night: { cpus: 4 } } } }),
    describeCommand({ cmd: 'config', config: { groups: { '': {}, night: null } } }),
    describeCommand({ cmd: 'link', token: 'secret', name: 'puppet' }),
    describeCommand({ cmd: 'state', state: 'pause', group: 'night' }),
  ]
  expect(text).toEqual([
    'config: user, passkey, group "night" cpus',
    'config: group "night" deleted',
    'link to an account',
    'pause, group "night"',
  ])
})
