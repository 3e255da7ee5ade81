import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asSocketUrl, asWebUrl, below, onSameHost, parseBaseUrl, parseSocketUrl, parseWebUrl, pathPart } from './url.ts'

describe('a URL', () => {
  it.each([
    ['https://api.test', 'https://api.test/'],
    ['HTTP://API.test:80/v1//', 'http://api.test/v1//'],
    ['https://api.test/a?b=c/', 'https://api.test/a?b=c/'],
    ['http://[::1]:7401/', 'http://[::1]:7401/'],
  ])('with http(s) is parsed: %s', (text, url) => {
    expect(parseWebUrl(text)).toBe(url)
  })

  it.each([
    '',
    'api.test',
    'https://',
    'https://10.0.0.256',
    'https://999.1',
    'https://ada:secret@api.test',
    'ws://api.test',
    'javascript:alert(1)',
    'https://api.test:99999',
  ])('is rejected: %j', text => {
    expect(parseWebUrl(text)).toBeUndefined()
  })

  it('may be relative to the page', () => {
    expect(parseWebUrl('/api/', 'https://board.test/machines')).toBe('https://board.test/api/')
    expect(parseSocketUrl('/ws', 'https://board.test')).toBeUndefined()
  })

  it('used as a base has no trailing slash, query or fragment', () => {
    expect(
      ['https://a.test', 'https://a.test/v1//', 'https://a.test/?x', 'https://a.test/#x'].map(text =>
        parseBaseUrl(text),
      ),
    ).toEqual(['https://a.test', 'https://a.test/v1', undefined, undefined])
  })

  it('of a socket has no fragment', () => {
    expect(['ws://a.test/x', 'wss://a.test/#x', 'https://a.test'].map(text => parseSocketUrl(text))).toEqual([
      'ws://a.test/x',
      undefined,
      undefined,
    ])
  })

  it('gives the URLs of a socket, of a ping, and of paths below it', () => {
    const web = parseBaseUrl('https://api.test:8443/v1')
    const socket = parseSocketUrl('ws://node.test:7402/ws/account')
    if (web === undefined || socket === undefined) throw new Error('These are addresses.')
    expect(asSocketUrl(web)).toBe('wss://api.test:8443/v1')
    expect(below(web, '/team/7')).toBe('https://api.test:8443/v1/team/7')
    expect(asWebUrl(socket)).toBe('http://node.test:7402/ws/account')
    expect(onSameHost(socket, '/ping')).toBe('http://node.test:7402/ping')
  })

  it('stays valid whatever name is put into its path', () => {
    const base = parseBaseUrl('https://api.test')
    if (base === undefined) throw new Error('This is an address.')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', '\uD800', '\uDFFF', '..'), (name, half) => {
        const url = below(base, `/user/${pathPart(`${name}${half}`)}`)
        expect(URL.canParse(url)).toBe(true)
      }),
    )
    expect(pathPart('a\uD800b/🧬')).toBe('a%EF%BF%BDb%2F%F0%9F%A7%AC')
  })

  it.each(['.', '..', '...', '%2E%2E', 'a..', '/../'])('a part stays below its path: %s', name => {
    const base = parseBaseUrl('https://api.test') ?? expect.unreachable('This is an address.')
    expect(new URL(below(base, `/account/machines/${pathPart(name)}`)).pathname).toMatch(/\/account\/machines\/[^/]+$/)
  })
})
