import { describe, expect, it, test } from 'vitest'
import { clientAddress } from '../../../test/urls.ts'
import {
  diagnose,
  DIAGNOSES,
  isOwnServer,
  needsPermission,
  otherAddresses,
  type CheckFacts,
  type Diagnosis,
  type ProbeResults,
} from './connection-diagnosis.ts'
import { checkReport, diagnosisText, probeText } from './connection-diagnosis-text.ts'

const LOCAL = 'http://localhost:7400'
const LAN = 'http://192.168.0.2:8080'
const PUBLIC = 'https://board.example.org'

type Own = Partial<Omit<CheckFacts, 'address' | 'page'>> & {
  readonly address?: string
  readonly origin?: string
  readonly isSecureContext?: boolean
}

function facts({ address = '127.0.0.1:7396', origin = LOCAL, isSecureContext = true, ...rest }: Own): CheckFacts {
  return {
    subject: 'client',
    address: clientAddress(address),
    page: { origin, isSecureContext },
    browser: { name: 'chrome', system: 'linux' },
    isSignedIn: false,
    results: {},
    ...rest,
  }
}

const connected: ProbeResults = { socket: { outcome: 'client', version: '8.5.7', link: 'none' } }
const refused: ProbeResults = { socket: { outcome: 'failed' }, request: 'answered', reading: 'unreadable' }
const nothing: ProbeResults = { socket: { outcome: 'failed' }, request: 'failed', elsewhere: undefined }
function passes(peer: 'client' | 'simulated' | 'none' | 'silent' | 'other'): ProbeResults {
  return {
    socket: { outcome: 'failed' },
    host: { outcome: 'passes', clientAddress: '127.0.0.1:7396', peer },
  }
}

const serverAddress = 'localhost:7400'
const brave = { name: 'brave', system: 'linux' } as const
const safari = { name: 'safari', system: 'macos' } as const

