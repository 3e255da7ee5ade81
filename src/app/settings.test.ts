import { describe, expect, it } from 'vitest'
import { readSettings } from './settings.ts'

const location = { host: 'board.test:8080', href: 'https://board.test:8080/machines?x' }

function pageWith(tags: Readonly<Record<string, string>>): Parameters<typeof readSettings>[0] {
  const find = (selector: string) => {
    const name = /"foldboard:(.*)"/.exec(selector)?.[1] ?? ''
    return name in tags ? { getAttribute: () => tags[name] } : null
  }
  return Object.fromEntries([['querySelector', find]]) as never
}

function settingsOf(tags: Readonly<Record<string, string>>, environment: Readonly<Record<string, string>> = {}) {
  return readSettings(pageWith(tags), environment, location)
}

function addressesOf(tags: Readonly<Record<string, string>>) {
  const { apiUrl, statisticsUrl, awardsUrl, newsUrl, articleUrl } = settingsOf(tags)
  return { apiUrl, statisticsUrl, awardsUrl, newsUrl, articleUrl }
}

describe('settings', () => {
  it('lead to the public network by default [7.1, 7.34, 10.10, 10.12]', () => {
    expect(settingsOf({})).toEqual({
      apiUrl: 'https://api.foldingathome.org',
      directAddress: '127.0.0.1:7396',
      otherDirectAddresses: [],
      nodeScheme: 'wss',
      versionUrl: 'https://download.foldingathome.org/releases/public/fah-client/meta.json',
      providers: [],
      statisticsUrl: 'wss://ws.foldingathome.org/',
      awardsUrl: 'https://apps.foldingathome.org/awards',
      newsSource: 'api',
      hasServer: false,
      newsUrl: 'https://api.foldingathome.org',
      articleUrl: 'https://foldingathome.org/news',
      journalEvents: 100_000,
      journalMegabytes: 32,
      errors: [],
    })
  })

  it('follow from the API when only that is set', () => {
    const expected = {
      apiUrl: 'https://fold.example/api',
      statisticsUrl: 'wss://fold.example/api/ws',
      awardsUrl: 'https://fold.example/api/awards',
      newsUrl: 'https://fold.example/api',
      articleUrl: 'https://fold.example/api/article',
    }
    expect(addressesOf({ 'api-url': 'https://fold.example/api/' })).toEqual(expected)
    const { apiUrl, statisticsUrl } = settingsOf({}, { VITE_API_URL: 'http://127.0.0.1:7401' })
    expect(apiUrl).toBe('http://127.0.0.1:7401')
    expect(statisticsUrl).toBe('ws://127.0.0.1:7401/ws')
  })

  it('offer a demo account where one is set, whose passphrase may hold spaces', () => {
    const demo = { email: 'demo@foldboard.example', secrets: { passphrase: 'fold proteins for fun' } }
    expect(settingsOf({ demo: 'demo@foldboard.example fold proteins for fun' }).demo).toEqual(demo)
    expect(settingsOf({}, { VITE_DEMO: 'demo@foldboard.example fold proteins for fun' }).demo).toEqual(demo)
    expect(settingsOf({ demo: 'demo@foldboard.example' }).demo).toBeUndefined()
  })

  it('let each address be set by itself', () => {
    const tags = {
      'api-url': 'https://fold.example',
      'statistics-url': 'wss://numbers.example/live',
      'awards-url': 'https://pictures.example/',
      'news-url': 'https://news.example',
      'article-url': 'https://read.example',
    }
    expect(addressesOf(tags)).toEqual({
      apiUrl: 'https://fold.example',
      statisticsUrl: 'wss://numbers.example/live',
      awardsUrl: 'https://pictures.example',
      newsUrl: 'https://news.example',
      articleUrl: 'https://read.example',
    })
  })

  it('may be relative to the page, and prefer its tags to the build', () => {
    const { apiUrl, directAddress } = settingsOf(
      { 'api-url': '/api', 'direct-address': 'self' },
      { VITE_API_URL: 'https://fold.example' },
    )
    expect(apiUrl).toBe('https://board.test:8080/api')
    expect(directAddress).toBe('board.test:8080')
    expect(settingsOf({ 'direct-address': '' }).directAddress).toBe('')
    expect(settingsOf({ 'direct-address': 'NAS' }).directAddress).toBe('nas:7396')
  })

  it('may name several clients, and those that the page’s host passes through', () => {
    const directOf = (text: string) => {
      const { directAddress, otherDirectAddresses, errors } = settingsOf({ 'direct-address': text })
      return [directAddress, otherDirectAddresses, errors]
    }
    expect(directOf('self, self/2,self/12 , NAS')).toEqual([
      'board.test:8080',
      ['board.test:8080/clients/2', 'board.test:8080/clients/12', 'nas:7396'],
      [],
    ])
    expect(directOf(', self/2')).toEqual(['', ['board.test:8080/clients/2'], []])
    expect(directOf('self, self/1, a b, nas')).toEqual([
      'board.test:8080',
      ['nas:7396'],
      [
        'The setting direct-address is not a valid address: self/1',
        'The setting direct-address is not a valid address: a b',
      ],
    ])
    expect(directOf(Array.from({ length: 80 }, (_, at) => `nas-${at}`).join()).at(1)).toHaveLength(63)
  })

  it.each([
    ['http://localhost/machines', 'localhost:80'],
    ['https://board.test/machines', 'board.test:443'],
  ])('know the port of a page whose address has none: %s', (href, address) => {
    const { directAddress } = readSettings(
      pageWith({ 'direct-address': 'self' }),
      {},
      { host: new URL(href).host, href },
    )
    expect(directAddress).toBe(address)
  })

  it.each([
    ['api-url', 'https://10.0.0.256'],
    ['api-url', 'api.example'.concat('://')],
    ['statistics-url', 'https://numbers.example'],
    ['version-url', 'javascript:alert(1)'],
    ['direct-address', 'node.1.999'],
  ])('that are no address lead nowhere, and are reported: %s = %s', (name, text) => {
    const settings = settingsOf({ [name]: text })
    expect(settings.errors).toEqual([`The setting ${name} is not a valid address: ${text}`])
    const found = {
      'api-url': settings.apiUrl,
      'statistics-url': settings.statisticsUrl,
      'version-url': settings.versionUrl,
      'direct-address': settings.directAddress,
    }[name]
    expect(found).toMatch(/^(?:|\w+:\/\/setting\.invalid)$/)
  })
})
