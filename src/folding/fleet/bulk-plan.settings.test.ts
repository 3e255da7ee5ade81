import { describe, expect, it } from 'vitest'
import type { SettingsPatch } from './bulk-action.ts'
import { isEmptyPatch, isValidPatch } from './bulk-plan.ts'
import { dataOf, viewOf, effectOf, settings } from '../../../test/folding/bulk.ts'

describe('a change of settings', () => {
  it('sets CPUs where there are enough of them', () => {
    const action = settings({ cpus: { kind: 'count', count: 12 }, leastCpus: 16 })
    expect(effectOf(action, viewOf(dataOf({ '': { cpus: 4 } })))).toMatchObject({
      changes: [{ group: '', key: 'cpus', before: 4, after: 12 }],
      work: { commands: [{ cmd: 'config', config: { groups: { '': { cpus: 12 } } } }] },
    })
    expect(effectOf(action, viewOf(dataOf({ '': { cpus: 4 } }, { cpus: 8 })))).toEqual({
      kind: 'excluded',
      because: 'It has 8 CPUs.',
    })
    expect(effectOf(action, viewOf({ ...dataOf({ '': {} }), info: {} }))).toMatchObject({ kind: 'excluded' })
    expect(
      effectOf(settings({ cpus: { kind: 'allBut', spare: 2 }, mostCpus: 16 }), viewOf(dataOf({ '': { cpus: 16 } }))),
    ).toMatchObject({ changes: [{ before: 16, after: 14 }] })
  })

  it('refuses more CPUs than there are, but never fewer than now', () => {
    const two = dataOf({ '': { cpus: 2 }, night: { cpus: 2 } })
    expect(effectOf(settings({ cpus: { kind: 'count', count: 12 } }), viewOf(two))).toEqual({
      kind: 'impossible',
      because: 'Its groups would use more than the 16 CPUs that it has.',
    })
    const tooMany = dataOf({ '': { cpus: 40 } })
    expect(effectOf(settings({ cpus: { kind: 'count', count: 20 } }), viewOf(tooMany))).toMatchObject({
      kind: 'change',
    })
  })

  it('enables each supported GPU once, and disables all', () => {
    const data = dataOf({ '': {}, night: { gpus: { b: { enabled: true } } } })
    expect(effectOf(settings({ gpus: true }), viewOf(data))).toMatchObject({
      work: {
        commands: [
          {
            config: {
              groups: {
                '': { gpus: { a: { enabled: true }, b: { enabled: false }, old: { enabled: false } } },
              },
            },
          },
        ],
      },
    })
    expect(effectOf(settings({ gpus: false, scope: { kind: 'named', name: 'night' } }), viewOf(data))).toMatchObject({
      changes: [{ group: 'night', key: 'gpus' }],
    })
  })

  it('concerns the groups that were chosen, and creates none', () => {
    const data = dataOf({ '': { on_idle: false }, night: { on_idle: false } })
    const changed = (patch: Partial<SettingsPatch>) => {
      const effect = effectOf(settings({ onIdle: true, ...patch }), viewOf(data))
      return effect.kind === 'change' ? effect.changes.map(({ group }) => group) : effect
    }
    expect(changed({})).toEqual(['', 'night'])
    expect(changed({ scope: { kind: 'default' } })).toEqual([''])
    expect(changed({ scope: { kind: 'named', name: 'night' } })).toEqual(['night'])
    expect(changed({ scope: { kind: 'named', name: 'day' } })).toEqual({
      kind: 'impossible',
      because: 'It has no resource group “day”.',
    })
  })

  it('needs a client that knows the setting', () => {
    expect(effectOf(settings({ keepAwake: false }), viewOf(dataOf({ '': {} }, { version: '8.3.1' })))).toEqual({
      kind: 'tooOld',
      has: '8.3.1',
      needs: '8.3.2',
    })
  })

  it('changes name, team, cause and passkey only of clients without an account', () => {
    const patch = { user: '', team: 3, secrets: { passkey: 'f'.repeat(32) } }
    const mine = dataOf({ '': {} }, { account: 'me' })
    expect(effectOf(settings(patch), viewOf(mine))).toMatchObject({ kind: 'impossible' })
    const data = dataOf({ '': {} }, { account: '' })
    const effect = effectOf(settings(patch), viewOf(data, { isDirect: true }))
    expect(effect).toMatchObject({
      before: { values: { machine: { user: 'Ada', team: 7 }, secrets: { passkey: '' } } },
      work: { commands: [{ cmd: 'config', config: { user: 'Anonymous', team: 3 } }] },
    })
    expect(JSON.stringify(effect.kind === 'change' && effect.changes)).not.toContain('ffff')
  })

  it('is valid with a group’s name, a name and a passkey as forms take them', () => {
    const all = { scope: { kind: 'all' } } as const
    expect(isValidPatch({ ...all, user: 'Ada', secrets: { passkey: 'f'.repeat(32) } })).toBe(true)
    expect(isValidPatch({ ...all, user: 'A<b' })).toBe(false)
    expect(isValidPatch({ ...all, secrets: { passkey: 'f' } })).toBe(false)
    expect(isValidPatch({ scope: { kind: 'named', name: '' } })).toBe(false)
  })

  it('is empty without any value', () => {
    expect(isEmptyPatch({ scope: { kind: 'all' }, leastCpus: 4 })).toBe(true)
    expect(isEmptyPatch({ scope: { kind: 'all' }, gpus: false })).toBe(false)
    expect(isEmptyPatch({ scope: { kind: 'all' }, team: 0 })).toBe(false)
  })
})
