import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClientData, GroupConfig } from '../../protocol/client/client-data.ts'
import { completeGroups, isConfirmedBy, type GroupPatch } from '../../protocol/client/commands.ts'
import { validateCommand } from '../../protocol/client/validate-command.ts'
import { isSameValue, rebaseEdits } from '../shared/edits.ts'
import {
  changedElsewhere,
  checkGroupName,
  checkClientForm,
  configToSend,
  isAdvancedForm,
  groupField,
  needsClient,
  newGroup,
  settledForm,
} from './client-form-edits.ts'
import { clientForm, type ClientForm } from './client-form.ts'

const GPU = 'gpu:01:00:00'

function dataWith(groups: Readonly<Record<string, GroupConfig>>, info: ClientData['info'] = {}): ClientData {
  return {
    info: { version: '8.5.7', cpus: 8, gpus: { [GPU]: { supported: true } }, ...info },
    config: { user: 'Ada', team: 7, passkey: 'ab', cause: 'any' },
    groups: Object.fromEntries(Object.entries(groups).map(([name, config]) => [name, { config }])),
    units: [],
  }
}

const usual: GroupConfig = {
  on_idle: false,
  on_battery: true,
  keep_awake: true,
  paused: false,
  finish: true,
  beta: false,
  cuda: true,
  hip: true,
  key: 0,
  cpus: 7,
  gpus: {},
}
function formOf(data: ClientData | undefined, isSignedIn = false): ClientForm {
  return clientForm({ data, linked: undefined, isSignedIn })
}
function groupsOf(form: ClientForm) {
  return form.groups ?? {}
}

describe('the form of a client', () => {
  it('holds what the client reports, as it is typed', () => {
    expect(formOf(dataWith({ '': usual }))).toMatchObject({
      donor: { user: 'Ada', team: '7', cause: 'any', secrets: { passkey: 'ab' } },
      groups: {
        '': {
          on_idle: false,
          on_battery: true,
          keep_awake: true,
          beta: false,
          cuda: true,
          hip: true,
          cpus: 7,
          key: '',
          gpus: { [GPU]: false },
        },
      },
    })
  })

  it('has no part that cannot be changed: of accounts when signed in, of groups before anything was received', () => {
    expect(Object.keys(formOf(dataWith({ '': usual }), true))).toEqual(['groups'])
    expect(clientForm({ data: undefined, linked: { machine: 'm', name: 'attic' }, isSignedIn: true })).toEqual({
      linked: { machine: 'm', name: 'attic' },
    })
    expect(Object.keys(formOf(dataWith({})))).toEqual(['donor'])
  })

  it('leaves out what the version does not know, here and in new groups', () => {
    const old = formOf(dataWith({ '': usual }, { version: '8.3.1' }))
    for (const group of [groupsOf(old)[''], newGroup(groupsOf(old)[''])]) {
      expect(group?.on_battery).toBeUndefined()
      expect(group?.keep_awake).toBeUndefined()
    }
    expect(newGroup(groupsOf(formOf(dataWith({ '': usual })))[''])).toMatchObject({
      on_idle: false,
      on_battery: true,
      keep_awake: true,
      beta: false,
      cuda: true,
      hip: true,
      cpus: 0,
      key: '',
      gpus: { [GPU]: false },
    })
  })

  it('has a value for each setting that is not reported, and for each GPU of the client [3.16]', () => {
    expect(groupsOf(formOf(dataWith({ '': {} })))['']).toMatchObject({
      on_idle: false,
      on_battery: false,
      keep_awake: false,
      beta: false,
      cuda: true,
      hip: true,
      cpus: 0,
      key: '',
      gpus: { [GPU]: false },
    })
  })

  it.each([
    ['8.3.0', false],
    ['8.3.1', false],
    ['8.3.2', true],
    ['8.5.7', true],
    ['x', false],
  ])('has the settings for battery and sleep only above 8.3.1: %s [2.54, 9.4]', (version, isThere) => {
    const group = groupsOf(formOf(dataWith({ '': usual }, { version })))['']
    expect(group?.on_battery !== undefined).toEqual(isThere)
    expect(group?.keep_awake !== undefined).toEqual(isThere)
  })

  it('keeps undetected GPUs and names as they are [10.5, 12.7]', () => {
    const odd = ['my-gpu', ' ', '<b>', 'toString', 'a.b/c"']
    const data = dataWith(
      Object.fromEntries(['', ...odd].map(name => [name, { ...usual, gpus: { 'gpu:65:00:00': { enabled: true } } }])),
    )
    expect(new Set(Object.keys(groupsOf(formOf(data))))).toEqual(new Set(['', ...odd]))
    expect(groupsOf(formOf(data))['my-gpu']?.gpus).toEqual({ [GPU]: false, 'gpu:65:00:00': true })
  })

  it.each([
    [{ '': usual }, false],
    [{ '': { ...usual, beta: true } }, true],
    [{ '': { ...usual, key: 5 } }, true],
    [{ '': usual, ' ': usual }, true],
  ])('is advanced when a group has a name, a key or beta: %j [4.22]', (groups, isAdvanced) => {
    expect(isAdvancedForm(formOf(dataWith(groups)))).toBe(isAdvanced)
  })
})

