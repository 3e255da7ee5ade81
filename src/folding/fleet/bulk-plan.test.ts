import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClientData, GroupConfig } from '../../protocol/client-data.ts'
import { isConfirmedBy, type Command } from '../../protocol/commands.ts'
import { validateCommand } from '../../protocol/validate-command.ts'
import type { ClientView } from '../machine/client.ts'
import type { BulkAction, BulkEffect, BulkWorld, SettingsPatch } from './bulk-action.ts'
import { isEmptyPatch, isValidPatch, planBulk } from './bulk-plan.ts'
import { MAX_TAGS_PER_MACHINE, NO_TAGS } from './tags.ts'

const WORLD: BulkWorld = { account: 'me', otherNames: new Set(), tags: NO_TAGS }

const GPUS = {
  a: { description: 'RTX 4090', supported: true },
  b: { description: 'RTX 3080', supported: true },
  old: { description: 'GT 210', supported: false },
}

type Groups = Readonly<Record<string, GroupConfig>>

const dataOf = (
  groups: Groups,
  info: Partial<ClientData['info']> = {},
  units: ClientData['units'] = [],
): ClientData => ({
  info: { id: 'm', version: '8.5.7', cpus: 16, os: 'linux', hostname: 'host', gpus: GPUS, ...info },
  config: { user: 'Ada', team: 7, cause: 'any', passkey: '' },
  groups: Object.fromEntries(Object.entries(groups).map(([name, config]) => [name, { config }])),
  units,
})

const viewOf = (data: ClientData | undefined, more: Partial<ClientView> = {}): ClientView => ({
  id: 'm',
  isDirect: false,
  name: 'attic',
  isConnected: data !== undefined,
  data,
  ...more,
})

const effectOf = (action: BulkAction, view: ClientView, world = WORLD): BulkEffect => {
  const [entry] = planBulk(action, [{ id: view.id, view }], world).entries
  if (entry === undefined) throw new Error('There is no entry.')
  return entry.effect
}

const stateAction = (state: 'fold' | 'pause' | 'finish', keepsPaused = false): BulkAction => ({
  kind: 'state',
  state,
  keepsPaused,
})

const settings = (patch: Partial<SettingsPatch>): BulkAction => ({
  kind: 'settings',
  patch: { scope: { kind: 'all' }, ...patch },
})

const commandsOf = (effect: BulkEffect): readonly Command[] =>
  effect.kind === 'change' && effect.work.kind === 'commands' ? effect.work.commands : []

/** The client's data after commands, by the rules of docs/protocol.md §5. */
const after = (data: ClientData, commands: readonly Command[]): ClientData => {
  let now = data
  for (const command of commands) {
    const isAlone = Object.keys(now.groups).length === 0
    if (command.cmd === 'state') {
      const apply = (config: GroupConfig): GroupConfig =>
        command.state === 'pause'
          ? { ...config, paused: true, finish: false }
          : command.state === 'fold'
            ? { ...config, paused: false, finish: false }
            : config.paused === true
              ? config
              : { ...config, finish: true }
      now = isAlone
        ? { ...now, config: { ...now.config, ...apply(now.config) } }
        : {
            ...now,
            groups: Object.fromEntries(
              Object.entries(now.groups).map(([name, group]) => [
                name,
                { ...group, config: apply(group.config ?? {}) },
              ]),
            ),
          }
    }
    if (command.cmd === 'config') {
      const { groups = {}, ...rest } = { ...command.config, ...command.secrets }
      now = {
        ...now,
        config: { ...now.config, ...rest },
        groups: Object.fromEntries(
          Object.entries(now.groups).map(([name, group]) => [
            name,
            { ...group, config: { ...group.config, ...(Object.hasOwn(groups, name) ? groups[name] : {}) } },
          ]),
        ),
      }
    }
  }
  return now
}

