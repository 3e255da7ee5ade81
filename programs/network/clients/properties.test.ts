import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyChanges } from '../../../src/protocol/client/changes.ts'
import type { Change } from '../../../src/protocol/client/changes.ts'
import { completeCommand, stampCommand, type GroupPatch } from '../../../src/protocol/client/commands.ts'
import { decodeClientData } from '../../../src/protocol/client/decode-client-data.ts'
import { foldChange, pauseChange } from '../../../src/folding/client/processor-changes.ts'
import { isJsonList, isJsonObject } from '../../../src/protocol/json.ts'
import type { Json, JsonObject } from '../../../src/protocol/json.ts'
import { rtx3060 } from './profiles/hardware.ts'
import { createTestClient, part } from '../../../test/network/test-client.ts'
import { numberOf, textOf } from './wire-value.ts'

const groupName = fc.constantFrom('', 'night', 'my-gpu', 'a b')

const groupConfig = fc.record(
  {
    cpus: fc.oneof(fc.integer({ min: -1, max: 12 }), fc.constant('two')),
    paused: fc.boolean(),
    finish: fc.boolean(),
    on_idle: fc.oneof(fc.boolean(), fc.constant(1)),
    on_battery: fc.boolean(),
    key: fc.double({ noNaN: true, noDefaultInfinity: true }),
    gpus: fc.oneof(fc.constant({}), fc.constant({ 'gpu:01:00:00': { enabled: true } }), fc.constant(null)),
    nonsense: fc.string(),
  },
  { requiredKeys: [] },
)

type Step =
  | { readonly kind: 'command'; readonly command: JsonObject }
  | { readonly kind: 'dump'; readonly index: number }
  | { readonly kind: 'fault'; readonly name: 'failNextUnit' | 'rejectNextResults' }
  | { readonly kind: 'surroundings'; readonly inUse: boolean; readonly onBattery: boolean }
  | { readonly kind: 'wait'; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 20_000 }) }),
  fc.record({
    kind: fc.constant('command' as const),
    command: fc.oneof(
      fc.record({ cmd: fc.constant('state'), state: fc.constantFrom('fold', 'pause', 'finish', 'dance') }),
      fc.record({ cmd: fc.constant('state'), state: fc.constantFrom('fold', 'pause', 'finish'), group: groupName }),
      fc.record({
        cmd: fc.constant('config'),
        config: fc.record({ groups: fc.dictionary(groupName, groupConfig, { maxKeys: 3 }) }),
      }),
      fc.record({
        cmd: fc.constant('config'),
        config: fc.record({ user: fc.string(), team: fc.oneof(fc.nat(), fc.string()) }),
      }),
    ),
  }),
  fc.record({ kind: fc.constant('dump' as const), index: fc.nat(5) }),
  fc.record({
    kind: fc.constant('fault' as const),
    name: fc.constantFrom('failNextUnit' as const, 'rejectNextResults' as const),
  }),
  fc.record({ kind: fc.constant('surroundings' as const), inUse: fc.boolean(), onBattery: fc.boolean() }),
)

function isChange(content: Json): content is Change {
  return (
    isJsonList(content) &&
    (content[0] === 'info' || content[0] === 'config' || content[0] === 'groups' || content[0] === 'units')
  )
}

function play(
  context: ReturnType<typeof createTestClient>,
  steps: readonly Step[],
  receive: (command: Json) => unknown,
): void {
  for (const each of steps) {
    switch (each.kind) {
      case 'wait':
        context.clock.advance(each.ms)
        break
      case 'command':
        receive(each.command)
        break
      case 'dump':
        receive({ cmd: 'dump', unit: context.units()[each.index]?.['id'] ?? 'nobody' })
        break
      case 'fault':
        context.client.faults[each.name]()
        break
      case 'surroundings':
        context.client.faults.setInUse(each.inUse)
        context.client.faults.setOnBattery(each.onBattery)
        break
    }
  }
}

const profile = {
  cpus: 8,
  gpus: { 'gpu:01:00:00': rtx3060(0) },
  groups: {
    '': { paused: false, cpus: 4, gpus: { 'gpu:01:00:00': { enabled: true } } },
    night: { paused: false, cpus: 2 },
  },
  units: [
    { state: 'RUN', cpus: 2, progress: 0.4 },
    { state: 'CORE', cpus: 2, progress: 0.9, group: 'night' },
  ] as const,
  unitFailureRate: 0.2,
  transferFailureRate: 0.3,
}

it('applying all changes to the first message gives the state that a new reader gets', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 1000 }), (steps, seed) => {
      const context = createTestClient(profile, { seed, speed: 2000 })
      const reader = context.read()
      play(context, steps, command => reader.connection.receive(command))
      const applied = applyChanges(reader.first(), reader.take().filter(isChange))
      expect(applied).toEqual(context.document())
      context.client.stop()
    }),
    { numRuns: 30 },
  )
})

