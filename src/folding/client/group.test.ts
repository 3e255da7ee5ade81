import { describe, expect, it, test } from 'vitest'
import type { ClientData, ClientInfo, Group } from '../../protocol/client/client-data.ts'
import {
  failedText,
  failedUnits,
  groupNames,
  groupOf,
  groupResources,
  groupsOf,
  groupState,
  groupTitle,
  groupProblem,
  groupProblemText,
  groupWaitEnd,
  hasGroups,
  isGroupEmpty,
  isGroupFinishing,
  isGroupHidden,
  foldObstacle,
  groupIdleReason,
} from './group.ts'
import {
  gpuIds,
  gpuName,
  resourcesText,
  shortGpuName,
  shortResources,
  shownUnitResources,
  unitGpuNames,
  unitResources,
} from './resources.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
const ONE = 'gpu:01:00:00'
const TWO = 'gpu:02:00:00'
const GONE = 'gpu:09:00:00'

const info: ClientInfo = {
  version: '8.5.7',
  cpus: 16,
  on_battery: false,
  gpus: {
    [TWO]: { description: 'NVIDIA GeForce RTX 4090', supported: true },
    [ONE]: { description: 'NVIDIA GeForce RTX 4090', supported: true },
    'gpu:03:00:00': { supported: false },
  },
}

function group(config: Group['config'], more: Partial<Group> = {}): Group {
  return {
    ...(config && { config }),
    ...more,
  }
}
function data(groups: Record<string, Group>, config = {}): ClientData {
  return { info, config, groups, units: [] }
}

describe('resources', () => {
  test.each<[number, string[], string]>([
    [0, [], 'No resources'],
    [1, [], '1 CPU'],
    [12, ['A', 'B'], '12 CPUs, A, B'],
    [0, ['A', 'A', 'B'], '2 × A, B'],
    [0, ['Undetected'], 'Undetected GPU'],
  ])('%i CPUs and %j read %s', (cpus, gpus, words) => {
    expect(resourcesText(cpus, gpus, 'en-US')).toBe(words)
  })

  it('are cut at 50 characters [2.15]', () => {
    const words = resourcesText(12, ['NVIDIA GeForce RTX 4090', 'AMD Radeon RX 7900 XTX'])
    expect(words).toHaveLength(56)
    expect(shortResources(words)).toBe('12 CPUs, NVIDIA GeForce RTX 4090, AMD Radeon RX...')
    expect(shortResources(words)).toHaveLength(50)
  })

  it('name GPUs by description, vendor, id, or as undetected, and twins with their slots [4.17, 10.5]', () => {
    expect(gpuIds(info)).toEqual([ONE, TWO, 'gpu:03:00:00'])
    expect(gpuName(info, ONE)).toBe('NVIDIA GeForce RTX 4090 (01)')
    expect(gpuName(info, 'gpu:03:00:00')).toBe('gpu:03:00:00')
    expect(gpuName(info, GONE)).toBe('Undetected')
    expect(gpuName(undefined, ONE)).toBe('Undetected')
    expect(gpuName({ gpus: { [ONE]: { type: 'intel' } } }, ONE)).toBe('Intel GPU')
    expect(gpuName({ gpus: { [ONE]: { type: 'new' } } }, ONE)).toBe('new GPU')
    expect(gpuName(info, 'constructor')).toBe('Undetected')
  })

  it('of units on twins of one client differ where they are shown, and not where speeds are compared', () => {
    const onOne = { cpus: 1, gpus: [ONE] }
    const onTwo = { cpus: 1, gpus: [TWO] }
    expect([onOne, onTwo].map(unit => shownUnitResources(unit, info))).toEqual([
      '1 CPU, NVIDIA GeForce RTX 4090 (01)',
      '1 CPU, NVIDIA GeForce RTX 4090 (02)',
    ])
    expect(unitResources(onOne, info)).toBe(unitResources(onTwo, info))
    expect(shownUnitResources(Object.assign({ resources: '1 CPU' }, onOne), info)).toBe('1 CPU')
    expect(shownUnitResources({ cpus: 2 }, info)).toBe('2 CPUs')
    const domain = 'gpu:0001:01:00:00'
    const described = { description: 'AD102 [GeForce RTX 4090]' }
    expect(unitGpuNames({ gpus: [domain] }, { gpus: { [ONE]: described, [domain]: described } }, shortGpuName)).toEqual(
      ['GeForce RTX 4090 (0001:01)'],
    )
  })

  it('of a unit are its CPUs and GPUs', () => {
    expect(unitResources({ cpus: 1, gpus: [ONE] }, info)).toBe('1 CPU, NVIDIA GeForce RTX 4090')
    expect(unitResources({ cpus: 0, gpus: [GONE] }, info)).toBe(GONE)
    expect(unitResources({ cpus: 0, gpus: [] }, info)).toBe('No resources')
    expect(unitResources({}, info)).toBeUndefined()
  })
})

