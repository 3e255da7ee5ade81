import { expect, test } from 'vitest'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import type { InputRule, Rule, Schedule } from './schedule.ts'
import { tiedInput } from './tied-input.ts'

const GPU = 'gpu:01:00:00'
const data: ClientData = {
  info: { version: '8.5.7', gpus: { [GPU]: { description: 'RTX 3060', supported: true } } },
  ...{ config: {}, groups: { '': {} }, units: [] },
}
const onGpu: Unit = { id: 'g', group: '', gpus: [GPU] }
const onCpus: Unit = { id: 'c', group: 'night', gpus: [] }
function hot(input: string): InputRule {
  return {
    ...{ kind: 'input', input, compare: 'above', threshold: 85, hysteresis: 5 },
    ...{ holdMinutes: 1, validMinutes: 10, state: 'pause' },
  }
}
function schedule(group: string | undefined, ...rules: Rule[]): Schedule {
  const target = { kind: 'machine' as const, name: 'attic', ...(group === undefined ? {} : { group }) }
  return {
    ...{ id: String(group), name: 'Heat', isEnabled: true, timeZone: 'UTC', otherwise: 'fold', finishMinutes: 0 },
    ...{ targets: [target], rules },
  }
}
const machines = [{ number: 1, name: 'attic', address: 'attic', tags: [], groups: [], mayAct: true }]
const inputs = ['card', 'room', 'solar'].map((name, value) => ({ name, value, at: '2026-11-20T12:00:00Z' }))
function tied(unit: Unit, ...schedules: Schedule[]): string | undefined {
  return tiedInput({ schedules, machines, inputs }, 1, data, unit)?.name
}

test.each([['*gpus'], ['*RTX 3060'], [`*${GPU}`]])('the value of %s is that of a unit of the card', part => {
  expect(tied(onGpu, schedule(part, hot('card')))).toBe('card')
  expect(tied(onCpus, schedule(part, hot('card')))).toBeUndefined()
})

test('the value of the CPUs, of a group and of the machine; the nearest one counts', () => {
  expect(tied(onCpus, schedule('*cpus', hot('card')))).toBe('card')
  expect(tied(onGpu, schedule('*cpus', hot('card')))).toBeUndefined()
  expect(tied(onCpus, schedule('night', hot('card')))).toBe('card')
  expect(tied(onGpu, schedule('night', hot('card')))).toBeUndefined()
  expect(tied(onGpu, schedule(undefined, hot('room')), schedule('*gpus', hot('card')))).toBe('card')
  expect(tied(onCpus, schedule(undefined, hot('room')), schedule('*gpus', hot('card')))).toBe('room')
})

test('values that are no temperature, of other machines, or that nobody sent are none', () => {
  const sun: Rule = { ...hot('solar'), state: 'fold' }
  expect(tied(onGpu, schedule(undefined, sun))).toBeUndefined()
  expect(tied(onGpu, schedule(undefined, hot('attic')))).toBeUndefined()
  expect(tied(onGpu, { ...schedule(undefined, hot('room')), targets: [{ kind: 'all', name: '' }] })).toBeUndefined()
  const answer = { schedules: [schedule(undefined, hot('room'))], machines, inputs }
  expect(tiedInput(answer, 2, data, onGpu)).toBeUndefined()
})
