import { expect, it } from 'vitest'
import { bugReportText } from './bug-report.ts'
import { buildText } from './build.ts'

it('counts equal connections in one line', () => {
  const connected = { way: 'relay', isConnected: true, version: '8.5.7' } as const
  expect(
    bugReportText({
      build: { version: '1.2.3', commit: 'abc' },
      browser: 'A browser',
      protocol: 'http:',
      isLocal: true,
      isSecure: true,
      isOnline: false,
      isStoredOffline: true,
      isUpdateKnown: false,
      isSignedIn: true,
      relay: 'lost',
      clockOffset: -61_400,
      connections: [connected, { way: 'direct', isConnected: false, version: undefined }, connected],
    }).split('\n'),
  ).toEqual([
    'Foldboard: 1.2.3 (abc)',
    'Browser: A browser',
    'Page: http, from this computer',
    'Secure page: yes',
    'Network: offline',
    'Stored for use without a network: yes',
    'New version available: no',
    'Signed in: yes',
    'Relay: lost',
    'Clock difference: -61 s',
    'Connections: 3',
    '- 2 × relay, connected, client 8.5.7',
    '- 1 × direct, disconnected, client unknown',
  ])
})

it('names a build without a commit by its version', () => {
  expect(buildText({ version: '1.2.3', commit: '' })).toBe('1.2.3')
})