describe('a group', () => {
  it('has its exact name as title, and Default without a name [9.19]', () => {
    expect(['', 'my-gpu', '<b> x', '__proto__'].map(groupTitle)).toEqual(['Default', 'my-gpu', '<b> x', '__proto__'])
  })

  it('quotes ambiguous names', () => {
    const names = ['', 'Default', '“Default”', 'default', 'a b', 'a  b', ' a b', 'a b ', 'a\tb', ' ']
    expect(names.map(groupTitle)).toEqual([
      'Default',
      '“Default”',
      '““Default””',
      '“default”',
      'a b',
      '“a  b”',
      '“ a b”',
      '“a b ”',
      '“a\tb”',
      '“ ”',
    ])
    expect(groupNames({ zoo: {}, b10: {}, '': {}, b9: {} })).toEqual(['', 'b9', 'b10', 'zoo'])
  })

  test.each<[Group | undefined, string]>([
    [group({ paused: true }), 'pause'],
    [group({ paused: true, finish: true }), 'pause'],
    [group({ paused: false, finish: true }), 'finish'],
    [group({ paused: false, finish: false }), 'fold'],
    [group({}), 'fold'],
    [{}, 'fold'],
    [undefined, 'fold'],
  ])('%j has the folding state %s', (some, state) => {
    expect(groupState(some)).toBe(state)
  })

  it('is found for a unit by its exact name', () => {
    const some = data({ '': group({ finish: true }), 'my-gpu': group({}) })
    expect(groupOf(some, { group: 'my-gpu' })).toBe(some.groups['my-gpu'])
    expect(groupOf(some, { group: 'my_gpu' })).toBeUndefined()
    expect(groupOf(some, { group: 'toString' })).toBeUndefined()
    expect(isGroupFinishing(some, {})).toBe(true)
    expect(isGroupFinishing(some, { group: 'my-gpu' })).toBe(false)
    expect(isGroupFinishing(undefined, {})).toBe(false)
  })

  it('is made of the config of a client without groups', () => {
    const old = data({}, { cpus: 4, paused: true, gpus: {} })
    expect(groupsOf(old)).toEqual({ '': { config: old.config } })
    expect(groupsOf(data({}, { user: 'me' }))).toEqual({})
    expect(hasGroups(old)).toBe(false)
    expect(hasGroups(data({ '': {} }))).toBe(true)
    expect(hasGroups(undefined)).toBe(false)
  })

  it('has its resources as text', () => {
    const config = {
      cpus: 7,
      gpus: {
        [TWO]: { enabled: true },
        [ONE]: { enabled: true },
        [GONE]: { enabled: true },
        'gpu:03:00:00': { enabled: false },
      },
    }
    expect(groupResources(group(config), info)).toBe('7 CPUs, 2 × NVIDIA GeForce RTX 4090, Undetected GPU')
    expect(groupResources(undefined, info)).toBe('No resources')
  })

  test.each<[string, Group, boolean]>([
    ['nothing', group({ cpus: 0 }), true],
    ['CPUs', group({ cpus: 1 }), false],
    ['a GPU', group({ gpus: { [ONE]: { enabled: true } } }), false],
    ['a disabled GPU', group({ gpus: { [ONE]: { enabled: false } } }), true],
    ['an undetected GPU', group({ gpus: { [GONE]: { enabled: true } } }), true],
    ['no config', {}, true],
  ])('with %s is empty: %s [10.6]', (_, some, isEmpty) => {
    expect(isGroupEmpty(some, info)).toBe(isEmpty)
    expect(isGroupHidden(some, info, true)).toBe(isEmpty)
    expect(isGroupHidden(some, info, false)).toBe(false)
    expect(isGroupHidden(some, info, true, true)).toBe(false)
  })

  it('has a warning for more than one failed or lost unit and an error when paused by the client [10.8]', () => {
    expect([0, 1, 2].map(failed_wus => groupProblem({ failed_wus }))).toEqual(['none', 'none', 'warning'])
    expect([0, 1, 2].map(lost_wus => groupProblem({ lost_wus }))).toEqual(['none', 'none', 'warning'])
    expect(groupProblemText({ failed_wus: 2, lost_wus: 2 })).toBe('Several work units failed in a row.')
    expect(groupProblemText({ lost_wus: 2 })).toBe(
      'Several work units were lost in a row: their core crashed, or they were dumped.',
    )
    expect(groupProblem({ failed: 'Paused due too many failed Work Units.' })).toBe('error')
    expect(groupProblem({ failed: '' })).toBe('none')
    expect(groupProblem(undefined)).toBe('none')
    expect(failedUnits({ failed_wus: 3 })).toBe(3)
    expect(failedUnits({})).toBe(0)
    expect(failedText({ failed: 'x' })).toBe('x')
    expect(failedText({ failed: '' })).toBeUndefined()
  })

  test.each<[string, Group, ClientInfo, string | undefined]>([
    [
      'gave up',
      group({ cpus: 1 }, { failed: 'Paused due too many failed Work Units.' }),
      info,
      'Paused: too many work units failed, expired or were dumped.',
    ],
    ['paused', group({ cpus: 1, paused: true }), info, 'Paused. Press Fold to resume.'],
    ['empty', group({ cpus: 0 }), info, 'No CPUs or GPUs are enabled.'],
    [
      'without a driver for its GPU',
      group({ cpus: 0, gpus: { x: { enabled: true } } }),
      { gpus: { x: { description: 'RTX 2060', supported: false } } },
      'The client finds no driver for RTX 2060.',
    ],
    [
      'waiting',
      group({ cpus: 1 }, { wait: '2026-11-20T14:01:00Z' }),
      info,
      'Work units failed; waiting before the next one.',
    ],
    [
      'on battery',
      group({ cpus: 1, on_battery: false }),
      { ...info, on_battery: true },
      'The computer runs on battery, and its group does not fold on battery.',
    ],
    ['only when idle', group({ cpus: 1, on_idle: true }), info, 'Folds only while the computer is idle.'],
    ['finishing', group({ cpus: 1, finish: true }), info, 'Finishing: no new work is fetched.'],
    ['well', group({ cpus: 1, on_battery: true }, { wait: '2026-11-20T13:59:00Z', failed: '' }), info, undefined],
  ])('that is %s has a reason for being idle', (_, some, about, words) => {
    expect(groupIdleReason(some, about, NOW)).toBe(words)
  })

  it('waits only until its wait is over', () => {
    expect(groupWaitEnd({ wait: '2026-11-20T14:01:00Z' }, NOW)).toBe(NOW + 60_000)
    expect(groupWaitEnd({ wait: '2026-11-20T14:00:00Z' }, NOW)).toBeUndefined()
    expect(groupWaitEnd({}, NOW)).toBeUndefined()
  })
})

describe('what would keep a client from work although it folds', () => {
  const paused = (config: object): Group => ({ config: { cpus: 4, paused: true, ...config } })
  const obstacle = (groups: Readonly<Record<string, Group>>, name?: string) =>
    foldObstacle({ info: { cpus: 8 }, config: {}, groups, units: [] }, name)

  it('is what its settings say, whether it is paused or not, where that is so of all its groups', () => {
    expect(obstacle({ '': paused({}) })).toBeUndefined()
    expect(obstacle({ '': paused({ on_idle: true }) })).toBe('Folds only while the computer is idle.')
    expect(obstacle({ '': paused({ cpus: 0 }) })).toBe('No CPUs or GPUs are enabled.')
    const groups = { '': paused({ cpus: 0 }), night: paused({}) }
    expect(obstacle(groups)).toBeUndefined()
    expect(obstacle(groups, '')).toBe('No CPUs or GPUs are enabled.')
  })
})
