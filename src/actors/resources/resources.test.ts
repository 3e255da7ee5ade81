import { webUrl } from '../../../test/urls.ts'
import { describe, expect, it } from 'vitest'
import { createDevice } from '../../../test/fakes/device.ts'
import { creditsKey, projectKey, standingsKey, teamKey, userKey } from '../../folding/shared/resource-keys.ts'
import { createApi } from '../network/api.ts'
import { createCache } from './cache.ts'
import { createResources } from './resources.ts'

const PASSKEY = 'abcdef0123456789abcdef0123456789'
const licensesUrl = webUrl('https://page.test/licenses.json')
const settings = {
  versionUrl: webUrl('https://download.test/meta.json'),
  newsSource: 'api',
  newsUrl: webUrl('https://api.test'),
  articleUrl: webUrl('https://site.test/article'),
} as const

type Answer = { readonly status?: number; readonly json?: unknown }

function startResources(answers: Readonly<Record<string, Answer | (() => Promise<Answer>)>>, device = createDevice()) {
  const asked: { readonly path: string; readonly init: RequestInit }[] = []
  const clock = { now: 1_000_000 }
  const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const { host, pathname, search } = new URL(String(input))
    const path = `${host === 'api.test' ? '' : host}${pathname}${search}`
    asked.push({ path, init })
    const answer = answers[path]
    if (answer === undefined) throw new TypeError('fetch failed')
    const { status = 200, json = null } = typeof answer === 'function' ? await answer() : answer
    return new Response(JSON.stringify(json), { status })
  }
  const api = createApi({
    fetch,
    baseUrl: webUrl('https://api.test'),
    session: () => 'session',
    compareClock: () => undefined,
    now: () => clock.now,
    timeout: 1000,
  })
  const cache = createCache(Promise.resolve(device.cacheStore), () => clock.now)
  const resources = createResources({
    api,
    fetch,
    settings,
    licensesUrl,
    cache,
    now: () => clock.now,
    random: () => 0.5,
  })
  return { resources, clock, device, paths: () => asked.map(({ path }) => path), asked }
}

function there(value: unknown, at = 1_000_000) {
  return { ok: true, known: { isThere: true, value }, at }
}
const donor = { id: 5, pid: 6, name: 'Ada', score: 10 }

