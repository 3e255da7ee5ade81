import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { ClientData, ClientInfo, Unit } from '../../protocol/client/client-data.ts'
import { actionBlocker } from './actions.ts'
import { badgeText, clientBadges, problemLevel } from './badges.ts'
import type { ClientView } from './client.ts'
import {
  clientName,
  clientResources,
  clientState,
  clientTitle,
  isActive,
  isClientPaused,
  isLinked,
  isOutdated,
  isTooOld,
  osText,
  linkName,
} from './client.ts'
import { clientSummary } from './summary.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
const ID = 'K9NcWxKVpnxnGvoknaXwe4__uRWk1sXJfgc6VwgL5n0'
const ACCOUNT = '3jTFyp89VdfvbStZT-XinT7fxtaKRZ4Hufski4cKBD0'

const info: ClientInfo = {
  id: ID,
  account: ACCOUNT,
  version: '8.5.7',
  os: 'linux',
  os_version: '6.18',
  mach_name: 'Busy',
  hostname: 'vm',
  cpus: 2,
}
function dataOf(more: Partial<ClientData> = {}): ClientData {
  return {
    info,
    config: {},
    groups: {},
    units: [],
    ...more,
  }
}
const linked: ClientView = { id: ID, isDirect: false, name: 'Attic', isConnected: true, data: dataOf() }
const direct: ClientView = {
  id: '__direct__',
  isDirect: true,
  address: '127.0.0.1:7396',
  isConnected: true,
  data: dataOf(),
}

describe('a client', () => {
  it('has the title of docs/product.md §2 [2.14]', () => {
    expect(clientTitle(direct)).toBe('Direct client at 127.0.0.1:7396')
    expect(clientTitle({ ...direct, address: undefined })).toBe('Direct client at ???')
    expect(clientTitle(linked)).toBe(`FAH ID ${ID}`)
  })

  it('is called as the account reports, else as it reports itself', () => {
    const unnamed = { ...linked, name: undefined }
    expect(clientName(linked)).toBe('Attic')
    const limit = { commands: [], because: 'settings', name: 'Cellar' } as const
    expect(
      [
        { ...unnamed, limit },
        { ...linked, limit },
      ].map(clientName),
    ).toEqual(['Cellar', 'Attic'])
    expect(clientName(unnamed)).toBe('Busy')
    expect(clientName({ ...unnamed, data: dataOf({ info: { hostname: 'vm' } }) })).toBe('vm')
    expect(clientName({ ...unnamed, data: undefined })).toBe(`FAH ID ${ID}`)
  })

  test.each<[ClientInfo | undefined, string]>([
    [info, 'Linux 6.18'],
    [{ os: 'macosx', os_version: '15.1' }, 'macOS 15.1'],
    [{ os: 'win32', os_version: '11' }, 'Windows 11'],
    [{ os: 'Haiku' }, 'Haiku'],
    [{ os_version: '6.18' }, '???'],
    [undefined, '???'],
  ])('%j runs on %s', (about, words) => {
    expect(osText(about)).toBe(words)
  })

  it('sums its groups’ resources', () => {
    const gpus = { 'gpu:01:00:00': { description: 'A very long name of a graphics card indeed' } }
    const enabled = { 'gpu:01:00:00': { enabled: true } }
    const data = dataOf({
      info: { ...info, gpus, cpus: 8 },
      groups: {
        '': { config: { cpus: 4 } },
        b: { config: { cpus: 2, gpus: enabled } },
        c: { config: { gpus: enabled } },
      },
    })
    expect(clientResources({ ...data, info: { ...data.info, cpus: 4 } })).toBe(
      '4 CPUs, A very long name of a graphics card indeed',
    )
    expect(clientResources(data)).toBe('6 CPUs, A very long name of a graphics card indeed')
    expect(clientResources(dataOf())).toBe('No resources')
    expect(clientResources(undefined)).toBe('No resources')
  })

  it('is linked when its own report has it, or is not direct [4.11]', () => {
    expect(isLinked(direct, ACCOUNT)).toBe(true)
    expect(isLinked(direct, 'other')).toBe(false)
    expect(isLinked(direct, undefined)).toBe(false)
    expect(isLinked(linked, 'other')).toBe(true)
    const free = { ...direct, data: dataOf({ info: { ...info, account: '' } }) }
    expect(isLinked(free, '')).toBe(false)
    expect(isLinked(free, ACCOUNT)).toBe(false)
  })

  test.each<[string | undefined, unknown, boolean, boolean]>([
    ['8.5.7', '8.5.7', false, false],
    ['8.5.6', '8.5.7', true, false],
    ['8.5.6', [8, 5, 7], true, false],
    ['8.5.10', '8.5.9', false, false],
    ['8.3.0', undefined, false, false],
    ['8.2.9', undefined, false, true],
    ['odd', '8.5.7', false, false],
    [undefined, '8.5.7', false, false],
  ])(
    'of version %s with %j the newest is outdated: %s, too old: %s [4.9, 9.4]',
    (version, latest, outdated, tooOld) => {
      const client = { ...linked, data: dataOf({ info: version === undefined ? {} : { version } }) }
      expect(isOutdated(client, latest)).toEqual(outdated)
      expect(isTooOld(client)).toEqual(tooOld)
    },
  )

  it('is paused when all its groups are, and mixed when they differ [4.7]', () => {
    const states = [
      { '': { config: { paused: true } }, b: { config: { paused: true } } },
      { '': { config: { paused: true } }, b: { config: {} } },
      { '': { config: { finish: true } } },
      {},
    ].map(groups => dataOf({ groups }))
    expect(states.map(clientState)).toEqual(['pause', 'mixed', 'finish', undefined])
    expect(states.map(isClientPaused)).toEqual([true, false, false, false])
    expect(isClientPaused(undefined)).toBe(false)
  })

  it('is active when connected with a unit that is not paused [4.8]', () => {
    const withUnits = (...units: Unit[]) => ({ ...linked, data: dataOf({ units }) })
    expect(isActive(withUnits({ state: 'RUN' }, { pause_reason: 'Paused' }))).toBe(true)
    expect(isActive(withUnits({ pause_reason: 'Paused' }))).toBe(false)
    expect(isActive({ ...withUnits({ state: 'RUN' }), isConnected: false })).toBe(false)
    expect(isActive({ ...linked, data: undefined })).toBe(false)
  })
})

