import { clientAddress } from '../../../test/urls.ts'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { formatAddress, isLocalNetwork, isLoopback, nodeSocketUrl, parseAddress, socketUrl } from './address.ts'
import { checkAddress } from './address-check.ts'

describe('an address', () => {
  test.each<[string, string, number]>([
    ['localhost', 'localhost', 7396],
    ['localhost:80', 'localhost', 80],
    [' 192.168.0.7 ', '192.168.0.7', 7396],
    ['192.168.0.7:65535', '192.168.0.7', 65_535],
    ['Node-2.LAN:7397', 'node-2.lan', 7397],
    ['my_pc', 'my_pc', 7396],
    ['[::1]', '::1', 7396],
    ['[FE80::1]:7400', 'fe80::1', 7400],
    ['::1', '::1', 7396],
    ['2001:db8:0:0:0:0:0:1', '2001:db8:0:0:0:0:0:1', 7396],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.1', 7396],
  ])('%j is host %s and port %i', (typed, host, port) => {
    expect(parseAddress(typed)).toEqual({ host, port })
    expect(checkAddress(typed)).toBeUndefined()
  })

  test.each([
    '',
    ' ',
    ':7396',
    'host:',
    'host:0',
    'host:65536',
    'host:99999999',
    'host:x',
    'http://host',
    'ws://host:7396',
    'host/path',
    'user@host',
    'a b',
    '-a',
    'a-',
    'a..b',
    '.a',
    '256.1.1.1',
    '1.2.3',
    '12',
    'x.5',
    '[::1',
    '[::1]x',
    '[]',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '::12345',
    '::1.2.3.400',
    'a:b:c',
    '<b>',
    'a'.repeat(64),
    '999.1',
  ])('%j is invalid', typed => {
    expect(parseAddress(typed)).toBeUndefined()
    expect(checkAddress(typed)).toBe('Enter a host name or IP address, optionally with :port')
  })

  it('has one spelling and one socket URL', () => {
    expect(formatAddress({ host: '::1', port: 7396 })).toBe('[::1]:7396')
    expect(socketUrl(clientAddress('::1'))).toBe('ws://[::1]:7396/api/websocket')
    expect(socketUrl(clientAddress('pc.lan:443'), true)).toBe('wss://pc.lan:443/api/websocket')
  })

  it.each([
    ['node1.example.org', 'wss://node1.example.org/ws/account'],
    ['127.0.0.1:7402', 'wss://127.0.0.1:7402/ws/account'],
    ['[::1]:7402', 'wss://[::1]:7402/ws/account'],
    [' Node.Example ', 'wss://node.example/ws/account'],
    ['', undefined],
    ['10.0.0.256', undefined],
    ['999.1', undefined],
    ['node.example/other', undefined],
    ['ada@node.example', undefined],
    ['node.example:0', undefined],
    ['https://node.example', undefined],
  ])('of a node %j leads to %s', (node, url) => {
    expect(nodeSocketUrl(node, 'wss')).toBe(url)
  })

  it('gives a URL that browsers accept, of the same host', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.domain(), fc.ipV4(), fc.ipV6(), fc.webAuthority({ withPort: true })),
        typed => {
          const address = parseAddress(typed)
          if (address === undefined) return
          const url = new URL(socketUrl(address))
          expect(url.pathname).toBe('/api/websocket')
          expect(url.username).toBe('')
          expect(url.search).toBe('')
          expect(url.hash).toBe('')
          expect(parseAddress(formatAddress(address))).toEqual(address)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('parses every IPv6 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), host => {
        expect(parseAddress(`[${host}]:1`)).toEqual({ host: host.toLowerCase(), port: 1 })
      }),
    )
  })

  it('is loopback, local network, or remote', () => {
    const kinds = (typed: string) => {
      const address = parseAddress(typed) ?? { host: '', port: 0 }
      return [isLoopback(address), isLocalNetwork(address)]
    }
    const here = ['localhost', 'x.localhost', '127.0.0.1', '127.9.9.9', '[::1]']
    const near = [
      '192.168.1.2',
      '10.0.0.1',
      '172.16.0.1',
      '172.31.0.1',
      '169.254.1.1',
      'nas',
      'pc.local',
      '[fe80::1]',
      '[fd00::1]',
    ]
    const far = ['172.32.0.1', '8.8.8.8', 'example.org', 'fd.example.org', '[2001:db8::1]']
    expect(here.map(kinds)).toEqual(here.map(() => [true, false]))
    expect(near.map(kinds)).toEqual(near.map(() => [false, true]))
    expect(far.map(kinds)).toEqual(far.map(() => [false, false]))
  })
})

it('one of several clients behind a host has a number', () => {
  const address = parseAddress(' Localhost:7400/clients/12 ')
  expect(address).toEqual({ host: 'localhost', port: 7400, nth: 12 })
  if (address === undefined) return
  expect(formatAddress(address)).toBe('localhost:7400/clients/12')
  expect(socketUrl(address)).toBe('ws://localhost:7400/clients/12/api/websocket')
  expect(['a/clients/1', 'a/clients/100', 'a/clients/02', 'a/clients/', '/clients/2'].map(parseAddress)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  )
})
