import { expect, test } from 'vitest'
import { isJsonList } from '../../../src/protocol/json.ts'
import { isWorking } from '../../../src/folding/unit/unit-meaning.ts'
import { etaSeconds, workShare } from '../../../src/folding/unit/unit-progress.ts'
import { calmClient, createTestClient, part } from '../../../test/network/test-client.ts'
import { receivedData } from '../../../test/cases/cases.ts'
import { rx7900 } from './profiles/hardware.ts'
import { GENERATIONS, ofGeneration, type Generation } from './profiles/generations.ts'

/** What a client of each generation (docs/protocol.md §12) lacks of a unit, of a group’s settings, and of what ended. */
const LACKS: Readonly<Record<Generation, readonly (readonly string[])[]>> = {
  '8.3': [['pid', 'start_time', 'wu_progress'], ['cuda', 'hip'], ['wus']],
  '8.4.0': [['pid'], ['hip'], ['result']],
  '8.4.9': [['pid'], ['hip'], []],
  '8.5.0': [[], [], []],
  '8.5.7': [[], [], []],
}

test.each(Object.entries(LACKS))('a client of %s reports what its version can, and is understood', (name, lacks) => {
  const generation = name as Generation
  const [ofUnit = [], ofGroup, ofHistory] = lacks
  const gpu = 'gpu:01:00:00'
  const profile = ofGeneration(
    {
      ...calmClient,
      gpus: { [gpu]: rx7900(0) },
      groups: { '': { cpus: 1, paused: false } },
      units: [{ state: 'RUN', cpus: 1, progress: 0.25 }],
      history: ['credited'],
    },
    generation,
  )
  const client = createTestClient(profile)
  const reader = client.read()
  client.clock.advance(120_000)
  const document = client.document()
  const data = receivedData(document)
  expect(data.info.version).toBe(GENERATIONS[generation])
  expect(part(document, 'info', 'gpus', gpu, 'hip') !== undefined).toBe(generation.startsWith('8.5'))
  const [running = {}] = data.units
  const keys = ['pid', 'start_time', 'wu_progress']
  expect(keys.filter(key => !Object.hasOwn(running, key))).toEqual(ofUnit)
  const { config } = data.groups[''] ?? {}
  expect(['cuda', 'hip'].filter(key => !Object.hasOwn(config ?? {}, key))).toEqual(ofGroup)
  expect(isWorking(running, client.clock.now())).toBe(true)
  expect(workShare(running)).toBeGreaterThanOrEqual(0.25)
  expect(etaSeconds(running)).toBeGreaterThan(0)
  // What was reported one by one is what a new reader gets.
  const changed = reader.take().flatMap(message => (isJsonList(message) ? (message[2] ?? []) : []))
  expect(ofUnit.filter(key => changed.includes(key))).toEqual([])

  expect(reader.connection.receive({ cmd: 'wus', enable: true })).toBe('ok')
  const [change] = reader.take()
  if (change === undefined) expect(ofHistory).toEqual(['wus'])
  else {
    expect(['end_time', 'result'].filter(key => part(change, 1, 0, key) === undefined)).toEqual(ofHistory)
  }
})