describe('a remote value', () => {
  it.each([
    ['version', 'download.test/meta.json', [{ version: [8, 5, 7] }], '8.5.7'],
    ['causes', '/project/cause', ['unspecified', 'cancer'], ['any', 'cancer']],
    [userKey('a/b é', 7), '/user/a%2Fb%20%C3%A9?team=7', donor, donor],
    [userKey('Ada', 0), '/user/Ada', donor, donor],
    [userKey('[Crew]_Thør+1 100%', 0), '/user/%5BCrew%5D_Th%C3%B8r%2B1%20100%25', donor, donor],
    [teamKey(7), '/team/7', { id: 7, name: 'Folders' }, { id: 7, name: 'Folders' }],
    [projectKey(18420), '/project/18420', { id: 18420 }, { id: 18420 }],
    [
      standingsKey('donor', 'a b'),
      'page.test/api/server/standings?kind=donor&name=a+b',
      { standings: [{ at: '1970-01-01T00:00:01Z', points: 5, units: 2 }] },
      [{ at: 1000, score: 5, wus: 2 }],
    ],
    [creditsKey({ project: 1, run: 2, clone: 3, gen: 4 }), '/project/1/run/2/clone/3/gen/4', [], []],
  ] as const)('%s is asked for at %s', async (key, path, json, value) => {
    const { resources, paths } = startResources({ [path]: { json } })
    expect(await resources.fetch(key, undefined)).toEqual(there(value))
    expect(paths()).toEqual([path])
  })

  it('is fetched once for simultaneous requests', async () => {
    const { resources, paths } = startResources({ '/team/7': { json: { id: 7 } } })
    const [one, other] = await Promise.all([
      resources.fetch(teamKey(7), undefined),
      resources.fetch(teamKey(7), undefined),
    ])
    expect(paths()).toEqual(['/team/7'])
    expect(one === other).toBe(true)
    await resources.fetch(teamKey(7), undefined)
    expect(paths()).toHaveLength(2)
  })

  it('is cached with its age, and decoded again when loaded', async () => {
    const { resources, clock, device } = startResources({
      '/team/7': { json: { id: 7, name: 'Folders', wus: 'many' } },
    })
    expect(await resources.load(teamKey(7))).toBeUndefined()
    await resources.fetch(teamKey(7), undefined)
    clock.now += 60_000
    expect(await resources.load(teamKey(7))).toEqual({
      known: { isThere: true, value: { id: 7, name: 'Folders' } },
      at: 1_000_000,
      age: 60_000,
    })
    await device.cacheStore.put('personal', 'team/7', { at: 2_000_000, body: 'of another version' })
    expect(await resources.load(teamKey(7))).toBeUndefined()
  })

  it('that does not exist is cached as such; so is an error object [7.1]', async () => {
    const { resources, clock } = startResources({
      '/team/7': { status: 404, json: { error: 'Team not found' } },
      '/project/1': { json: { error: 'Unknown' } },
    })
    const none = { ok: true, known: { isThere: false }, at: 1_000_000 }
    expect(await resources.fetch(teamKey(7), undefined)).toEqual(none)
    expect(await resources.fetch(projectKey(1), undefined)).toEqual(none)
    clock.now += 5
    expect(await resources.load(teamKey(7))).toEqual({ known: { isThere: false }, at: 1_000_000, age: 5 })
  })

  it('that cannot be fetched gives the reason, and the cached one stays', async () => {
    const answers: Record<string, Answer> = { '/team/7': { json: { id: 7 } } }
    const { resources } = startResources(answers)
    await resources.fetch(teamKey(7), undefined)
    answers['/team/7'] = { status: 503, json: { error: 'Busy' } }
    expect(await resources.fetch(teamKey(7), undefined)).toEqual({
      ok: false,
      fault: { kind: 'refused', status: 503, message: 'Busy' },
    })
    answers['/team/7'] = { json: 'text' }
    expect(await resources.fetch(teamKey(7), undefined)).toMatchObject({ ok: false, fault: { kind: 'unreadable' } })
    expect(await resources.load(teamKey(7))).toMatchObject({ known: { isThere: true, value: { id: 7 } } })
  })
})

describe('a passkey', () => {
  it('is sent with the call, and is in no key and no cache entry', async () => {
    const { resources, asked, device } = startResources({ [`/user/Ada?team=7&passkey=${PASSKEY}`]: { json: donor } })
    expect(await resources.fetch(userKey('Ada', 7), { passkey: PASSKEY })).toEqual(there(donor))
    expect(asked[0]?.init.cache).toBe('no-store')
    expect(device.readable()).toContain('"Ada"')
    expect(device.readable()).not.toContain(PASSKEY)
  })
})

describe('a sign-out', () => {
  it('clears personal entries, and pending answers are not cached', async () => {
    let answer: (result: Answer) => void = () => undefined
    const late = new Promise<Answer>(resolve => (answer = resolve))
    const { resources, device } = startResources({
      '/user/Ada': { json: donor },
      '/team/7': () => late,
      '/project/1': { json: { id: 1 } },
    })
    await resources.fetch(userKey('Ada', 0), undefined)
    await resources.fetch(projectKey(1), undefined)
    const underWay = resources.fetch(teamKey(7), undefined)
    resources.forgetPerson()
    answer({ json: { id: 7, name: 'Folders' } })
    await underWay
    expect(await resources.load(userKey('Ada', 0))).toBeUndefined()
    expect(await resources.load(teamKey(7))).toBeUndefined()
    expect(await resources.load(projectKey(1))).toBeDefined()
    expect(device.readable()).not.toMatch(/Ada|Folders/)
  })
})
