import { describe, expect, test } from 'vitest'
import { clientData } from '../../../test/end-to-end/scripted-client.ts'
import {
  clientOf,
  programs,
  signIn,
  stateOf,
  TOKENS,
  untilConnected,
  type StartedService,
  useService,
} from '../../../test/server-service.ts'

const { client, openPage, people, start } = useService()

describe('schedules', () => {
  type Answer = {
    revision: string
    inputs: object[]
    subjects: { condition: string; wanted: string; because: string; override: object | null }[]
  }
  const call = async (service: StartedService, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.origin}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { Origin: service.origin, ...headers },
    })
    return { status: response.status, json: (await response.json()) as Answer }
  }
  const always = (change: object = {}) => ({
    id: 'all',
    name: 'Always',
    isEnabled: true,
    targets: [{ kind: 'tag', name: 'warm' }],
    timeZone: 'Europe/Berlin',
    rules: [],
    otherwise: 'pause',
    finishMinutes: 0,
    ...change,
  })

  test('are kept on the client, wait for a person, and say why', async () => {
    const attic = await client(clientData({ groups: { '': { config: { paused: false, finish: false } } } }))
    const service = await start(`${clientOf(attic, ['state'])}\ntags = ["warm"]`)
    await untilConnected(service)
    const page = await openPage(service)
    await stateOf(page)
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'wus' })
    expect((await call(service, '/api/server/machines/1/follow', {})).json).toEqual({ status: 'unscheduled' })
    const { revision } = (await call(service, '/api/server/schedules')).json
    const saved = await call(service, '/api/server/schedules', { revision, schedules: [always()] })
    expect(saved.status).toBe(200)
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'state', state: 'pause' })
    attic.say(['groups', '', 'config', 'paused', true])
    const until = async (condition: string): Promise<Answer> => {
      for (;;) {
        const { json } = await call(service, '/api/server/schedules')
        if (json.subjects[0]?.condition === condition) return json
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    }
    expect((await until('kept')).subjects).toMatchObject([
      { wanted: 'pause', because: 'Schedule “Always”: no rule applies', override: null },
    ])
    expect(await service.store.actions(1)).toMatchObject([
      { who: 'schedules', command: 'pause', reason: 'Schedule “Always”: no rule applies', outcome: 'confirmed' },
    ])
    // Of two changes of the same schedules, the second is refused.
    expect((await call(service, '/api/server/schedules', { revision, schedules: [] })).status).toBe(409)
    expect(
      (await call(service, '/api/server/schedules', { revision, schedules: [always({ timeZone: 'x' })] })).status,
    ).toBe(400)

    expect((await call(service, '/api/server/machines/1/override', { state: 'fold', minutes: 120 })).status).toBe(200)
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'state', state: 'fold' })
    attic.say(['groups', '', 'config', 'paused', false])
    expect((await until('kept')).subjects).toMatchObject([{ wanted: 'fold', override: { by: 'local' } }])
    expect((await call(service, '/api/server/machines/1/override', { state: 'fold', group: 'none' })).status).toBe(404)
    expect((await call(service, '/api/server/machines/2/override', { state: 'fold' })).status).toBe(404)
    expect((await call(service, '/api/server/machines/1/follow', {})).json).toEqual({ status: 'follows' })
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'state', state: 'pause' })
    attic.say(['groups', '', 'config', 'paused', true])

    // A command of a page wins until the next boundary.
    await until('kept')
    page.send('{"cmd":"state","state":"finish"}')
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'state', state: 'finish' })
    attic.say(['groups', '', 'config', 'paused', false], ['groups', '', 'config', 'finish', true])
    for (let by: unknown; by !== 'local';) {
      const { json } = await call(service, '/api/server/schedules')
      by = (json.subjects[0]?.override as { by?: string } | null)?.by
    }
    const stored = await service.store.schedules.load(0)
    expect(stored).toMatchObject({
      schedules: [{ id: 'all' }],
      states: { [Object.keys(stored.states)[0] ?? '']: { saved: { override: { state: 'finish' } } } },
    })
  })

  test('inputs come from programs with their own scope, and only where the settings allow it anything is sent', async () => {
    const attic = await client()
    const service = await start(`${clientOf(attic)}\ntags = ["warm"]\n${people()}\n${programs()}`)
    const token = { Authorization: `Bearer ${TOKENS.inputs}` }
    expect((await call(service, '/api/server/inputs/price', { value: 12.5 }, token)).status).toBe(200)
    expect((await call(service, '/api/server/inputs/Not a name', { value: 1 }, token)).status).toBe(400)
    expect((await call(service, '/api/server/inputs/price', { value: 'high' }, token)).status).toBe(400)
    expect((await call(service, '/api/server/schedules', undefined, token)).status).toBe(403)
    const operator = { Cookie: await signIn(service, 'operator') }
    const { json } = await call(service, '/api/server/schedules', undefined, operator)
    expect(json.inputs).toMatchObject([{ name: 'price', value: 12.5 }])
    expect((await call(service, '/api/server/machines/1/override', { state: 'pause' }, operator)).status).toBe(403)
    expect((await call(service, '/api/server/session', undefined, operator)).json).toMatchObject({
      name: 'operator',
      mayControl: true,
      canSignOut: true,
      machines: [{ number: 1, name: 'attic', commands: [] }],
    })
    const viewer = { Cookie: await signIn(service, 'viewer') }
    expect((await call(service, '/api/server/session', undefined, viewer)).json).toMatchObject({ mayControl: false })
  })
})
