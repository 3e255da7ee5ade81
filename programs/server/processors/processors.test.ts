import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { notesAfter, type ProcessorNote, type ProcessorNotes } from '../../../src/folding/client/processor-notes.ts'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import { clientData } from '../../../test/end-to-end/scripted-client.ts'
import { dataOf } from '../../../test/machines/fleet.ts'
import { after } from '../../../test/folding/bulk.ts'
import { callJson, clientOf, signIn, untilConnected, useService } from '../../../test/server-service.ts'
import type { ControlRequest } from '../gateway/page-command.ts'
import { createProcessors } from './processors.ts'

const START = Date.parse('2026-11-20T12:00:00Z')
const GPU = 'gpu:01:00:00'
const FINISHING: ProcessorNote = { group: '', gpu: GPU, state: 'finish', cpus: 0, at: START, by: 'anna' }

function gpuUnit(more: object) {
  return {
    id: 'u1',
    number: 1,
    group: '',
    state: 'RUN',
    pid: 1,
    cpus: 1,
    gpus: [GPU],
    wu_progress: 0.5,
    start_time: '2026-11-20T10:00:00Z',
    eta: '1 hour 00 mins',
    assignment: { min_cpus: 1, max_cpus: 1 },
    ...more,
  }
}

function folding(more: object = {}): ClientData {
  return {
    ...dataOf('attic', 'attic'),
    info: { id: 'attic', version: '8.5.7', cpus: 8, gpus: { [GPU]: { supported: true } } },
    groups: { '': { config: { paused: false, finish: false, cpus: 8, gpus: { [GPU]: { enabled: true } } } } },
    units: [gpuUnit(more), { ...gpuUnit({}), id: 'u2', number: 2, gpus: [], cpus: 7 }],
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** With one client, which does what it is told. */
async function watched(stored: ProcessorNotes, data: ClientData, asOf?: number) {
  const world = { stored, data, asOf, sent: [] as ControlRequest[] }
  const processors = await createProcessors({
    load: () => Promise.resolve(world.stored),
    change: change => {
      world.stored = notesAfter(world.stored, change)
      return Promise.resolve()
    },
    machines: () => [{ id: 'attic', number: 1, isConnected: true, data: world.data, asOf: world.asOf }],
    send: (_, request) => {
      world.sent.push(request)
      world.data = after(world.data, [request])
    },
    now: () => START,
    onError: error => {
      throw error
    },
  })
  return { world, processors, pass: () => vi.advanceTimersByTimeAsync(5000) }
}

test('a GPU that finishes is paused when its unit has ended, by the server, also one that begins in between', async () => {
  const first = await watched({ attic: [FINISHING] }, folding({ eta: '2 mins' }))
  await first.pass()
  expect(first.world.data.groups['']?.config?.finish).toBe(true)
  await first.processors.stop()
  const second = await watched(first.world.stored, { ...first.world.data, units: folding({ state: 'UPLOAD' }).units })
  await second.pass()
  expect(second.world.data.groups['']?.config).toMatchObject({
    finish: false,
    cpus: 7,
    gpus: { [GPU]: { enabled: false } },
  })
  expect(second.world.stored['attic']).toEqual([{ ...FINISHING, state: 'pause', cpus: 1 }])
  await second.pass()
  expect(second.world.sent).toHaveLength(1)
  await second.processors.stop()
})

test('a client whose state is old is left alone, and one of which nothing is noted', async () => {
  const late = await watched({ attic: [FINISHING] }, folding({ eta: '2 mins' }), START - 60_000)
  const other = await watched({ cellar: [FINISHING] }, folding({ eta: '2 mins' }))
  await late.pass()
  await other.pass()
  expect(late.world.sent).toEqual([])
  expect(other.world.sent).toEqual([])
  await late.processors.stop()
  await other.processors.stop()
})

const { client, people, start } = useService()

test('a program pauses one GPU and folds it again, and pages know who did', async () => {
  vi.useRealTimers()
  const data = folding()
  const attic = await client(clientData(data))
  const service = await start(`${clientOf(attic, ['state', 'config'])}\n${people()}`)
  const cookie = await signIn(service, 'operator')
  await untilConnected(service, { Cookie: cookie })
  const path = '/api/server/machines/1/processors'
  const ask = (body: object) => callJson(service, path, { gpu: GPU, ...body }, cookie)
  expect(await attic.nextCommand()).toMatchObject({ cmd: 'wus' })

  expect(await ask({ state: 'pause', preview: true })).toEqual({ status: 200, json: { outcome: 'none', costs: [] } })
  expect(await ask({ state: 'fold' })).toEqual({ status: 200, json: { outcome: 'none', costs: [] } })
  expect((await ask({ state: 'pause', gpu: 'gpu:09:00:00' })).status).toBe(409)
  expect((await ask({ state: 'stop' })).status).toBe(400)
  expect((await callJson(service, '/api/server/machines/2/processors', { state: 'pause' }, cookie)).status).toBe(404)

  const paused = ask({ state: 'pause' })
  expect(await attic.nextCommand()).toMatchObject({
    config: { groups: { '': { cpus: 7, gpus: { [GPU]: { enabled: false } } } } },
  })
  attic.say(['groups', '', 'config', 'gpus', GPU, 'enabled', false])
  attic.say(['groups', '', 'config', 'cpus', 7])
  expect(await paused).toEqual({ status: 200, json: { outcome: 'confirmed', costs: [] } })
  const noted = async () => {
    const { json } = await callJson(service, '/api/server/shared', undefined, cookie)
    return (json as { processors: Record<string, object[]> }).processors
  }
  expect(await noted()).toMatchObject({ attic: [{ gpu: GPU, state: 'pause', cpus: 1, by: 'operator' }] })

  const administrator = await signIn(service, 'administrator')
  const [shown = {}] = (await noted())['attic'] ?? []
  const cpus = { group: '', state: 'pause', cpus: 7, at: 1, by: 'somebody else' }
  const change = { type: 'processors.note', machine: 'attic', notes: [{ ...shown, by: 'somebody else' }, cpus] }
  expect((await callJson(service, '/api/server/shared', change, administrator)).status).toBe(200)
  expect(await noted()).toMatchObject({
    attic: [
      { gpu: GPU, by: 'operator' },
      { cpus: 7, by: 'administrator' },
    ],
  })
  const without = { type: 'processors.note', machine: 'attic', notes: [shown] }
  expect((await callJson(service, '/api/server/shared', without, administrator)).status).toBe(200)

  const folded = ask({ state: 'fold' })
  expect(await attic.nextCommand()).toMatchObject({
    config: { groups: { '': { cpus: 8, gpus: { [GPU]: { enabled: true } } } } },
  })
  attic.say(['groups', '', 'config', 'gpus', GPU, 'enabled', true])
  attic.say(['groups', '', 'config', 'cpus', 8])
  expect((await folded).status).toBe(200)
  expect(await noted()).toEqual({})
  expect((await ask({ state: 'finish' })).json).toEqual({ outcome: 'confirmed', costs: [] })
  expect(await noted()).toMatchObject({ attic: [{ gpu: GPU, state: 'finish', by: 'operator' }] })
})

test('a schedule pauses one GPU while a value is above a threshold, and folds it when it is below it again', async () => {
  vi.useRealTimers()
  const data = folding()
  const attic = await client(clientData(data))
  const service = await start(`${clientOf(attic, ['state', 'config'])}\n${people()}`)
  const cookie = await signIn(service, 'administrator')
  await untilConnected(service, { Cookie: cookie })
  expect(await attic.nextCommand()).toMatchObject({ cmd: 'wus' })
  const schedules = async () => {
    const { json } = await callJson(service, '/api/server/schedules', undefined, cookie)
    return json as { revision: string; machines: { groups: string[] }[]; subjects: { condition: string }[] }
  }
  const until = async (condition: string): Promise<void> => {
    while (!(await schedules()).subjects.some(subject => subject.condition === condition))
      await new Promise(resolve => setTimeout(resolve, 50))
  }
  const { revision, machines } = await schedules()
  const [, , gpus = ''] = machines[0]?.groups ?? []
  expect(machines[0]?.groups.slice(0, 3)).toEqual(['', '*cpus', '*gpus'])
  const hot = {
    ...{ kind: 'input', input: 'card', compare: 'above', threshold: 85, hysteresis: 5, holdMinutes: 0 },
    ...{ validMinutes: 10, state: 'pause' },
  }
  const heat = {
    ...{ id: 'heat', name: 'Heat', isEnabled: true, timeZone: 'UTC', otherwise: 'fold', finishMinutes: 0 },
    ...{ targets: [{ kind: 'all', name: '', group: gpus }], rules: [hot] },
  }
  expect((await callJson(service, '/api/server/schedules', { revision, schedules: [heat] }, cookie)).status).toBe(200)
  await until('kept')
  const send = (value: number) => callJson(service, '/api/server/inputs/card', { value }, cookie)
  expect((await send(90)).status).toBe(200)
  expect(await attic.nextCommand()).toMatchObject({
    config: { groups: { '': { cpus: 7, gpus: { [GPU]: { enabled: false } } } } },
  })
  attic.say(['groups', '', 'config', 'gpus', GPU, 'enabled', false])
  attic.say(['groups', '', 'config', 'cpus', 7])
  await until('kept')
  await send(82)
  await send(79)
  expect(await attic.nextCommand()).toMatchObject({
    config: { groups: { '': { cpus: 8, gpus: { [GPU]: { enabled: true } } } } },
  })
  const path = '/api/server/machines/1/override'
  expect((await callJson(service, path, { state: 'fold', group: '*none' }, cookie)).status).toBe(404)
})

test('a machine whose settings may not be changed is not told anything', async () => {
  vi.useRealTimers()
  const attic = await client(clientData(folding()))
  const service = await start(clientOf(attic, ['state']))
  await untilConnected(service)
  expect((await callJson(service, '/api/server/machines/1/processors', { gpu: GPU, state: 'finish' })).status).toBe(403)
})