describe('what is wrong with the form', () => {
  const saved = { linked: { machine: 'm', name: 'attic' }, ...formOf(dataWith({ '': usual, night: usual })) }

  it('is said by field, of what was typed', () => {
    const night = { ...groupsOf(saved)['night'], key: '1.5' } as NonNullable<ClientForm['groups']>[string]
    const typed: ClientForm = {
      linked: { machine: 'm', name: 'a b' },
      donor: { user: 'A', team: 'x', cause: 'any', secrets: { passkey: 'xyz' } },
      groups: { ...saved.groups, night },
    }
    expect(checkClientForm(typed, saved)).toEqual({
      name: 'Machine name can contain only letters, digits, underscores, dashes and dots',
      user: 'User name must be empty or between 2 and 100 characters',
      team: 'Invalid team number',
      passkey: 'Invalid passkey',
      [groupField('night', 'key')]: 'Enter a whole number',
    })
  })

  it('is nothing of what the client itself reports, whatever that is', () => {
    const odd = formOf({
      ...dataWith({ '': { ...usual, key: -1.5 } }),
      config: { user: '<b>', team: -3, passkey: 'abc' },
    })
    expect(checkClientForm(odd, odd)).toEqual({})
    expect(configToSend(settledForm(odd, odd), odd)).toBeUndefined()
  })

  it.each([
    ['', undefined],
    ['  night ', undefined],
    ['<b>my-gpu</b>', undefined],
    [' __proto__ ', 'A resource group cannot have this name'],
    ['a\nb', 'A resource group’s name cannot hold control characters'],
    ['default', 'The default group is shown under this name'],
    ['Day  shift', 'It differs from the group day shift only in case or white space'],
    ['day shift', undefined],
  ])('a new group’s name %j [2.57]', (typed, error) => {
    expect(checkGroupName(typed, ['', 'day shift'])).toBe(error)
  })

  it('may be that of a group that was called like the default one elsewhere: that one is only shown', () => {
    expect(checkGroupName('Default', [''])).toBe('The default group is shown under this name')
    expect(checkGroupName('Default', ['', 'Default'])).toBeUndefined()
  })
})