describe('a machine behind a server', () => {
  const data = dataOf({ '': { paused: false } })
  const undoSettings: BulkAction = {
    kind: 'undo',
    of: 'settings',
    before: { m: { kind: 'values', values: { groups: { '': { cpus: 4 } }, machine: {} } } },
  }
  const undoState: BulkAction = {
    kind: 'undo',
    of: 'state',
    before: { m: { kind: 'values', values: { groups: { '': { paused: true } }, machine: {} } } },
  }
  const actions = [stateAction('pause'), settings({ cpus: { kind: 'count', count: 4 } }), { kind: 'restart' } as const]

  it('is changed only by commands that the server passes on, with the reason for the others', () => {
    const kinds = (commands: readonly string[]) =>
      [...actions, undoSettings, undoState].map(
        action => effectOf(action, viewOf(data, { limit: { commands, because: 'settings' } })).kind,
      )
    expect(kinds(['state'])).toEqual(['change', 'impossible', 'impossible', 'impossible', 'change'])
    expect(kinds(['config', 'restart'])).toEqual(['impossible', 'change', 'change', 'change', 'impossible'])
    expect(effectOf(stateAction('pause'), viewOf(data, { limit: { commands: [], because: 'role' } }))).toEqual({
      kind: 'impossible',
      because: 'You are signed in to this server as a viewer, and viewers send no commands.',
    })
  })

  it('can be tagged by everybody: tags are kept in the browser', () => {
    const view = viewOf(data, { limit: { commands: [], because: 'role' } })
    expect(effectOf({ kind: 'tags', mode: 'add', tag: 'attic' }, view).kind).toBe('change')
  })
})

describe('pausing, folding and finishing', () => {
  it('is one command for the whole machine where all its groups end alike', () => {
    const data = dataOf({ '': { paused: false }, night: { paused: true } })
    const effect = effectOf(stateAction('pause'), viewOf(data))
    expect(effect).toMatchObject({
      kind: 'change',
      work: { commands: [{ cmd: 'state', state: 'pause' }] },
      changes: [{ group: '', key: 'paused', before: false, after: true }],
    })
    expect(commandsOf(effectOf(stateAction('fold'), viewOf(data)))).toEqual([{ cmd: 'state', state: 'fold' }])
  })

  it('names the groups that were paused on purpose, and leaves them paused if that is wanted', () => {
    const view = viewOf(dataOf({ '': { paused: false, finish: true }, night: { paused: true } }))
    expect(effectOf(stateAction('fold'), view)).toMatchObject({ kind: 'change', resumed: ['night'], kept: [] })
    expect(effectOf(stateAction('fold', true), view)).toMatchObject({
      resumed: [],
      kept: ['night'],
      work: { commands: [{ cmd: 'config', config: { groups: { '': { finish: false } } } }] },
    })
    expect(effectOf(stateAction('fold', true), viewOf(dataOf({ '': {}, night: { paused: true } })))).toEqual({
      kind: 'same',
      kept: ['night'],
    })
  })

  it('resumes a machine of which all is paused, whatever is to stay paused', () => {
    const view = viewOf(dataOf({ '': { paused: true }, night: { paused: true } }))
    expect(effectOf(stateAction('fold', true), view)).toMatchObject({
      resumed: [],
      work: { commands: [{ cmd: 'state', state: 'fold' }] },
    })
  })

  it('finishes what holds units: paused groups fold first, with the same command', () => {
    const data = dataOf({ '': { paused: false }, night: { paused: true }, empty: { paused: true } }, {}, [
      { id: 'u', group: 'night' },
    ])
    expect(commandsOf(effectOf(stateAction('finish'), viewOf(data)))).toEqual([
      { cmd: 'config', config: { groups: { '': { finish: true }, night: { paused: false, finish: true } } } },
    ])
    expect(effectOf(stateAction('finish'), viewOf(dataOf({ '': { paused: true } })))).toEqual({
      kind: 'impossible',
      because: 'Nothing to finish: it is paused and has no work units.',
    })
  })

  it('is as two commands where a client has no groups', () => {
    const data: ClientData = { ...dataOf({}, {}, [{ id: 'u' }]), config: { cpus: 4, paused: true } }
    expect(commandsOf(effectOf(stateAction('finish'), viewOf(data)))).toEqual([
      { cmd: 'state', state: 'fold' },
      { cmd: 'state', state: 'finish' },
    ])
  })

  it('says why a machine is skipped', () => {
    const folding = dataOf({ '': { paused: false } })
    expect(effectOf(stateAction('fold'), viewOf(folding))).toEqual({ kind: 'same', kept: [] })
    expect(effectOf(stateAction('fold'), viewOf(dataOf({ '': {} }, { version: '8.1.18' })))).toEqual({
      kind: 'tooOld',
      has: '8.1.18',
      needs: '8.3.0',
    })
    expect(effectOf(stateAction('fold'), viewOf(folding, { isConnected: false }))).toEqual({ kind: 'disconnected' })
    expect(effectOf(stateAction('fold'), viewOf(dataOf({})))).toMatchObject({ kind: 'impossible' })
  })
})

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
                night: { gpus: { a: { enabled: false }, b: { enabled: true }, old: { enabled: false } } },
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

  it('changes name, team, cause and passkey only of machines without an account', () => {
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
    expect([
      isValidPatch({ ...all, user: 'Ada', secrets: { passkey: 'f'.repeat(32) } }),
      isValidPatch({ ...all, user: 'A<b' }),
      isValidPatch({ ...all, secrets: { passkey: 'f' } }),
      isValidPatch({ scope: { kind: 'named', name: '' } }),
    ]).toEqual([true, false, false, false])
  })

  it('is empty without any value', () => {
    expect(isEmptyPatch({ scope: { kind: 'all' }, leastCpus: 4 })).toBe(true)
    expect(isEmptyPatch({ scope: { kind: 'all' }, gpus: false })).toBe(false)
    expect(isEmptyPatch({ scope: { kind: 'all' }, team: 0 })).toBe(false)
  })
})

