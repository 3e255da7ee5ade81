import { expect, test } from 'vitest'
import type { ClientView } from '../client/client.ts'
import { effectText } from '../fleet/bulk-text.ts'
import { planAtOnce, type Saved } from './at-once.ts'
import type { Schedule } from './schedule.ts'

const NO_UNITS = { units: new Map() }
const NOON = Date.parse('2026-11-20T12:00:00Z')
const nights: Schedule = {
  id: 'nights',
  name: 'Nights',
  isEnabled: true,
  targets: [{ kind: 'all', name: '' }],
  timeZone: 'UTC',
  rules: [{ kind: 'week', days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', until: '06:00', state: 'fold' }],
  otherwise: 'pause',
  finishMinutes: 0,
}

function view(number: number, paused: Readonly<Record<string, boolean>>, isConnected = true): ClientView {
  const groups = Object.fromEntries(
    Object.entries(paused).map(([name, isPaused]) => [name, { config: { paused: isPaused } }]),
  )
  const info = { version: '8.5.7', mach_name: `m${number}` }
  return { id: `__direct__${number}`, isDirect: true, isConnected, data: { info, config: {}, groups, units: [] } }
}
const views = new Map([
  [1, view(1, { '': false, gpu: false })],
  [2, view(2, { '': true })],
  [3, view(3, { '': false }, false)],
  [4, view(4, { '': false })],
  [5, view(5, { '': false })],
])
function machine(number: number): Saved['machines'][number] {
  return {
    ...{ number, name: `m${number}`, address: `10.0.0.${number}:7396`, tags: [] },
    groups: number === 1 ? ['', 'gpu'] : [''],
    paused: number === 2 ? [''] : [],
    mayAct: number !== 4,
  }
}
const override = { state: 'fold', by: 'ana', since: '', until: null } as const
const answer: Saved = {
  machines: [1, 2, 3, 4, 5].map(machine),
  conditions: {},
  inputs: [{ name: 'solar', value: 900, at: new Date(NOON - 60_000).toISOString() }],
  subjects: [
    {
      ...{ machine: 5, name: 'm5', group: null, condition: 'kept', wanted: 'fold', schedule: null, rule: null },
      ...{ because: null, since: null, until: null, override },
    },
  ],
}

function plan(draft: Schedule, others: readonly Schedule[] = [], at = NOON) {
  const { entries } = planAtOnce(draft, [...others, draft], answer, number => views.get(number), NO_UNITS, at)
  return entries.map(({ name, effect }) => `${name}: ${effect.kind}`)
}

test('what happens to each machine is said before a schedule is saved', () => {
  expect(plan(nights)).toEqual(['m1: change', 'm2: same', 'm3: disconnected', 'm4: impossible', 'm5: excluded'])
  expect(plan(nights, [], NOON + 11 * 3_600_000).slice(0, 2)).toEqual(['m1: same', 'm2: change'])
})

test('machines for which another schedule decides, or nothing does, are left out', () => {
  const first: Schedule = { ...nights, id: 'first', targets: [{ kind: 'machine', name: '10.0.0.1:7396' }] }
  expect(plan(nights, [first])[0]).toBe('m2: same')
  expect(plan({ ...nights, otherwise: null })).toEqual([])
  expect(plan({ ...nights, targets: [] })).toEqual([])
})

test('a schedule for a group says what becomes of the group', () => {
  const ofGroup = { ...nights, targets: [{ kind: 'machine' as const, name: '10.0.0.1:7396', group: 'gpu' }] }
  expect(plan(ofGroup)).toEqual(['m1, gpu: change'])
})

test('a rule of an input that was never saved follows the newest value', () => {
  const solar: Schedule['rules'][number] = {
    ...{ kind: 'input', input: 'solar', compare: 'above', threshold: 500, hysteresis: 0 },
    ...{ holdMinutes: 0, validMinutes: 60, state: 'fold' },
  }
  expect(plan({ ...nights, rules: [solar] })[1]).toBe('m2: change')
})

test('a machine that a person paused stays so, and the preview says it', () => {
  const byHand = { ...answer, machines: answer.machines.map(each => ({ ...each, paused: [] })) }
  const effectOf = (draft: Schedule, saved: Saved) =>
    planAtOnce(draft, [draft], saved, number => views.get(number), NO_UNITS, NOON + 11 * 3_600_000).entries[1]?.effect
  expect(effectOf(nights, byHand)).toMatchObject({
    kind: 'excluded',
    because: 'Somebody paused it: it stays paused until somebody resumes it.',
  })
  expect(effectOf(nights, answer)?.kind).toBe('change')
  const resuming = { ...nights, rules: nights.rules.map(rule => ({ ...rule, resumesPaused: true })) }
  expect(effectOf(resuming, byHand)?.kind).toBe('change')
})

test('a group that a person paused is resumed only where the rule says so', () => {
  const partly = new Map([[1, view(1, { '': false, gpu: true })]])
  const night = NOON + 11 * 3_600_000
  const { rules } = nights
  const first = (draft: Schedule) =>
    planAtOnce(draft, [draft], answer, number => partly.get(number), NO_UNITS, night).entries[0]
  expect(first(nights)?.effect).toEqual({ kind: 'same', kept: ['gpu'] })
  expect(first({ ...nights, rules: rules.map(rule => ({ ...rule, resumesPaused: true })) })?.effect.kind).toBe('change')
})

test('a time to be idle by says what each machine takes no more, and what will not be done', () => {
  const idle: Schedule = {
    ...nights,
    rules: [{ kind: 'week', days: [5], from: '18:00', until: '24:00', state: 'pause', inTime: true }],
    otherwise: null,
  }
  const unit = {
    ...{ id: 'u', number: 7, group: '', state: 'RUN', pid: 1, cpus: 1, wu_progress: 0.5, eta: '9h 0m' },
    ...{ start_time: '2026-11-20T03:00:00Z', assignment: { project: 18_400, min_cpus: 1, max_cpus: 4 } },
  }
  const busy = view(1, { '': false })
  const data = { ...busy.data, info: { ...busy.data?.info, id: 'm' }, units: [unit] } as ClientView['data']
  const idleView = (draft: Schedule) =>
    planAtOnce(draft, [draft], answer, number => (number === 1 ? { ...busy, data } : undefined), NO_UNITS, NOON)
  expect(idleView(idle).entries.map(({ name, effect }) => [name, effect.kind])).toEqual([['m1', 'change']])
  expect(effectText(idleView(idle).entries[0]?.effect ?? { kind: 'disconnected' })).toMatch(
    /takes no new work from about .*WU7 will not be done \(about .*\), and is paused/,
  )
  // With what is done at once.
  expect(idleView({ ...idle, otherwise: 'finish' }).entries[0]?.effect).toMatchObject({ kind: 'change' })
  const resumed = { ...answer, machines: answer.machines.map(each => ({ ...each, paused: ['', 'gpu'] })) }
  const paused = { ...busy, data: { ...data, groups: { '': { config: { paused: true } } } } as ClientView['data'] }
  const both = { ...idle, otherwise: 'fold' as const }
  const [first] = planAtOnce(
    both,
    [both],
    resumed,
    number => (number === 1 ? paused : undefined),
    NO_UNITS,
    NOON,
  ).entries
  expect(first?.effect).toMatchObject({ kind: 'change', changes: [{ key: 'paused' }] })
  expect(effectText(first?.effect ?? { kind: 'disconnected' })).toContain('takes no new work')
})
