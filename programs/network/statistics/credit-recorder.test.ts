import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { creditsOf } from '../store/credits.ts'
import { openStore } from '../store/store.ts'
import type { Store } from '../store/store.ts'
import { creditEntryOf, createCreditRecorder } from './credit-recorder.ts'

let store: Store
beforeEach(async () => {
  store = await openStore(undefined)
})
afterEach(() => store.destroy())

const row: JsonObject = {
  id: 'u-1',
  result: 'credited',
  end_time: '2026-11-20T13:00:00Z',
  assignment: { project: 18_420, credit: 14_500, time: '2026-11-20T09:00:00Z' },
  wu: { run: 1, clone: 2, gen: 3 },
}
const ada = { user: 'Ada', team: 7, passkey: '' }
const entry = {
  machine: 'm-1',
  unit: 'u-1',
  user: 'Ada',
  team: 7,
  passkey: '',
  project: 18_420,
  run: 1,
  clone: 2,
  gen: 3,
  code: 'Ok',
  credit: 14_500,
  assign_time: '2026-11-20T09:00:00Z',
  credit_time: '2026-11-20T13:00:00Z',
}

test('a credited unit gives its base credit, and a bonus with a passkey', () => {
  expect(creditEntryOf('m-1', row, ada)).toEqual(entry)
  // 4 hours of work, 3 days of deadline: √(0.75 × 72 / 4) times the base.
  expect(creditEntryOf('m-1', row, { ...ada, passkey: 'p' })?.credit).toBe(Math.round(14_500 * Math.sqrt(13.5)))
  expect(creditEntryOf('m-1', row, { ...ada, user: '' })?.user).toBe('Anonymous')
})

test.each([
  ['dumped', 'Dumped'],
  ['failed', 'Faulty'],
  ['rejected', 'Rejected'],
  ['expired', 'Expired'],
])('a %s unit gives an entry without credit', (result, code) => {
  expect(creditEntryOf('m-1', { ...row, result }, ada)).toEqual({ ...entry, code, credit: 0 })
})

test.each([
  ['was aborted', { ...row, result: 'aborted' }],
  ['never ran', { id: 'u-1', result: 'credited', end_time: row['end_time'] ?? '' }],
  ['has no result', { ...row, result: 'toString' }],
])('a unit that %s gives no entry', (_what, unit) => {
  expect(creditEntryOf('m-1', unit, ada)).toBeUndefined()
})

/** Simulates a full disk: the database may not grow. */
async function fillDisk(): Promise<void> {
  await sql`pragma max_page_count = 1`.execute(store)
}
async function freeDisk(): Promise<void> {
  await sql`pragma max_page_count = 1000000`.execute(store)
}
/** Enough credits to need a new database page. */
const MANY = 500

test('credits are stored after a full disk has room again, and the error is reported once', async () => {
  const lines: string[] = []
  const recorder = await createCreditRecorder(store, line => {
    lines.push(line)
  })
  await fillDisk()
  for (let unit = 0; unit < MANY; unit++) recorder.record('m-1', { ...row, id: `u-${unit}` }, ada)
  await recorder.flush()
  await recorder.flush()
  expect(lines).toEqual(['Credits could not be stored; retrying: database or disk is full'])
  await freeDisk()
  await recorder.stop()

  expect(await creditsOf(store, { project: 18_420, run: 1, clone: 2, gen: 3 })).toHaveLength(MANY)
})

test('flushed credits are stored, and known at the next start', async () => {
  const recorder = await createCreditRecorder(store, () => undefined)
  expect(recorder.hasCredits('m-1')).toBe(false)
  recorder.record('m-1', row, ada)
  await recorder.flush()
  expect(await creditsOf(store, { project: 18_420, run: 1, clone: 2, gen: 3 })).toEqual([
    {
      code: 'Ok',
      user: 'Ada',
      team: 7,
      credit: 14_500,
      assign_time: '2026-11-20T09:00:00Z',
      credit_time: '2026-11-20T13:00:00Z',
    },
  ])
  await recorder.stop()
  const next = await createCreditRecorder(store, () => undefined)

  expect(next.hasCredits('m-1')).toBe(true)
  await next.stop()
})
