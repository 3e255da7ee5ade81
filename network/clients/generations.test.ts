import { expect, test } from 'vitest'
import { isWorking } from '../../src/folding/unit/unit-meaning.ts'
import { etaSeconds, workShare } from '../../src/folding/unit/unit-progress.ts'
import { createTestClient } from '../../test/network/test-client.ts'
import { receivedData } from '../../test/cases/cases.ts'

/** One of each generation of clients (docs/protocol.md §12): what it does not report of a unit, and of a group’s settings. */
const GENERATIONS = [
  ['8.3.18', ['pid', 'start_time', 'wu_progress'], ['cuda', 'hip']],
  ['8.4.0', ['pid'], ['hip']],
  ['8.4.9', ['pid'], ['hip']],
  ['8.5.0', [], []],
  ['8.5.7', [], []],
] as const

test.each(GENERATIONS)('a client of %s reports what its version can, and is understood', (version, lacks, unknown) => {
  const unit = { state: 'RUN', cpus: 1, progress: 0.25 } as const
  const client = createTestClient({ version, groups: { '': { cpus: 1, paused: false } }, units: [unit] })
  const reader = client.read()
  client.clock.advance(120_000)
  const document = client.document()
  const data = receivedData(document)
  const [running = {}] = data.units
  const keys = ['pid', 'start_time', 'wu_progress']
  expect(keys.filter(key => !Object.hasOwn(running, key))).toEqual(lacks)
  const { config } = data.groups[''] ?? {}
  expect(['cuda', 'hip'].filter(key => !Object.hasOwn(config ?? {}, key))).toEqual(unknown)
  expect(isWorking(running, client.clock.now())).toBe(true)
  expect(workShare(running)).toBeGreaterThanOrEqual(0.25)
  expect(etaSeconds(running)).toBeGreaterThan(0)
  // What was reported one by one is what a new reader gets.
  const changed = reader.take().flatMap(message => (Array.isArray(message) ? [String(message[2])] : []))
  expect(lacks.filter(key => changed.includes(key))).toEqual([])
})

test('a client of 8.3 does not know the command for the history', () => {
  const { read } = createTestClient({ version: '8.3.18', history: ['credited'] })
  const reader = read()
  reader.take()
  expect(reader.connection.receive({ cmd: 'wus', enable: true })).toBe('ok')
  expect(reader.take()).toEqual([])
})