it('no change repeats a value, except where the real client does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), steps => {
      const context = createTestClient(profile, { speed: 2000 })
      const reader = context.read()
      play(context, steps, command => reader.connection.receive(command))
      let current = reader.first()
      for (const change of reader.take().filter(isChange)) {
        const next = applyChanges(current, [change])
        if (!(change[0] === 'units' && change[2] === 'gpus')) expect(next).not.toEqual(current)
        current = next
      }
      context.client.stop()
    }),
    { numRuns: 30 },
  )
})

it('a group that neither asks for work nor waits works with the CPUs that it has, and with each GPU once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), steps => {
      const context = createTestClient(profile, { speed: 2000 })
      const connection = context.client.attach(() => {})
      play(context, steps, command => connection.receive(command))
      const { groups } = context.document()
      const units = context.units()
      if (!isJsonObject(groups)) throw new Error('No groups')
      for (const [name, group] of Object.entries(groups)) {
        const groupUnits = units.filter(unit => unit['group'] === name)
        const isAsking = groupUnits.some(unit => unit['state'] === 'ASSIGN')
        if (isAsking || Date.parse(textOf(part(group, 'wait'))) > context.clock.now()) continue
        const working = groupUnits.filter(unit => unit['state'] === 'RUN' && unit['pause_reason'] === undefined)
        const gpus = working.flatMap(unit => (isJsonList(unit['gpus']) ? unit['gpus'] : []))
        expect(new Set(gpus).size).toBe(gpus.length)
        const most = numberOf(part(group, 'config', 'cpus'))
        const used = working.filter(unit => isJsonList(unit['gpus']) && unit['gpus'].length === 0)
        if (most >= 0)
          expect(used.reduce((sum, unit) => sum + Number(unit['cpus']), 0)).toBeLessThanOrEqual(Math.max(most, 0))
      }
      context.client.stop()
    }),
    { numRuns: 30 },
  )
})

it('pausing one GPU by itself, and folding it again, stops and starts no other unit', () => {
  const gpuIds = ['gpu:01:00:00', 'gpu:02:00:00', 'gpu:03:00:00']
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 2 }),
      fc.nat(),
      (gpuCount, cpuUnits, seed) => {
        const gpus = gpuIds.slice(0, gpuCount)
        const cpus = gpuCount + cpuUnits.reduce((sum, count) => sum + count, 0)
        const context = createTestClient(
          {
            cpus: 32,
            gpus: Object.fromEntries(gpus.map((id, index) => [id, rtx3060(index)])),
            groups: { '': { paused: false, cpus, gpus: Object.fromEntries(gpus.map(id => [id, { enabled: true }])) } },
            units: [
              ...gpus.map(id => ({ state: 'RUN' as const, cpus: 1, gpus: [id], progress: 0.1 })),
              ...cpuUnits.map(count => ({ state: 'RUN' as const, cpus: count, progress: 0.1 })),
            ],
          },
          { seed },
        )
        const connection = context.client.attach(() => {})
        const data = () => {
          const decoded = decodeClientData(context.document(), () => undefined)
          if (decoded === undefined) throw new Error('No data')
          return decoded
        }
        const send = (patch: GroupPatch): void => {
          context.clock.advance(2000)
          const command = completeCommand(
            { cmd: 'config', config: { groups: { '': patch } }, keepsOtherGpus: true },
            data(),
          )
          connection.receive(stampCommand(command, context.clock.now()))
          context.clock.advance(3000)
        }
        const starts = (besides: string) =>
          data().units.flatMap(({ number, gpus: used = [], state, start_time: start, pause_reason: reason }) =>
            used.includes(besides) ? [] : [{ number, state, start, reason }],
          )
        for (const gpu of gpus) {
          const processor = { group: '', gpu }
          const before = starts(gpu)
          const pause = pauseChange(data(), processor, context.clock.now())
          send(pause.patch)
          expect(starts(gpu)).toEqual(before)
          expect(data().units.find(({ gpus: used = [] }) => used.includes(gpu))?.paused).toBe(true)
          const note = { ...processor, state: 'pause', cpus: -pause.cpus, at: 0 } as const
          send(foldChange(data(), processor, note, context.clock.now()).patch)
          expect(starts(gpu)).toEqual(before)
          expect(data().units.find(({ gpus: used = [] }) => used.includes(gpu))?.paused).toBe(false)
        }
        expect(data().groups['']?.config?.cpus).toBe(cpus)
        context.client.stop()
      },
    ),
    { numRuns: 40 },
  )
})
