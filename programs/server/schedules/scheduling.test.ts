import { expect, test, vi } from 'vitest'
import { night } from '../../../test/machines/schedules.ts'
import { openServerStore } from '../store/sqlite.ts'
import { createScheduling } from './scheduling.ts'

const MACHINES = 500

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
