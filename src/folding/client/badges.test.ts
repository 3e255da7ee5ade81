import { describe, expect, it, test } from 'vitest'
import type { ClientData } from '../../protocol/client/client-data.ts'
import type { BadgeKey } from './badges.ts'
import { badgeAppearance, BADGES, badgeText, clientBadges, problemLevel } from './badges.ts'
import type { ClientView, BadgeContext } from './client.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
const ACCOUNT = 'account-id'
const around: BadgeContext = { account: ACCOUNT, latest: '8.5.7', now: NOW }

const folding = { '': { config: { cpus: 2, paused: false } } }
function dataOf(more: Partial<ClientData> = {}): ClientData {
  return {
    info: { version: '8.5.7', account: ACCOUNT },
    config: {},
    groups: folding,
    units: [{ id: 'u', state: 'RUN' }],
    ...more,
  }
}
function clientOf(more: Partial<ClientView> = {}): ClientView {
  return {
    id: 'm',
    isDirect: false,
    isConnected: true,
    data: dataOf(),
    ...more,
  }
}
const gaveUp = {
  config: { cpus: 2, paused: true },
  failed: 'Paused due too many failed Work Units.',
  failed_wus: 5,
}

describe('badges', () => {
  test.each<[string, ClientView, readonly BadgeKey[], 0 | 1 | 2 | 3]>([
    ['all is well', clientOf(), [], 0],
    ['a connection being made', clientOf({ isConnected: false, isLoading: true, data: undefined }), ['loading'], 0],
    ['connected, nothing said yet', clientOf({ data: undefined }), ['loading'], 0],
    ['out of reach', clientOf({ isConnected: false }), ['disconnected'], 2],
    [
      'out of reach, and there under another id',
      clientOf({ isConnected: false, comparison: { isLeftOver: true } }),
      ['left-over'],
      1,
    ],
    ['connected, though it seemed left over', clientOf({ comparison: { isLeftOver: true } }), [], 0],
    ['of an id that another computer has', clientOf({ comparison: { sameId: ['cellar'] } }), ['same-id'], 2],
    ['never seen', clientOf({ isConnected: false, data: undefined }), ['disconnected'], 2],
    ['an older version', clientOf({ data: dataOf({ info: { version: '8.4.0' } }) }), ['outdated'], 0],
    ['a version too old to control', clientOf({ data: dataOf({ info: { version: '8.1.0' } }) }), ['outdated'], 1],
    [
      'not in the account',
      clientOf({ isDirect: true, data: dataOf({ info: { version: '8.5.7', account: '' } }) }),
      ['unlinked'],
      0,
    ],
    ['ran dry', clientOf({ data: dataOf({ units: [] }) }), ['no-work'], 1],
    [
      'paused without work',
      clientOf({ data: dataOf({ units: [], groups: { '': { config: { cpus: 2, paused: true } } } }) }),
      ['no-work'],
      0,
    ],
    ['gave up', clientOf({ data: dataOf({ groups: { '': gaveUp } }) }), ['failed'], 3],
    ['failed once', clientOf({ data: dataOf({ groups: { '': { failed_wus: 1 } } }) }), [], 0],
    [
      'failed once in each of two groups',
      clientOf({ data: dataOf({ groups: { '': { failed_wus: 1 }, b: { failed_wus: 1 } } }) }),
      [],
      0,
    ],
    ['failed twice', clientOf({ data: dataOf({ groups: { '': { failed_wus: 2 } } }) }), ['warning'], 2],
    [
      'gave up in one group, and fails in another',
      clientOf({ data: dataOf({ groups: { '': gaveUp, b: { failed_wus: 2 } } }) }),
      ['failed', 'warning'],
      3,
    ],
    ['crashed twice without results', clientOf({ data: dataOf({ groups: { '': { lost_wus: 2 } } }) }), ['warning'], 2],
    [
      'gave up and went away',
      clientOf({ isConnected: false, data: dataOf({ groups: { '': gaveUp }, units: [] }) }),
      ['failed', 'disconnected'],
      3,
    ],
    [
      'late',
      clientOf({
        data: dataOf({
          units: [
            {
              state: 'RUN',
              wu_progress: 0.5,
              eta: '2d 0h',
              assignment: { time: '2026-11-20T13:00:00Z', deadline: 86_400 },
            },
          ],
        }),
      }),
      [],
      2,
    ],
  ])('of a client: %s [4.4]', (_, client, badges, level) => {
    expect(clientBadges(client, around)).toEqual(badges)
    expect(problemLevel(client, around)).toBe(level)
  })

  it('say nothing of the account while no user is signed in', () => {
    const client = clientOf({ isDirect: true, data: dataOf({ info: { version: '8.5.7', account: '' } }) })
    expect(clientBadges(client, { now: NOW })).toEqual([])
  })

  it('are the same list for the same set, so that nothing is rendered again', () => {
    expect(clientBadges(clientOf({ isConnected: false }), around)).toBe(
      clientBadges(clientOf({ isConnected: false, id: 'n' }), around),
    )
  })

  it('have a word, a shape, a reason and an advice each [13.5]', () => {
    const words = BADGES.map(key => badgeAppearance(key).label)
    expect(words).toEqual([
      'Failed',
      'Disconnected',
      'Left over',
      'Same ID',
      'Loading',
      'Outdated',
      'Unlinked',
      'No work',
      'Warning',
    ])
    expect(new Set(BADGES.map(key => badgeAppearance(key).icon)).size).toBe(BADGES.length)
    for (const key of BADGES) {
      const { reason, remedy } = badgeText(key, clientOf({ data: undefined }), around)
      expect(`${reason} ${remedy}`).not.toMatch(/undefined|NaN|null|\[object/)
      expect(remedy).toMatch(/\.$/)
    }
  })

  it('explain this client', () => {
    const why = (key: BadgeKey, more: Partial<ClientView>) => badgeText(key, clientOf(more), around).reason
    expect(why('disconnected', { lastConnected: NOW - 180_000 })).toBe(
      'Last contact: 3 min ago. Showing the state from then.',
    )
    expect(why('disconnected', {})).toBe('Not connected since this page was opened.')
    expect(why('outdated', { data: dataOf({ info: { version: '8.1.0' } }) })).toBe(
      'Version 8.1.0 is too old to be controlled from here.',
    )
    expect(why('left-over', { isConnected: false })).toBe(
      'It did not connect, but another machine of its name is connected.',
    )
    expect(why('left-over', { isConnected: false, lastConnected: NOW - 180_000 })).toBe(
      'Last contact: 3 min ago. Since then, another machine of its name is connected, on the same computer.',
    )
    expect(why('same-id', { comparison: { sameId: ['cellar, 8 CPUs', 'shed, 4 CPUs'] } })).toMatch(
      /^Another computer has the same machine ID \(cellar, 8 CPUs; shed, 4 CPUs\)/,
    )
    expect(why('failed', { data: dataOf({ groups: { '': gaveUp } }) })).toBe(
      'Default: Paused: too many work units failed, expired or were dumped.',
    )
    expect(why('warning', { data: dataOf({ groups: { '': { failed_wus: 3, lost_wus: 3 } } }) })).toBe(
      '3 work units of group “Default” failed since the last credited one.',
    )
    expect(why('warning', { data: dataOf({ groups: { '': { failed_wus: 3 } } }) })).toBe(
      'Group “Default”: Requests for work were refused in a row, or downloads were given up. That is not the hardware: the server’s words are in the log.',
    )
    expect(why('warning', { data: dataOf({ groups: { '': gaveUp, b: { failed_wus: 1, lost_wus: 3 } } }) })).toBe(
      '3 work units of group “b” got lost: its core crashed without results. The client stops the group after the fifth.',
    )
    expect(why('no-work', { data: dataOf({ groups: {} }) })).toBe('No CPUs or GPUs are enabled.')
    expect(why('no-work', { data: dataOf({ groups: { '': { config: { cpus: 2, paused: true } } } }) })).toBe(
      'The machine is paused.',
    )
    expect(why('no-work', { data: dataOf({ groups: { '': { config: { cpus: 2, on_idle: true } } } }) })).toBe(
      'Default: Folds only while the computer is idle.',
    )
    expect(why('no-work', {})).toBe('The machine is set to fold but has no work unit.')
  })
})