const table: readonly (readonly [string, Diagnosis, Own])[] = [
  ['a client that answers', 'connected', { results: connected }],
  [
    'a client of the account',
    'connected',
    { results: { socket: { outcome: 'client', version: '8.5.7', link: 'own' } }, isSignedIn: true },
  ],
  [
    'a client that names no version',
    'connected',
    { results: { socket: { outcome: 'client', version: undefined, link: 'none' } } },
  ],
  [
    'a client before 8.3.0',
    'clientTooOld',
    { results: { socket: { outcome: 'client', version: '8.1.18', link: 'none' } } },
  ],
  [
    'a clock that is two minutes out',
    'clockWrong',
    { results: { ...connected, api: { outcome: 'answered', offset: -120_000 } } },
  ],
  [
    'a clock that is a few seconds out',
    'connected',
    { results: { ...connected, api: { outcome: 'answered', offset: 5000 } } },
  ],
  ['an API whose clock cannot be read', 'connected', { results: { ...connected, api: { outcome: 'answered' } } }],
  ['a client that is linked to no account', 'tokenWrong', { results: connected, isSignedIn: true }],
  [
    'a relay that is away',
    'relayUnreachable',
    { results: { ...connected, relay: 'failed', api: { outcome: 'answered' } }, isSignedIn: true },
  ],
  [
    'an API that is away',
    'apiUnreachable',
    { results: { ...connected, relay: 'failed', api: { outcome: 'failed' } }, isSignedIn: true },
  ],
  ['an API that is away, signed out', 'connected', { results: { ...connected, api: { outcome: 'failed' } } }],
  [
    'the page: a relay that is away',
    'relayUnreachable',
    {
      subject: 'page',
      results: { ...nothing, relay: 'failed', api: { outcome: 'answered', offset: 0 } },
      isSignedIn: true,
    },
  ],
  [
    'the page: a relay that refuses a wrong clock',
    'clockWrong',
    {
      subject: 'page',
      results: { ...nothing, relay: 'failed', api: { outcome: 'answered', offset: 3_600_000 } },
      isSignedIn: true,
    },
  ],
  [
    'the page: an API that is away',
    'apiUnreachable',
    { subject: 'page', results: { ...nothing, api: { outcome: 'failed' } }, isSignedIn: true },
  ],
  [
    'the page: a relay that answers',
    'clientNotRunning',
    { subject: 'page', results: { ...nothing, relay: 'answered', api: { outcome: 'answered' } }, isSignedIn: true },
  ],
  [
    'one client: its own trouble comes first',
    'clientNotRunning',
    { results: { ...nothing, relay: 'failed', api: { outcome: 'answered' } }, isSignedIn: true },
  ],
  ['a socket that says something else', 'otherProgram', { results: { socket: { outcome: 'other' } } }],
  ['a socket that says nothing', 'otherProgram', { results: { socket: { outcome: 'silent' } } }],
  ['nothing at the address', 'clientNotRunning', { results: nothing }],
  ['no result at all', 'clientNotRunning', {}],
  ['a program that drops what comes', 'noAnswer', { results: { socket: { outcome: 'timeout' }, request: 'timeout' } }],
  ['a socket that waits, and no request', 'noAnswer', { results: { socket: { outcome: 'timeout' } } }],
  ['an answer that this page may not read', 'originRefused', { results: refused }],
  [
    'the same, from a client that sends browsers away',
    'originRefused',
    { results: { ...refused, redirect: 'leaves' } },
  ],
  ['the same, where that cannot be told', 'originRefused', { results: { ...refused, redirect: 'unknown' } }],
  ['a web server', 'otherProgram', { results: { ...refused, redirect: 'stays' } }],
  ['a web server that lets itself be read', 'otherProgram', { results: { ...refused, reading: 'other' } }],
  [
    'a web server at another port than the client’s',
    'wrongPort',
    { address: '127.0.0.1:8080', results: { ...refused, redirect: 'stays', elsewhere: '127.0.0.1:7396' } },
  ],
  [
    'a web server at the client’s port, and something on this computer',
    'otherProgram',
    { address: '192.168.0.7', results: { ...refused, redirect: 'stays', elsewhere: '127.0.0.1:7396' } },
  ],
  [
    'nothing there, but at the usual port',
    'wrongPort',
    { address: '127.0.0.1:7397', results: { ...nothing, elsewhere: '127.0.0.1:7396' } },
  ],
  [
    'a client that answers requests but opens no socket',
    'socketBlocked',
    { results: { ...refused, reading: 'client' } },
  ],
  ['the same in Brave', 'braveShields', { results: { ...refused, reading: 'client' }, browser: brave }],
  [
    'the same with the permission denied',
    'permissionDenied',
    { origin: PUBLIC, results: { ...refused, reading: 'client', permission: 'denied' } },
  ],
  [
    'a socket that the browser refuses to open',
    'socketBlocked',
    { results: { socket: { outcome: 'blocked' }, request: 'failed' } },
  ],
  [
    'HTTPS and another computer',
    'mixedContent',
    { origin: PUBLIC, address: '192.168.0.7', results: { socket: { outcome: 'blocked' }, request: 'blocked' } },
  ],
  [
    'HTTPS and another computer that answers requests',
    'mixedContent',
    {
      origin: PUBLIC,
      address: '192.168.0.7',
      results: { socket: { outcome: 'blocked' }, request: 'answered', reading: 'unreadable' },
    },
  ],
  ['HTTPS and this computer', 'clientNotRunning', { origin: PUBLIC, results: { ...nothing, permission: 'granted' } }],
  [
    'HTTPS and this computer, which refuses',
    'originRefused',
    { origin: PUBLIC, results: { ...refused, permission: 'granted', redirect: 'leaves' } },
  ],
  ['HTTPS in Safari', 'safari', { origin: PUBLIC, results: nothing, browser: safari }],
  ['HTTP in Safari', 'clientNotRunning', { results: nothing, browser: safari }],
  ['permission denied', 'permissionDenied', { origin: PUBLIC, results: { ...nothing, permission: 'denied' } }],
  ['permission not asked for', 'permissionPending', { origin: PUBLIC, results: { ...nothing, permission: 'prompt' } }],
  [
    'permission that a page on this computer does not need',
    'clientNotRunning',
    { results: { ...nothing, permission: 'prompt' } },
  ],
  [
    'permission that cannot be asked for',
    'insecurePage',
    { origin: LAN, isSecureContext: false, results: { ...nothing, permission: 'prompt' } },
  ],
  [
    'a page of the network, in a browser without that permission',
    'clientNotRunning',
    { origin: LAN, isSecureContext: false, results: { ...nothing, permission: 'none' } },
  ],
  [
    'a page and a client of the same network',
    'clientNotRunning',
    { origin: LAN, address: '192.168.0.7', isSecureContext: false, results: { ...nothing, permission: 'prompt' } },
  ],
  ['Brave', 'braveShields', { origin: PUBLIC, results: { ...nothing, permission: 'none' }, browser: brave }],
  ['Brave, from this computer', 'clientNotRunning', { results: nothing, browser: brave }],
  ['a file', 'clientNotRunning', { origin: 'null', results: nothing }],
  [
    'the page’s server: no client to pass on to',
    'clientNotRunning',
    { address: serverAddress, results: passes('none') },
  ],
  [
    'the page’s server: no client there, one elsewhere',
    'wrongPort',
    { address: serverAddress, results: { ...passes('none'), elsewhere: '127.0.0.1:7396' } },
  ],
  ['the page’s server: a program that is silent', 'noAnswer', { address: serverAddress, results: passes('silent') }],
  ['the page’s server: another program', 'otherProgram', { address: serverAddress, results: passes('other') }],
  [
    'the page’s server: a client, but no socket',
    'socketBlocked',
    { address: serverAddress, results: passes('client') },
  ],
  [
    'the page’s server: the same in Brave',
    'braveShields',
    { address: serverAddress, results: passes('simulated'), browser: brave },
  ],
  [
    'the page’s server is gone',
    'hostAway',
    { address: serverAddress, results: { ...nothing, host: { outcome: 'away' } } },
  ],
  [
    'a client that serves this page under a name it does not trust',
    'originRefused',
    {
      address: serverAddress,
      results: { socket: { outcome: 'failed' }, host: { outcome: 'none' }, reading: 'client' },
    },
  ],
  [
    'a server that passes nothing on',
    'clientNotRunning',
    { address: serverAddress, results: { socket: { outcome: 'failed' }, host: { outcome: 'none' }, reading: 'other' } },
  ],
  [
    'a server that passes nothing on, and a client',
    'wrongPort',
    {
      address: serverAddress,
      results: { socket: { outcome: 'failed' }, host: { outcome: 'none' }, elsewhere: '127.0.0.1:7396' },
    },
  ],
]

