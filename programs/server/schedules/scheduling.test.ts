import { afterEach, expect, test, vi } from 'vitest'
import type { Schedule } from '../../../src/folding/schedule/schedule.ts'
import { dataOf } from '../../../test/machines/fleet.ts'
import { night } from '../../../test/machines/schedules.ts'
import { openServerStore } from '../store/sqlite.ts'
import { createScheduling } from './scheduling.ts'

const MACHINES = 500

afterEach(() => {
  vi.useRealTimers()
})

test('that a schedule pauses a machine is stored before the machine is asked', async () => {
  // Not setImmediate: the server lets messages be handled between its parts.
  vi.useFakeTimers({ now: Date.parse('2027-01-04T19:30:00Z'), toFake: ['Date', 'setInterval', 'clearInterval'] })
  const store = await openServerStore(undefined)
  const data = { ...dataOf('attic-id', 'attic'), units: [], groups: { '': { config: {} } } }
  const storedAtSend: unknown[] = []
  const scheduling = createScheduling({
    store,
    kept: await store.schedules.load(Date.now()),
    power: { news: () => ({}), follow: () => Promise.resolve() },
    machines: [{ address: 'attic', tags: [], mayAct: true }],
    watched: () => [{ address: 'attic', id: 'attic-id', label: 'attic', isConnected: true, data, asOf: undefined }],
    send: async () => {
      storedAtSend.push(Object.values((await store.schedules.load(Date.now())).states).map(({ saved }) => saved.paused))
      return 'confirmed'
    },
    notes: () => [],
    now: Date.now,
    onChange: () => undefined,
    onError: error => expect.fail(String(error)),
  })
  await scheduling.replace(scheduling.overview().revision, [night])
  await vi.advanceTimersByTimeAsync(3000)
  await vi.waitFor(() => expect(storedAtSend).toEqual([[['']]]))
  await scheduling.stop()
  await store.close()
})

test('what is kept of many machines is written together, and forgotten together', async () => {
  const store = await openServerStore(undefined)
  const write = vi.spyOn(store.schedules, 'saveSubjects')
  const machines = Array.from({ length: MACHINES }, (_, at) => ({ address: `host-${at}`, tags: [], mayAct: true }))
  const scheduling = createScheduling({
    store,
    kept: await store.schedules.load(Date.now()),
    power: { news: () => ({}), follow: () => Promise.resolve() },
    machines,
    watched: () => [],
    send: () => Promise.resolve('confirmed'),
    notes: () => [],
    now: Date.now,
    onChange: () => undefined,
    onError: error => expect.fail(String(error)),
  })
  const keptOf = async () => Object.keys((await store.schedules.load(Date.now())).states).length
  const all = { ...night, targets: [{ kind: 'all' as const, name: '' }] }
  expect(await scheduling.replace(scheduling.overview().revision, [all])).toBe('saved')
  await expect.poll(keptOf).toBe(MACHINES)
  expect(write.mock.calls.length).toBeLessThan(MACHINES / 10)
  await scheduling.stop()
  await store.schedules.saveSubjects(machines.slice(1).map(({ address }) => ({ subject: { machine: address } })))
  expect(await keptOf()).toBe(1)
  await store.close()
})

test('schedules of whose months nothing can be read are not stored', async () => {
  const store = await openServerStore(undefined)
  const scheduling = createScheduling({
    store,
    kept: await store.schedules.load(Date.now()),
    power: { news: () => ({}), follow: () => Promise.reject(new Error('The database is busy.')) },
    machines: [],
    watched: () => [],
    send: () => Promise.resolve('confirmed'),
    notes: () => [],
    now: Date.now,
    onChange: () => undefined,
    onError: error => expect.fail(String(error)),
  })
  await expect(scheduling.replace(scheduling.revision(), [night])).rejects.toThrow('busy')
  expect((await store.schedules.load(Date.now())).schedules).toEqual(scheduling.overview().schedules)
  await scheduling.stop()
  await store.close()
})

test('between the histories of machines that shall be idle by a time, messages are handled, and a stop ends it', async () => {
  const store = await openServerStore(undefined)
  const machines = ['attic', 'cellar', 'shed', 'loft'].map(address => ({ address, tags: [], mayAct: true }))
  let [read, atOnce, mostAtOnce] = [0, 0, 0]
  const scheduling = createScheduling({
    store: {
      ...store,
      units: (...args) => {
        mostAtOnce = Math.max(mostAtOnce, ++atOnce)
        setImmediate(() => (atOnce = 0))
        if (++read === 3) void scheduling.stop()
        return store.units(...args)
      },
    },
    kept: await store.schedules.load(Date.now()),
    power: { news: () => ({}), follow: () => Promise.resolve() },
    machines,
    watched: () =>
      machines.map(({ address }) => {
        const data = { ...dataOf(address, address), units: [] }
        return { address, id: address, label: address, isConnected: true, data, asOf: undefined }
      }),
    send: () => Promise.resolve('confirmed'),
    notes: () => [],
    now: Date.now,
    onChange: () => undefined,
    onError: error => expect.fail(String(error)),
  })
  const rules: Schedule['rules'] = [
    { kind: 'week', days: [1], from: '22:00', until: '23:00', state: 'pause', inTime: true },
  ]
  expect(await scheduling.replace(scheduling.revision(), [{ ...night, rules }])).toBe('saved')
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect({ read, mostAtOnce }).toEqual({ read: 3, mostAtOnce: 1 })
  await store.close()
})
