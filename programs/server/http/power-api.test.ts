import { expect, test, vi } from 'vitest'
import { HOUSE } from '../power/power.ts'
import { clientOf, programs, signIn, TOKENS, untilConnected, useService } from '../../../test/server-service.ts'

const { client, people, start } = useService()
const NOON = Date.now() - (Date.now() % 3_600_000)
const HOUR = 3_600_000

test('programs send prices and readings, and pages read them with what was used', async () => {
  const attic = await client()
  const meters = `[[meters]]\nname = "plug"\nmachine = "attic"\nkind = "shelly-plus"\n[[meters]]\nname = "house"\nunit = "kW"`
  const service = await start(`${clientOf(attic, ['state'])}\n${meters}\n${programs()}\n${people()}`)
  const inputs = { Authorization: `Bearer ${TOKENS.inputs}` }
  const operator = { Cookie: await signIn(service, 'operator') }
  const call = async (path: string, headers: Record<string, string>, body?: unknown) => {
    const response = await fetch(`${service.origin}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { Origin: service.origin, ...headers },
    })
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  }
  await untilConnected(service, operator)
  const list = { unix_seconds: [NOON / 1000, NOON / 1000 + 3600], price: [300, -20] }
  expect(await call('/api/server/inputs/spot/prices?add=0.1&factor=2', inputs, list)).toEqual({
    status: 200,
    json: { intervals: 2 },
  })
  expect((await call('/api/server/inputs/spot/prices?factor=much', inputs, list)).status).toBe(400)
  expect((await call('/api/server/inputs/spot/prices', inputs, { prices: [] })).status).toBe(400)
  for (const name of ['Not a name/prices', '__proto__/prices', '__proto__'])
    expect((await call(`/api/server/inputs/${name}`, inputs, name === '__proto__' ? { value: 1 } : list)).status).toBe(
      400,
    )
  for (let number = 1; number < 20; number++)
    await call(`/api/server/inputs/${number === 1 ? 'constructor' : `other${number}`}/prices`, inputs, list)
  expect((await call('/api/server/inputs/one-more/prices', inputs, list)).status).toBe(409)
  expect((await call('/api/server/inputs/constructor', inputs, { value: 1 })).status).toBe(200)
  expect((await call('/api/server/schedules', operator)).json).toMatchObject({
    inputs: [{ name: 'constructor', value: 1 }],
    lists: expect.arrayContaining(['spot', 'constructor']) as string[],
  })
  for (const status of [200, 404])
    expect((await call('/api/server/inputs/constructor/remove', operator, {})).status).toBe(status)
  expect((await call('/api/server/inputs/one-more/prices', inputs, list)).status).toBe(200)
  const deep = `{"command":{"cmd":"config","config":{"cause":${'['.repeat(3000)}${']'.repeat(3000)}}}}`
  const answer = await fetch(`${service.origin}/api/server/machines/1/commands`, {
    method: 'POST',
    body: deep,
    headers: { Origin: service.origin, ...operator },
  })
  expect(answer.status).toBe(400)
  expect((await call('/api/server/inputs/spot/prices', { Cookie: await signIn(service, 'viewer') }, list)).status).toBe(
    403,
  )

  expect((await call('/api/server/meters/plug', inputs, { apower: 250.5, aenergy: { total: 10 } })).status).toBe(200)
  expect((await call('/api/server/meters/house', inputs, 1.5)).status).toBe(200)
  expect((await call('/api/server/meters/plug', inputs, { output: true })).status).toBe(400)
  expect((await call('/api/server/meters/none', inputs, 1)).status).toBe(404)
  expect((await call('/api/server/power', inputs)).status).toBe(403)
  expect((await call('/api/server/schedules', operator)).json).toMatchObject({ meters: ['plug', 'house'] })
  expect((await call('/api/server/meters/house/reset', operator, {})).status).toBe(200)
  expect((await call('/api/server/power', operator)).json['house']).toMatchObject([{ watts: null }])
  expect((await call('/api/server/meters/none/reset', operator, {})).status).toBe(404)
  await call('/api/server/meters/house', inputs, 1.5)

  const [{ id } = { id: '' }] = (await call('/api/server/machines', operator)).json['machines'] as { id: string }[]
  const used = { seconds: 900, wattHours: 90, points: 5, cost: 0.03, pricedWattHours: 90, grams: 1, gradedWattHours: 1 }
  const segment = { ...used, from: NOON, until: NOON + HOUR / 4, origin: 'measured' as const }
  await service.store.power.addEnergy([
    { ...segment, machine: id },
    { ...segment, machine: HOUSE, wattHours: 400 },
  ])
  const tariffs = { currency: 'EUR', timeZone: 'UTC', price: { kind: 'list', input: 'spot' }, co2: null }
  expect((await call('/api/server/power', operator)).json['lists']).toEqual({})
  await call('/api/server/shared', operator, { type: 'power.tariffs', tariffs })
  const { json } = await call('/api/server/power', operator)
  expect(Object.keys(json['lists'] as object)).toEqual(['spot'])
  expect(json).toMatchObject({
    lists: {
      spot: [
        { begin: NOON, end: NOON + HOUR, price: 0.8 },
        { begin: NOON + HOUR, price: 0.16 },
      ],
    },
    meters: { [id]: { watts: 250.5 } },
    records: { [id]: [segment] },
    house: [{ name: 'house', watts: 1500 }],
    houseRecord: [{ ...segment, wattHours: 400 }],
  })
  expect((await call(`/api/server/energy?machine=${id}`, operator)).json['energy']).toMatchObject([
    { machine: id, wattHours: 90, from: new Date(NOON).toISOString() },
  ])
  const csv = await fetch(`${service.origin}/api/server/energy?format=csv`, { headers: operator })
  expect(await csv.text()).toContain('measured')
  expect((await call('/api/server/meters/found', operator)).status).toBe(403)
  const administrator = { Cookie: await signIn(service, 'administrator') }
  expect((await call('/api/server/meters/found', administrator)).json).toEqual({ meters: [] })
})

test('a schedule of cheap hours is decided by the prices of the page, and says so', async () => {
  const attic = await client()
  const service = await start(clientOf(attic, ['state']))
  await untilConnected(service)
  const call = async (path: string, body?: unknown) => {
    const response = await fetch(`${service.origin}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { Origin: service.origin },
    })
    return (await response.json()) as {
      revision: string
      currency?: string
      prices: { price?: number }[]
      conditions: Record<string, { spans?: object[] }>
      subjects: { wanted: string; because: string }[]
    }
  }
  await call('/api/server/shared', {
    type: 'power.tariffs',
    tariffs: { currency: 'EUR', timeZone: 'UTC', price: { kind: 'list', input: 'spot' }, co2: null },
  })
  await call('/api/server/inputs/spot/prices', [
    { begin: NOON, end: NOON + HOUR, price: 0.05 },
    { begin: NOON + HOUR, end: NOON + 2 * HOUR, price: 0.3 },
  ])
  const { revision } = await call('/api/server/schedules')
  const rule = { kind: 'cheapest', below: 0.1, from: '00:00', until: '24:00', state: 'pause' }
  const schedule = {
    id: 'cheap',
    name: 'Cheap',
    isEnabled: true,
    targets: [{ kind: 'all' }],
    timeZone: 'UTC',
    rules: [rule],
    otherwise: 'fold',
    finishMinutes: 0,
  }
  await call('/api/server/schedules', { revision, schedules: [schedule] })
  const { prices, currency, conditions } = await vi.waitFor(async () => {
    const overview = await call('/api/server/schedules')
    const because = 'Schedule “Cheap”: price below 0.1; all day'
    expect(overview.subjects).toMatchObject([{ wanted: 'pause', because }])
    return overview
  })
  expect(currency).toBe('EUR')
  expect(prices.map(({ price }) => price)).toEqual([0.05, 0.3, undefined])
  expect(Object.values(conditions)).toMatchObject([{ isOn: true, spans: [{ end: NOON + HOUR }] }])
})
