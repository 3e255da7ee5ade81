import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { alertsAnswer, type AlertsAnswer } from '../../../src/folding/incidents/alert-answers.ts'
import { excerptOf, type HistoryAnswer } from '../../../src/folding/unit/server-history.ts'
import {
  callJson,
  clientOf,
  programs,
  signIn,
  TOKENS,
  untilConnected,
  useService,
} from '../../../test/server-service.ts'

const { client, people, start } = useService()

describe('pages of this server', () => {
  test('read the history, and give the units that only they have, once and only of known clients', async () => {
    const attic = await client()
    const service = await start(clientOf(attic))
    await untilConnected(service)
    const ended = { id: 'u1', group: '', result: 'credited', end_time: '2027-01-01T00:00:00Z', run_time: 1000, ppd: 9 }
    attic.say(['wus', [{ ...ended, wu_progress: 1, assignment: { project: 18200, credit: 7 } }]])
    await expect.poll(async () => (await service.store.units({}, 10)).units.length, { timeout: 10_000 }).toBe(1)
    const id =
      ((await callJson(service, '/api/server/machines')).json as { machines: { id: string }[] }).machines[0]?.id ?? ''
    const ownUnits = [
      { machine: id, ...ended, ppd: 8 },
      { machine: id, ...ended, id: 'u0', end_time: '2026-01-01T00:00:00Z' },
      { machine: 'unknown', ...ended, id: 'u9' },
      { machine: id, id: 'running', number: 3 },
    ]
    const body = {
      machines: [
        { id, name: 'Attic' },
        { id: 'unknown', name: 'x' },
      ],
      units: ownUnits,
    }
    expect((await callJson(service, '/api/server/history', body)).json).toEqual({ taken: 1, known: 1 })
    expect((await callJson(service, '/api/server/history', body)).json).toEqual({ taken: 0, known: 2 })
    const read = async (path: string) => (await callJson(service, path)).json as HistoryAnswer
    const json = await read('/api/server/history?limit=1')
    const rest = await read(`/api/server/history?limit=1&after=${encodeURIComponent(json.next ?? '')}`)
    expect(json.machines.map(each => each.id)).toEqual([id])
    expect(rest.machines).toEqual([])
    expect(rest.next).toBe(null)
    expect([...json.units, ...rest.units]).toMatchObject([
      { unit: 'u1', pointsPerDay: 9, tpf: 10, progress: 1, project: 18200 },
      { unit: 'u0', runTime: 1000 },
    ])
    // What a page makes of it is the unit that the client reported.
    const { units } = excerptOf(json)
    expect(units).toMatchObject([
      {
        key: `${id} u1`,
        machine: id,
        unit: { id: 'u1', end_time: '2027-01-01T00:00:00Z', run_time: 1000, tpf_secs: 10 },
      },
    ])
    expect(await service.store.actions(5)).toMatchObject([{ command: 'take in 1 units of a page', who: 'local' }])
    expect((await callJson(service, '/api/server/history', { machines: [], units: [{ id: 'x' }] })).status).toBe(400)
  })

  test('have tags and views in common: an operator changes them, others are told', async () => {
    const service = await start(`${clientOf(await client())}\n${people()}\n${programs()}`)
    const [viewer, operator] = [await signIn(service, 'viewer'), await signIn(service, 'operator')]
    const events = await fetch(`${service.origin}/api/server/events?types=schedules,shared`, {
      headers: { Cookie: viewer },
    })
    const reader = events.body?.getReader()
    const change = (body: object, cookie: string) => callJson(service, '/api/server/shared', body, cookie)
    const add = { type: 'tags.add', machines: ['a'], tag: ' attic ' }
    expect((await change(add, viewer)).status).toBe(403)
    expect(await change(add, operator)).toEqual({ status: 200, json: { revision: '1' } })
    expect(await change({ type: 'views.save', name: 'Paused', params: { filter: 'x', other: 'y' } }, operator)).toEqual(
      {
        status: 200,
        json: { revision: '2' },
      },
    )
    expect((await change({ type: 'views.move', name: 'Paused', by: 5 }, operator)).status).toBe(400)
    let text = ''
    while (!text.includes('event: shared')) text += Buffer.from((await reader?.read())?.value ?? []).toString()
    await reader?.cancel()
    expect((await callJson(service, '/api/server/session', undefined, viewer)).json).toMatchObject({ shared: '2' })
    expect((await callJson(service, '/api/server/shared', undefined, viewer)).json).toEqual({
      revision: '2',
      tags: { a: ['attic'] },
      views: { views: [{ name: 'Paused', params: { filter: 'x' } }] },
      power: { machines: {} },
      processors: {},
    })
    // A list of many clients is larger than other bodies may be.
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`m${at}`, ['x'.repeat(900)]]))
    expect(await change({ type: 'tags.import', tags: many, mode: 'replace' }, operator)).toMatchObject({ status: 200 })
  })

  test('see channels, people and tests as administrators, and subscribe browsers of their users', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-push-'))
    const service = await start(
      `${clientOf(await client())}\n${people()}\n${programs()}
[store]
folder = "${folder}"
[[channels]]
name = "browser"
kind = "push"
contact = "mailto:ana@example.org"
[[channels]]
name = "hook"
kind = "webhook"
url = "http://127.0.0.1:9/"
[[alerts]]
name = "ana"
channels = ["browser", "hook"]
quiet = { from = "22:00", until = "07:00", zone = "Europe/Berlin", except = ["grave"] }`,
    )
    const admin = await signIn(service, 'administrator')
    const viewer = await signIn(service, 'viewer')
    const alerts = async () => (await callJson(service, '/api/server/alerts', undefined, admin)).json as AlertsAnswer
    const before = await alerts()
    expect(before.channels).toEqual([
      { name: 'browser', kind: 'push', label: 'Web Push', last: null, waiting: 0, retrying: 0 },
      { name: 'hook', kind: 'webhook', label: 'Webhook', last: null, waiting: 0, retrying: 0 },
    ])
    expect(before.people).toMatchObject([
      { name: 'ana', channels: ['browser', 'hook'], kinds: null, escalateMinutes: 30, quiet: { except: ['grave'] } },
    ])
    expect((await callJson(service, '/api/server/alerts/test', { channel: 'hook' }, admin)).json).toMatchObject({
      outcome: 'failed',
    })
    const after = await alerts()
    expect(after.channels[1]?.last).toMatchObject({ outcome: 'failed', isTrial: true })
    expect(v.safeParse(alertsAnswer, after).success).toBe(true)

    const keys = { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) }
    const subscribe = (endpoint: string, cookie: string) =>
      callJson(service, '/api/server/push/subscribe', { endpoint, keys }, cookie)
    expect((await subscribe('https://10.0.0.1/x', viewer)).status).toBe(400)
    expect((await subscribe('https://fcm.googleapis.com/fcm/send/a', viewer)).json).toMatchObject({ browsers: 1 })
    expect((await callJson(service, '/api/server/push', undefined, admin)).json).toMatchObject({ browsers: 0 })
    const gone = { endpoint: 'https://fcm.googleapis.com/fcm/send/a' }
    await callJson(service, '/api/server/push/unsubscribe', gone, admin)
    expect(await service.store.push.list('viewer')).toHaveLength(1)
    expect((await callJson(service, '/api/server/push/unsubscribe', gone, viewer)).json).toMatchObject({ browsers: 0 })
    const token = await fetch(`${service.origin}/api/server/push/subscribe`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKENS.read}` },
      body: JSON.stringify({ endpoint: gone.endpoint, keys }),
    })
    expect(token.status).toBe(403)
  })
})