describe('names, links and restarts', () => {
  const machine = (id: string, name: string, more: Partial<ClientView> = {}) => ({
    id,
    view: viewOf(dataOf({ '': {} }), { id, name, ...more }),
  })
  const rename = (pattern: string, otherNames: readonly string[] = []) =>
    planBulk({ kind: 'rename', pattern }, [machine('a', 'one'), machine('b', 'rack-02')], {
      account: 'me',
      otherNames: new Set(otherNames),
      tags: NO_TAGS,
    })

  it('are numbered in the order of the machines; a machine that has its name keeps it', () => {
    const { entries, counts } = rename('rack-{nn}')
    expect(entries.map(({ effect }) => effect)).toMatchObject([
      { work: { kind: 'rename', machine: 'a', name: 'rack-01' }, before: { kind: 'name', name: 'one' } },
      { kind: 'same' },
    ])
    expect(counts).toMatchObject({ change: 1, same: 1 })
  })

  it('must differ from each other and from those of other machines', () => {
    expect(rename('rack').entries[0]?.effect).toEqual({
      kind: 'impossible',
      because: '2 machines would be named rack.',
    })
    expect(rename('{os}-{n}', ['Linux-1']).entries.map(({ effect }) => effect.kind)).toEqual(['impossible', 'change'])
  })

  it('need the account', () => {
    const direct = machine('a', 'one', { isDirect: true })
    const world = { account: undefined, otherNames: new Set<string>(), tags: NO_TAGS }
    for (const action of [{ kind: 'rename', pattern: 'x' }, { kind: 'unlink' }] as const)
      expect(effectOf(action, direct.view, world)).toEqual({ kind: 'impossible', because: 'You are not logged in.' })
    expect(effectOf({ kind: 'unlink' }, direct.view)).toEqual({
      kind: 'impossible',
      because: 'It does not belong to your account.',
    })
    expect(effectOf({ kind: 'unlink' }, viewOf(undefined))).toMatchObject({ work: { kind: 'unlink', machine: 'm' } })
  })

  it('do not concern tags, which need only the machine’s own id and room', () => {
    const full = Array.from({ length: MAX_TAGS_PER_MACHINE }, (_, index) => `t${index}`)
    const world = { ...WORLD, tags: { m: full, n: ['attic'] } }
    const add: BulkAction = { kind: 'tags', mode: 'add', tag: 'Attic' }
    expect(effectOf(add, viewOf(undefined), world)).toEqual({ kind: 'impossible', because: 'It has 20 tags already.' })
    expect(effectOf({ ...add, tag: 'T1' }, viewOf(undefined), world)).toEqual({ kind: 'same', kept: [] })
    expect(effectOf(add, viewOf(undefined, { id: 'n' }), world)).toEqual({ kind: 'same', kept: [] })
    expect(effectOf({ ...add, mode: 'remove' }, viewOf(undefined, { id: 'n' }), world)).toMatchObject({
      changes: [{ key: 'tags', before: 'attic', after: '' }],
      work: { kind: 'tag', machine: 'n', tag: 'attic', mode: 'remove' },
      before: { kind: 'tag', tag: 'attic', mode: 'add' },
    })
    expect(effectOf(add, viewOf(undefined, { isDirect: true }), world)).toMatchObject({ kind: 'impossible' })
  })

  it('connect again only what is connected', () => {
    expect(effectOf({ kind: 'restart' }, viewOf(undefined))).toEqual({ kind: 'disconnected' })
    expect(commandsOf(effectOf({ kind: 'restart' }, viewOf(dataOf({}))))).toEqual([{ cmd: 'restart' }])
  })
})

