import { describe, expect, test } from 'vitest'
import {
  clientOf,
  PASSWORD,
  programs,
  signIn,
  stateOf,
  TOKENS,
  untilConnected,
  useService,
} from '../../../test/server-service.ts'
import type { RouteSpec } from '../http/route-fields.ts'
import { routes } from '../http/routes.ts'

const { client, openPage, people, start } = useService()

describe('who may do what', () => {
  /** Which statuses an answer may have for a caller: everything but a refusal is `allowed`. */
  const callers = [
    'nobody',
    'viewer',
    'operator',
    'administrator',
    'token read',
    'token metrics',
    'token control',
    'token inputs',
    'token old',
  ] as const
  const ALLOWED: Readonly<Record<RouteSpec['need'], readonly (typeof callers)[number][]>> = {
    public: callers.filter(caller => caller !== 'token old'),
    metrics: ['viewer', 'operator', 'administrator', 'token read', 'token metrics'],
    view: ['viewer', 'operator', 'administrator', 'token read', 'token control'],
    inputs: ['operator', 'administrator', 'token control', 'token inputs'],
    control: ['operator', 'administrator', 'token control'],
    administer: ['administrator'],
  }

  /** Written down here once more: a route whose need is loosened by mistake would be judged by the mistake. */
  const NEEDS: Readonly<Record<RouteSpec['need'], readonly string[]>> = {
    public: ['get /healthz', 'get /readyz', 'get /api/server/login', 'post /api/server/login'],
    metrics: ['get /metrics'],
    view: [
      'get /api/client',
      'get /api/server/energy',
      'get /api/server/events',
      'get /api/server/history',
      'get /api/server/incidents',
      'get /api/server/machines',
      'get /api/server/openapi.json',
      'get /api/server/points',
      'get /api/server/power',
      'get /api/server/push',
      'get /api/server/schedules',
      'get /api/server/session',
      'get /api/server/shared',
      'get /api/server/standings',
      'get /api/server/units',
      'post /api/server/logout',
      'post /api/server/push/subscribe',
      'post /api/server/push/unsubscribe',
    ],
    inputs: ['post /api/server/inputs/:name', 'post /api/server/inputs/:name/prices', 'post /api/server/meters/:name'],
    control: [
      'post /api/server/history',
      'post /api/server/incidents/acknowledge',
      'post /api/server/inputs/:name/remove',
      'post /api/server/incidents/reopen',
      'post /api/server/incidents/snooze',
      'post /api/server/machines/:number/commands',
      'post /api/server/machines/:number/follow',
      'post /api/server/machines/:number/override',
      'post /api/server/machines/:number/processors',
      'post /api/server/meters/:name/reset',
      'post /api/server/schedules',
      'post /api/server/shared',
    ],
    administer: [
      'get /api/server/actions',
      'get /api/server/alerts',
      'get /api/server/enroll',
      'get /api/server/meters/found',
      'get /api/server/users',
      'post /api/server/alerts/test',
      'post /api/server/enroll',
    ],
  }

  test('each route needs what is written down for it', () => {
    const specs = Object.values<RouteSpec>(routes).map(({ method, path, need }) => `${need}: ${method} ${path}`)
    const written = Object.entries(NEEDS).flatMap(([need, all]) => all.map(route => `${need}: ${route}`))
    expect(specs.sort()).toEqual(written.sort())
  })

  test('each route refuses exactly those callers who may not use it', async () => {
    const attic = await client()
    const service = await start(`${clientOf(attic, ['state'])}\n${people()}\n${programs()}`)
    await untilConnected(service, { Authorization: `Bearer ${TOKENS.read}` })
    const found: string[] = []
    for (const caller of callers) {
      const [kind, name = ''] = caller.split(' ')
      const cookies = kind === 'token' || caller === 'nobody' ? undefined : await signIn(service, caller)
      for (const [route, { method, path, need }] of Object.entries<RouteSpec>(routes)) {
        if (route === 'logout') continue
        const aborted = new AbortController()
        const response = await fetch(`${service.origin}${path.replace(':number', '1').replace(':name', 'price')}`, {
          method,
          signal: aborted.signal,
          headers: {
            ...(method === 'post' ? { Origin: service.origin } : {}),
            ...(cookies === undefined ? {} : { Cookie: cookies }),
            ...(kind === 'token' ? { Authorization: `Bearer ${TOKENS[name as keyof typeof TOKENS]}` } : {}),
          },
          // It is not valid: a caller who may use the route learns that.
          ...(method === 'post' ? { body: '{}' } : {}),
        })
        const isRefused = response.status === 401 || response.status === 403
        const isAllowed = route === 'health' || route === 'ready' || ALLOWED[need].includes(caller)
        if (isRefused === isAllowed) found.push(`${caller} ${route}: ${response.status}`)
        aborted.abort()
      }
    }
    expect(found).toEqual([])
  })

  test('a viewer sees a client, and what a viewer sends is dropped; an operator controls it until signed out', async () => {
    const attic = await client()
    const service = await start(`${clientOf(attic, ['state'])}\n${people()}\n${programs()}`)
    const viewer = { Cookie: await signIn(service, 'viewer') }
    const operator = { Cookie: await signIn(service, 'operator') }
    await untilConnected(service, viewer)
    await expect(openPage(service)).rejects.toThrow('401')
    const [one, other] = [await openPage(service, viewer), await openPage(service, operator)]
    await stateOf(one)
    await stateOf(other)
    one.send('{"cmd":"state","state":"pause"}')
    other.send('{"cmd":"state","state":"finish"}')
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'wus' })
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'state', state: 'finish' })
    expect(await service.store.actions(10)).toMatchObject([{ who: 'operator' }])

    const logOut = (headers: Record<string, string>) =>
      fetch(`${service.origin}/api/server/logout`, { method: 'POST', headers: { ...operator, ...headers } })
    const evil = { Origin: 'https://evil.example' }
    await expect(openPage(service, { ...operator, ...evil })).rejects.toThrow('403')
    expect((await logOut(evil)).status).toBe(403)
    expect((await logOut({})).status).toBe(403)
    expect((await logOut({ Origin: service.origin })).status).toBe(200)
    await other.closed
    await expect(openPage(service, operator)).rejects.toThrow('401')
    attic.say(['config', 'user', 'ana'])
    expect(await one.next()).toContain('ana')
  })

  test('a page that needs a login leads to the form, which leads back to this server only', async () => {
    const service = await start(people())
    const asked = await fetch(`${service.origin}/machines?a=1`, {
      redirect: 'manual',
      headers: { Accept: 'text/html' },
    })
    expect(asked.status).toBe(303)
    expect(asked.headers.get('location')).toBe('/api/server/login?next=%2Fmachines%3Fa%3D1')
    expect((await fetch(`${service.origin}/machines`)).status).toBe(401)
    expect((await fetch(`${service.origin}/appearance.js`)).status).toBe(200)
    const form = await fetch(
      `${service.origin}/api/server/login?next=${encodeURIComponent('//evil.example/"><script>')}`,
    )
    expect(form.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(await form.text()).toContain('name="next" value="/"')
    const cookie = await signIn(service, 'viewer')
    expect((await fetch(`${service.origin}/machines`, { headers: { Cookie: cookie } })).status).toBe(200)
  })

  test('wrong passwords are slowed down, and large forms are not read', async () => {
    const service = await start(people())
    const attempt = (body: string, name = 'viewer') =>
      fetch(`${service.origin}/api/server/login`, {
        method: 'POST',
        headers: { Origin: service.origin },
        body: new URLSearchParams({ name, password: body }),
      })
    expect((await attempt('x'.repeat(20_000))).status).toBe(413)
    const statuses: number[] = []
    // A slow computer has waited for the first seconds already when it asks again.
    while (statuses.length < 20 && !statuses.includes(429))
      statuses.push((await attempt('wrong', statuses.length % 2 === 0 ? 'viewer' : 'nobody')).status)
    expect(statuses.indexOf(429)).toBeGreaterThanOrEqual(10)
    expect((await attempt(PASSWORD)).status).toBe(429)
  })
})