describe('whatever a client sends', () => {
  const names = ['version', 'os', 'os_version', 'mach_name', 'account', 'id', 'cpus', 'gpus', 'on_battery']
  const settings = ['paused', 'finish', 'cpus', 'gpus', 'on_idle', 'key', 'beta']
  const fields = ['state', 'cpus', 'gpus', 'ppd', 'pause_reason', 'wait', 'eta', 'group', 'result', 'end_time']
  const object = (keys: string[]) => fc.dictionary(fc.constantFrom(...keys), fc.jsonValue())
  const groups = fc.dictionary(
    fc.string(),
    fc.record({
      config: object(settings),
      failed: fc.jsonValue(),
      failed_wus: fc.jsonValue(),
      wait: fc.jsonValue(),
    }),
  )
  // The protocol lets through less than this; folding holds even so.
  const anything = fc.record({
    info: object(names),
    config: object(settings),
    groups,
    units: fc.array(object(fields)),
  })
  const view = (data: unknown): ClientView => ({ ...linked, data: data as ClientData })

  it('can be summed up and shown', () => {
    fc.assert(
      fc.property(anything, data => {
        const client = view(data)
        const around = { account: ACCOUNT, latest: '8.5.7', now: NOW }
        const words = [clientName(client), clientTitle(client), osText(client.data?.info), clientResources(client.data)]
        for (const key of clientBadges(client, around)) words.push(badgeText(key, client, around).reason)
        expect(words.filter(shown => shown === '' || /NaN|undefined|\[object/.test(shown))).toEqual([])
        expect(Object.values(clientSummary(client, NOW)).filter(value => !Number.isFinite(value) || value < 0)).toEqual(
          [],
        )
        expect([0, 1, 2, 3]).toContain(problemLevel(client, around))
        expect([undefined, 'mixed', 'fold', 'pause', 'finish']).toContain(clientState(client.data))
      }),
      { numRuns: 300 },
    )
  })
})

describe('an action', () => {
  const running: Unit = { id: 'x', state: 'RUN' }
  const paused: Unit = { id: 'x', state: 'RUN', pause_reason: 'Paused' }
  const lost = { ...linked, isConnected: false }
  const old = { ...linked, data: dataOf({ info: { version: '8.1.0' } }) }
  const silent: ClientView = { ...linked, isConnected: false, data: undefined }

  it('can be done when all is well', () => {
    expect(
      (['fold', 'pause', 'finish', 'settings', 'details', 'log'] as const).map(action => actionBlocker(action, linked)),
    ).toEqual(Array.from({ length: 6 }))
    expect(actionBlocker('unit', linked, running)).toBeUndefined()
    expect(actionBlocker('view', linked, running)).toBeUndefined()
    expect(actionBlocker('dump', linked, paused)).toBeUndefined()
  })

  it('is disabled with a reason [2.18, 6.5]', () => {
    expect(actionBlocker('pause', lost)).toBe('The machine is not connected.')
    expect(actionBlocker('pause', old)).toBe('The machine’s client is too old to be controlled from here.')
    expect(actionBlocker('details', silent)).toBe('The machine has not reported its details yet.')
    expect(actionBlocker('settings', { ...silent, id: '' })).toBe('The machine has not reported its ID yet.')
    expect(actionBlocker('dump', linked, running)).toBe('Only a paused work unit can be dumped. Pause it first.')
    expect(actionBlocker('dump', linked)).toBe('There is no work unit.')
    expect(actionBlocker('dump', linked, { pause_reason: 'Paused' })).toBe('The work unit has no ID.')
    expect(actionBlocker('view', old, running)).toBe('The machine’s client is too old to be controlled from here.')
    expect(actionBlocker('view', lost, running)).toBe('The machine is not connected.')
    expect(actionBlocker('view', linked, { id: 'x', state: 'DOWNLOAD' })).toBe(
      'The work unit has not been downloaded yet.',
    )
  })

  it('needs no connection for reading', () => {
    expect(actionBlocker('details', lost)).toBeUndefined()
    expect(actionBlocker('unit', lost, running)).toBeUndefined()
    expect(actionBlocker('settings', lost)).toBeUndefined()
  })
})

describe('the name a client is linked under', () => {
  it.each([
    ['attic', 'attic'],
    ["Ada's <PC>", 'Ada-s-PC-'],
    ['Dachboden äöü', 'Dachboden-'],
    ['', 'machine'],
    ['x'.repeat(70), 'x'.repeat(64)],
  ])('has only what every client takes: %s', (name, linked) => {
    expect(linkName(name)).toBe(linked)
  })
})
