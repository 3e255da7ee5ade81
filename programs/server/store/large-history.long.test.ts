import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watchPauses } from '../../../test/pauses.ts'
import { useStopLater } from '../../../test/stop-later.ts'
import { createEarlierUnits } from '../alerts/earlier-units.ts'
import { DIMENSIONS } from './samples.ts'
import { openServerStore } from './sqlite.ts'
import type { EndedUnit } from './store.ts'

/** Milliseconds. */
const LONGEST_PAUSE = 200
const MACHINES = 5000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LAST = `machine ${MACHINES - 1}`
const UNITS = 50_000

const stopLater = useStopLater()

test('what is kept of thousands of machines is added up, rolled up and read without stopping the server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-history-'))
  stopLater({ stop: () => rmSync(folder, { recursive: true }) })
  const store = await openServerStore(folder)
  stopLater({ stop: () => store.close() })
  const watch = stopLater(watchPauses())
  const pauses: Record<string, number> = {}
  const during = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    watch.reset()
    const result = await work()
    await new Promise(resolve => setTimeout(resolve, 20))
    pauses[what] = Math.max(pauses[what] ?? 0, watch.longest())
    return result
  }
  const first = Date.UTC(2027, 0, 1)
  const samplesAt = (at: number) =>
    Array.from({ length: 2 * MACHINES }, (_, index) => ({
      at,
      span: 60,
      machine: `machine ${index >> 1}`,
      group_name: index % 2 === 0 ? '' : 'gpu',
      project: 18_000 + (index % 300),
      resource: index % 2 === 0 ? 'cpus' : `gpu:0${index % 9}:00:00`,
      ppd: index,
    }))
  for (let minute = 0; minute <= 70; minute++) {
    const at = first + minute * MINUTE
    await during('add samples', () => store.addSamples(samplesAt(at)))
    await during(minute % 60 < 8 ? 'add up an hour' : 'add up minutes', () => store.sumUp(at))
  }
  const range = { from: first, to: first + 2 * HOUR }
  const pointsOfFirstHour = async (machine?: string) => {
    const [hour] = await store.points({ ...range, by: 'total', step: 3600, machine })
    return Math.round(hour?.ppd ?? 0)
  }
  const pointsOfHour = async () => [await pointsOfFirstHour(), await pointsOfFirstHour(LAST)]
  const sums = [MACHINES * (2 * MACHINES - 1), 4 * MACHINES - 3]
  expect(await pointsOfHour()).toEqual(sums)
  const rolling = { isOver: false }
  const rolled = during('roll up', () => store.rollUp(first + HOUR, first)).finally(() => (rolling.isOver = true))
  const meanwhile = new Set<number>()
  while (!rolling.isOver) meanwhile.add(await pointsOfFirstHour(LAST))
  expect(await rolled).toBe(true)
  expect([...meanwhile]).toEqual(sums.slice(1))
  expect(await pointsOfHour()).toEqual(sums)
  for (const by of DIMENSIONS)
    for (const step of [60, 3600])
      await during(`points by ${by} of ${step} s`, () => store.points({ ...range, by, step }))
  const unit = (index: number): EndedUnit => ({
    ...{ key: `unit ${index}`, unit: `${index}`, machine: `machine ${index % MACHINES}`, group_name: 'gpu' },
    ...{ number: 1, project: 18_000, core: '0x27', resource: 'gpu:01:00:00', result: 'credited', credit: 100 },
    ...{ assigned: first, ended: first + index, run_time: 3600, tpf: 1, progress: 1, run: 1, clone: 1 },
    ...{ gen: index, ppd: 1 },
  })
  const units = Array.from({ length: UNITS }, (_, index) => unit(index))
  for (let at = 0; at < UNITS; at += 10_000) {
    const part = units.slice(at, at + 10_000)
    await during('add units', () => store.addUnits(part))
  }
  await during('last units', async () => createEarlierUnits().add(await store.lastUnits(UNITS)))
  await during('totals of units', () => store.unitTotals())
  await during('list of units', () => store.units({}, 10_000))
  const listed = Array.from({ length: MACHINES }, (_, index) => ({ id: `id ${index}`, name: `name ${index}` }))
  await during('clients of the account', () => store.listAccountClients(listed))
  await during('clients of the account again', () => store.listAccountClients(listed))
  await during('seen', () =>
    store.saw(
      listed.map(({ id, name }) => ({ id, name, address: '', os: '', version: '' })),
      first,
    ),
  )
  expect(Object.entries(pauses).filter(([, pause]) => pause > LONGEST_PAUSE)).toEqual([])
})