describe('a diagnosis', () => {
  test.each(table)('%s: %s', (_, diagnosis, overrides) => {
    expect(diagnose(facts(overrides))).toBe(diagnosis)
  })

  it('is tried in every kind', () => {
    expect(DIAGNOSES.filter(key => !table.some(([, diagnosis]) => diagnosis === key))).toEqual([])
  })

  const browsers = (['chrome', 'firefox', 'safari', 'other'] as const).flatMap(name =>
    (['linux', 'windows', 'macos', 'android', 'other'] as const).map(system => ({ name, system })),
  )

  test.each(table)('%s: has a title, a reason and one thing to do everywhere', (_, diagnosis, overrides) => {
    for (const browser of browsers) {
      const { title, why, todo } = diagnosisText(diagnosis, facts({ ...overrides, browser }))
      for (const words of [title, why, todo]) expect(words).toMatch(/^\S.{9,}/)
      expect([title, why, todo].join(' ')).not.toMatch(/undefined|\[object|\s{2}/)
    }
  })
})

describe('what to do', () => {
  it('names the lines that let this page in, with its address', () => {
    expect(diagnosisText('originRefused', facts({ origin: PUBLIC })).lines).toEqual([
      {
        label: 'In /etc/fah-client/config.xml, between <config> and </config>',
        text: '<allowed-origins v="https://board.example.org"/>',
      },
      { label: 'Or on the command line', text: 'fah-client --allowed-origins "https://board.example.org"' },
    ])
    const windows = facts({ origin: PUBLIC, browser: { name: 'edge', system: 'windows' } })
    expect(diagnosisText('originRefused', windows).lines[0]?.label).toContain('%PROGRAMDATA%\\FAHClient\\config.xml')
    const elsewhere = facts({ address: '192.168.0.7', browser: { name: 'edge', system: 'windows' } })
    expect(diagnosisText('originRefused', elsewhere).lines[0]?.label).toBe(
      'In config.xml, between <config> and </config>',
    )
  })

  it('names the lines that let a client on another computer listen, and whom it lets in', () => {
    const lines = (address: string) =>
      diagnosisText('clientNotRunning', facts({ address })).lines.map(({ text }) => text)
    expect(lines('10.1.2.3:7397')).toEqual([
      '<http-addresses v="0.0.0.0:7397"/>',
      '<allow v="127.0.0.1 ::1 10.1.2.0/24"/>',
    ])
    expect(lines('attic.lan')[1]).toBe('<allow v="127.0.0.1 ::1 192.168.0.0/24"/>')
  })

  it('reports how far the clock is out', () => {
    const clock = (offset: number): string =>
      diagnosisText('clockWrong', facts({ results: { api: { outcome: 'answered', offset } } })).why
    expect(clock(300_000)).toContain('This computer’s clock is 5m 0s behind.')
    expect(clock(-90_000)).toContain('This computer’s clock is 1m 30s ahead.')
  })

  it('can be copied as text', () => {
    const text = checkReport(facts({ results: { ...refused, permission: 'none', elsewhere: undefined } }))
    expect(text).toContain('Page: http://localhost:7400\nClient: 127.0.0.1:7396\nBrowser: Chrome (Linux)')
    expect(text).toContain('The client does not trust this page')
    expect(text).toContain('Or on the command line: fah-client --allowed-origins "http://localhost:7400"')
    expect(text).toContain('- Connection to the client: Refused')
    expect(text).toContain('- Usual addresses: Nothing answers')
    expect(text).not.toContain('- Relay')
  })
})

test('every result of a probe has words, and a probe that was not made has none', () => {
  const results: readonly ProbeResults[] = [
    {},
    ...(['granted', 'denied', 'prompt', 'none'] as const).map(permission => ({ permission })),
    connected,
    { socket: { outcome: 'client', version: undefined, link: 'own' } },
    ...(['other', 'silent', 'failed', 'blocked', 'timeout'] as const).map(outcome => ({ socket: { outcome } })),
    ...(['answered', 'failed', 'blocked', 'timeout'] as const).map(request => ({ request })),
    ...(['client', 'other', 'unreadable'] as const).map(reading => ({ reading })),
    ...(['leaves', 'stays', 'unknown'] as const).map(redirect => ({ redirect })),
    { elsewhere: undefined },
    { elsewhere: '127.0.0.1:7396' },
    ...(['client', 'simulated', 'none', 'silent', 'other'] as const).map(passes),
    { host: { outcome: 'none' } },
    { host: { outcome: 'away' } },
    { api: { outcome: 'answered' } },
    { api: { outcome: 'answered', offset: -90_000 } },
    { api: { outcome: 'failed' } },
    ...(['answered', 'failed', 'none'] as const).map(relay => ({ relay })),
  ]
  const names = ['permission', 'socket', 'request', 'reading', 'redirect', 'elsewhere', 'host', 'api', 'relay'] as const
  for (const result of results)
    for (const name of names) {
      const words = probeText(name, result)
      if (name in result) expect(words).toMatch(/^[A-Z].+/)
      else expect(words).toBeUndefined()
    }
})

test('the page’s own server is known by name and port', () => {
  const at = (origin: string, address: string): boolean => isOwnServer(facts({ origin, address }))
  expect(at('http://localhost:7400', 'localhost:7400')).toBe(true)
  expect(at('http://localhost:7400', '127.0.0.1:7400')).toBe(false)
  expect(at('http://[::1]:7400', '[::1]:7400')).toBe(true)
  expect(at('https://board.example.org', 'board.example.org:443')).toBe(true)
  expect(at('http://board.example.org', 'board.example.org:80')).toBe(true)
  expect(at('null', 'localhost:7400')).toBe(false)
})

test('a permission is needed only for what is nearer than the page’s server', () => {
  const needs = (origin: string, address: string): boolean => needsPermission(facts({ origin, address }))
  expect(needs(PUBLIC, '127.0.0.1')).toBe(true)
  expect(needs(PUBLIC, '192.168.0.7')).toBe(true)
  expect(needs(PUBLIC, 'fold.example.org')).toBe(false)
  expect(needs(LAN, '127.0.0.1')).toBe(true)
  expect(needs(LAN, '192.168.0.7')).toBe(false)
  expect(needs(LOCAL, '127.0.0.1')).toBe(false)
})

test('a client may be at the usual port, and on this computer', () => {
  const others = (address: string) => otherAddresses(clientAddress(address)).map(({ host, port }) => `${host}:${port}`)
  expect(others('127.0.0.1:7396')).toEqual([])
  expect(others('127.0.0.1:8080')).toEqual(['127.0.0.1:7396'])
  expect(others('localhost:8080')).toEqual(['localhost:7396', '127.0.0.1:7396'])
  expect(others('192.168.0.7')).toEqual(['127.0.0.1:7396'])
})
