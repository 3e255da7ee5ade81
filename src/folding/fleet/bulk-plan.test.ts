import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClientData } from '../../protocol/client/client-data.ts'
import { isConfirmedBy } from '../../protocol/client/commands.ts'
import { validateCommand } from '../../protocol/client/validate-command.ts'
import type { ClientView } from '../client/client.ts'
import type { BulkAction, SettingsPatch } from './bulk-action.ts'
import { effectText } from './bulk-text.ts'
import { EMPTY_WORLD, planBulk } from './bulk-plan.ts'
import { MAX_TAGS_PER_MACHINE } from './tags.ts'
import {
  WORLD,
  dataOf,
  viewOf,
  effectOf,
  stateAction,
  settings,
  commandsOf,
  after,
} from '../../../test/folding/bulk.ts'

describe('a client behind a server', () => {
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

  it('can be tagged without any right: tags are kept in the browser', () => {
    const view = viewOf(data, { limit: { commands: [], because: 'role' } })
    expect(effectOf({ kind: 'tags', mode: 'add', tag: 'attic' }, view).kind).toBe('change')
  })
})

describe('pausing, folding and finishing', () => {
  it('is one command for the whole client where all its groups end alike', () => {
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

  it('resumes without a question a group that the client paused after failures', () => {
    const data = dataOf({ '': { paused: false }, gpu: { paused: true } })
    const failed = { ...data.groups['gpu'], failed: 'Paused due too many failed Work Units.' }
    for (const keepsPaused of [false, true])
      expect(
        effectOf(stateAction('fold', keepsPaused), viewOf({ ...data, groups: { ...data.groups, gpu: failed } })),
      ).toMatchObject({ resumed: [], kept: [], work: { commands: [{ cmd: 'state', state: 'fold' }] } })
  })

  it('means the same for a client whatever others there are', () => {
    const flag = fc.constantFrom(undefined, true, false, 'yes')
    const group = fc.record({ paused: flag, finish: flag })
    const data = fc
      .tuple(fc.dictionary(fc.constantFrom('', 'night', 'a\n5 night'), group), fc.array(fc.constantFrom('', 'night')))
      .map(([groups, units]) => ({
        ...dataOf(groups as Parameters<typeof dataOf>[0]),
        units: units.map((name, index) => ({ id: `u${index}`, group: name })),
      }))
    const states = fc.constantFrom('fold' as const, 'pause' as const, 'finish' as const)
    fc.assert(
      fc.property(fc.array(data, { maxLength: 12 }), states, fc.boolean(), (all, state, keepsPaused) => {
        const action = stateAction(state, keepsPaused)
        const targets = all.map((one, index) => ({ id: `m${index}`, view: viewOf(one as ClientData) }))
        const alone = targets.map(target => planBulk(action, [target], WORLD).entries[0]?.effect)
        expect(planBulk(action, targets, WORLD).entries.map(({ effect }) => effect)).toEqual(alone)
      }),
    )
  })

  it('resumes a client of which all is paused, whatever is to stay paused', () => {
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

  it('names groups as their person does', () => {
    const data = dataOf({ '': { paused: true }, night: { paused: true }, day: { paused: false } })
    const info = { ...data.info, tags: [{ of: 'group:night', tag: 'Cellar' }] } as ClientData['info']
    const effect = effectOf(stateAction('fold'), viewOf({ ...data, info }))
    expect(effectText(effect)).toMatch(/Default: paused → folding.*Cellar/)
  })

  it('is as two commands where a client has no groups', () => {
    const data: ClientData = { ...dataOf({}, {}, [{ id: 'u' }]), config: { cpus: 4, paused: true } }
    expect(commandsOf(effectOf(stateAction('finish'), viewOf(data)))).toEqual([
      { cmd: 'state', state: 'fold' },
      { cmd: 'state', state: 'finish' },
    ])
  })

  it('reports why a client is skipped', () => {
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

describe('names, links and restarts', () => {
  const client = (id: string, name: string, more: Partial<ClientView> = {}) => ({
    id,
    view: viewOf(dataOf({ '': {} }), { id, name, ...more }),
  })
  const rename = (pattern: string, otherNames: readonly string[] = []) =>
    planBulk({ kind: 'rename', pattern }, [client('a', 'one'), client('b', 'rack-02')], {
      ...WORLD,
      otherNames: new Set(otherNames),
    })

  it('are numbered in the order of the clients; a client that has its name keeps it', () => {
    const { entries, counts } = rename('rack-{nn}')
    expect(entries.map(({ effect }) => effect)).toMatchObject([
      { work: { kind: 'rename', machine: 'a', name: 'rack-01' }, before: { kind: 'name', name: 'one' } },
      { kind: 'same' },
    ])
    expect(counts).toMatchObject({ change: 1, same: 1 })
  })

  it('must differ from each other and from those of other clients', () => {
    expect(rename('rack').entries[0]?.effect).toEqual({
      kind: 'impossible',
      because: '2 machines would be named rack.',
    })
    expect(rename('{os}-{n}', ['Linux-1']).entries.map(({ effect }) => effect.kind)).toEqual(['impossible', 'change'])
  })

  it('need the account', () => {
    const direct = client('a', 'one', { isDirect: true })
    for (const action of [{ kind: 'rename', pattern: 'x' }, { kind: 'unlink' }] as const)
      expect(effectOf(action, direct.view, EMPTY_WORLD)).toEqual({
        kind: 'impossible',
        because: 'You are not logged in.',
      })
    expect(effectOf({ kind: 'unlink' }, direct.view)).toEqual({
      kind: 'impossible',
      because: 'It does not belong to your account.',
    })
    expect(effectOf({ kind: 'unlink' }, viewOf(undefined))).toMatchObject({ work: { kind: 'unlink', machine: 'm' } })
  })

  it('do not concern tags, which need only the client’s own id and room', () => {
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
  const client = fc
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

  it('gives every client back what it had, and each command is valid and confirmed by its own effect [2.17]', () => {
    fc.assert(
      fc.property(client, action, (data, done) => {
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

describe('five thousand clients', () => {
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