describe('an undo', () => {
  const groupConfig = fc.record(
    {
      paused: fc.boolean(),
      finish: fc.boolean(),
      cpus: fc.integer({ min: 0, max: 8 }),
      on_idle: fc.boolean(),
      beta: fc.boolean(),
      key: fc.nat(99),
      gpus: fc.dictionary(fc.constantFrom('a', 'b', 'gone'), fc.record({ enabled: fc.boolean() })),
    },
    { requiredKeys: ['paused', 'finish', 'gpus'] },
  )
  const machine = fc
    .record({
      groups: fc.dictionary(fc.constantFrom('', 'night', 'gpu'), groupConfig, { minKeys: 1 }),
      units: fc.array(fc.record({ id: fc.string(), group: fc.constantFrom('', 'night', 'gpu') }), { maxLength: 3 }),
    })
    .map(({ groups, units }) => dataOf(groups, { account: '' }, units))
  const patch: fc.Arbitrary<SettingsPatch> = fc.record(
    {
      scope: fc.constantFrom({ kind: 'all' } as const, { kind: 'default' } as const),
      onIdle: fc.boolean(),
      beta: fc.boolean(),
      key: fc.nat(99),
      gpus: fc.boolean(),
      user: fc.constantFrom('Bob', ''),
      team: fc.nat(99),
      cpus: fc.nat(16).map(count => ({ kind: 'count', count }) as const),
      secrets: fc.constantFrom({ passkey: 'f'.repeat(32) }, { passkey: '' }),
    },
    { requiredKeys: ['scope'] },
  )
  const action: fc.Arbitrary<BulkAction> = fc.oneof(
    fc.record({
      kind: fc.constant('state' as const),
      state: fc.constantFrom('fold' as const, 'pause' as const, 'finish' as const),
      keepsPaused: fc.boolean(),
    }),
    patch.map(each => ({ kind: 'settings' as const, patch: each })),
  )

  it('gives every machine back what it had, and each command is valid and confirmed by its own effect', () => {
    fc.assert(
      fc.property(machine, action, (data, done) => {
        const view = viewOf(data, { isDirect: true })
        const effect = effectOf(done, view)
        if (effect.kind !== 'change' || effect.before === undefined) return
        const commands = commandsOf(effect)
        for (const command of commands) expect(validateCommand(command, data)).toBeUndefined()
        const changed = after(data, commands)
        for (const command of commands.slice(-1)) expect(isConfirmedBy(command, changed)).toBe(true)
        expect(effectOf(done, viewOf(changed, { isDirect: true })).kind).toBe('same')
        const undo: BulkAction = { kind: 'undo', of: done.kind, before: { m: effect.before } }
        const restoring = commandsOf(effectOf(undo, viewOf(changed, { isDirect: true })))
        const restored = after(changed, restoring)
        for (const command of restoring.slice(-1)) expect(isConfirmedBy(command, restored)).toBe(true)
        expect(effectOf(undo, viewOf(restored, { isDirect: true })).kind).toBe('same')
        expect(statesOf(restored)).toEqual(statesOf(data))
      }),
      { numRuns: 500 },
    )
  })

  it('gives a name back, and leaves alone what was not changed', () => {
    const undo: BulkAction = { kind: 'undo', of: 'rename', before: { m: { kind: 'name', name: 'old' } } }
    expect(effectOf(undo, viewOf(undefined))).toMatchObject({ work: { kind: 'rename', name: 'old' } })
    expect(effectOf(undo, viewOf(undefined, { name: 'old' }))).toEqual({ kind: 'same', kept: [] })
    expect(effectOf(undo, viewOf(undefined, { id: 'other' }))).toMatchObject({ kind: 'impossible' })
  })

  const statesOf = ({ groups }: ClientData) =>
    Object.entries(groups).map(([name, { config }]) => [
      name,
      config?.paused,
      config?.paused === true ? undefined : (config?.finish ?? false),
    ])
})

describe('five thousand machines', () => {
  it('are planned in far less than a tenth of a second', () => {
    const targets = Array.from({ length: 5000 }, (_, index) => {
      const id = `m${index}`
      return { id, view: viewOf(dataOf({ '': { paused: false, cpus: 4 }, night: { paused: true } }), { id }) }
    })
    const started = performance.now()
    const { counts } = planBulk(stateAction('fold'), targets, WORLD)
    expect(counts.change).toBe(5000)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})