describe('what a client is sent', () => {
  const data = dataWith({
    '': usual,
    'my-gpu': { ...usual, gpus: { [GPU]: { enabled: true }, 'gpu:65:00:00': { enabled: true } } },
  })
  const form = formOf(data)
  const edited = (name: string, change: object): ClientForm => ({
    ...form,
    groups: { ...form.groups, [name]: { ...groupsOf(form)[name], ...change } as never },
  })

  it('is nothing when nothing differs', () => {
    expect(configToSend(form, form)).toBeUndefined()
  })

  it('is each setting that differs, in the client’s own types, and never whether it folds', () => {
    expect(configToSend(settledForm(edited('', { cpus: 3, key: '0042', on_idle: true }), form), form)).toEqual({
      config: { groups: { '': { on_idle: true, cpus: 3, key: 42 } } },
    })
  })

  it('is the whole of a group’s GPUs when one differs', () => {
    expect(configToSend(edited('my-gpu', { gpus: { [GPU]: false, 'gpu:65:00:00': true } }), form)).toEqual({
      config: { groups: { 'my-gpu': { gpus: { [GPU]: { enabled: false }, 'gpu:65:00:00': { enabled: true } } } } },
    })
  })

  it('is all of a new group, and null for one that is deleted', () => {
    const { 'my-gpu': _, ...rest } = groupsOf(form)
    expect(configToSend({ ...form, groups: { ...rest, night: newGroup(rest['']) } }, form)).toMatchObject({
      config: {
        groups: {
          'my-gpu': null,
          night: {
            on_idle: false,
            on_battery: true,
            keep_awake: true,
            beta: false,
            cuda: true,
            hip: true,
            cpus: 0,
            key: 0,
            gpus: { [GPU]: { enabled: false } },
          },
        },
      },
    })
  })

  it('is the donor in the client’s types, with the passkey apart', () => {
    const typed = settledForm(
      {
        ...form,
        donor: { user: '', team: '', cause: 'cancer', secrets: { passkey: '0123456789abcdef0123456789abcdef' } },
      },
      form,
    )
    expect(configToSend(typed, form)).toEqual({
      config: { user: 'Anonymous', team: 0, cause: 'cancer' },
      secrets: { passkey: '0123456789abcdef0123456789abcdef' },
    })
  })

  it('needs no client as long as only the name differs', () => {
    const named = { ...form, linked: { machine: 'm', name: 'attic' } }
    expect(needsClient({ ...named, linked: { machine: 'm', name: 'cellar' } }, named)).toBe(false)
    expect(needsClient(edited('', { cpus: 1 }), form)).toBe(true)
  })

  const names = fc.constantFrom('', 'my-gpu', ' ', '<b>', 'toString', 'night')
  const config = fc.record({
    on_idle: fc.boolean(),
    on_battery: fc.boolean(),
    keep_awake: fc.boolean(),
    paused: fc.boolean(),
    finish: fc.boolean(),
    beta: fc.boolean(),
    cuda: fc.boolean(),
    hip: fc.boolean(),
    key: fc.nat(3),
    cpus: fc.nat(8),
    gpus: fc.dictionary(fc.constantFrom(GPU, 'gpu:65:00:00'), fc.record({ enabled: fc.boolean() })),
  })
  const client = fc.dictionary(names, config).map(groups => dataWith({ '': usual, ...groups }))

  /** What a client makes of its groups when a command arrives (docs/protocol.md §5). */
  const obey = (now: ClientData, sent: Readonly<Record<string, GroupPatch>>): ClientData => ({
    ...now,
    groups: Object.fromEntries(
      Object.entries(sent).map(([name, patch]) => [
        name,
        {
          config: {
            ...(Object.hasOwn(now.groups, name)
              ? now.groups[name]?.config
              : { ...usual, paused: true, finish: false, cpus: 0 }),
            ...patch,
          },
        },
      ]),
    ),
  })

  it('makes any client what was typed, keeps what came to be elsewhere, and is never refused', () => {
    fc.assert(
      fc.property(client, client, client, (opened, wanted, now) => {
        const { value, conflicts } = rebaseEdits(formOf(opened), formOf(wanted), formOf(now))
        fc.pre(conflicts.length === 0)
        const sent = configToSend(value, formOf(now))
        const groups = completeGroups(sent?.config.groups ?? {}, now)
        const after = obey(now, groups)
        expect(isSameValue(formOf(after), value)).toBe(true)
        if (sent === undefined) return
        const command = { cmd: 'config', ...sent } as const
        expect(isConfirmedBy(command, after)).toBe(true)
        expect(validateCommand({ ...command, config: { ...sent.config, groups } }, now)).toBeUndefined()
        // Settings never change whether a group folds.
        for (const [name, group] of Object.entries(now.groups))
          if (Object.hasOwn(after.groups, name)) {
            expect(after.groups[name]?.config?.paused).toEqual(group.config?.paused)
            expect(after.groups[name]?.config?.finish).toEqual(group.config?.finish)
          }
      }),
    )
  })
})

describe('what was changed elsewhere', () => {
  it('is named, but for a GPU that was found and is off', () => {
    const opened = formOf(dataWith({ '': usual, night: usual }, { gpus: {} }))
    const now = formOf(dataWith({ '': { ...usual, cpus: 2 }, day: usual }))
    expect(changedElsewhere(opened, now)).toEqual([
      ['groups', '', 'cpus'],
      ['groups', 'night'],
      ['groups', 'day'],
    ])
  })
})
