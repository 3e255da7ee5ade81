import { describe, expect, it } from 'vitest'
import { settingName, settingValueText } from './setting-texts.ts'

const info = { gpus: { 'gpu:01:00:00': { description: 'RTX 4090' } } }

describe('a setting in words', () => {
  it.each([
    [['linked', 'name'], 'Machine name'],
    [['donor', 'secrets', 'passkey'], 'Passkey'],
    [['groups', '', 'cpus'], 'CPUs of Default'],
    [['groups', '<b>my-gpu</b>', 'on_idle'], 'Only When Idle of <b>my-gpu</b>'],
    [['groups', 'night'], 'Resource group “night”'],
    [['groups', '', 'gpus', 'gpu:01:00:00'], 'GPU RTX 4090 of Default'],
    [['groups', '', 'gpus', 'gpu:02:00:00'], 'GPU Undetected of Default'],
  ])('%j is %s', (path, name) => {
    expect(settingName(path, info)).toBe(name)
  })

  it('reports what it is set to, and never a passkey', () => {
    const form = {
      donor: { user: '', secrets: { passkey: 'secret' } },
      groups: { '': { cpus: 3, beta: false, key: '' } },
    }
    const paths = [
      ['donor', 'user'],
      ['donor', 'secrets', 'passkey'],
      ['groups', '', 'cpus'],
      ['groups', '', 'beta'],
      ['groups', ''],
      ['groups', 'gone'],
      ['groups', '', 'toString'],
    ]
    expect(paths.map(path => settingValueText(path, form))).toEqual([
      'none',
      'another one',
      '3',
      'off',
      'kept',
      'deleted',
      '???',
    ])
  })
})
