import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClientData } from '../../protocol/client/client-data.ts'
import { formatIso } from '../text/times.ts'
import { SETTLED } from './evaluate.ts'
import { incidentKinds, kindEntry, manyText, thresholdOf, type IncidentSettings } from './incident-kinds.ts'
import type { IncidentKind } from './incident.ts'
import {
  START,
  MINUTE,
  HOUR,
  GPU,
  usual,
  folding,
  dataOf,
  running,
  watch,
  kindsOf,
  group,
  config,
  late,
  incidentText,
} from '../../../test/folding/incidents.ts'
import type { Step } from '../../../test/folding/incidents.ts'

type Case = {
  readonly kind: IncidentKind
  /** A client that has it, and one that does not; both for `lasting` milliseconds. */
  readonly bad: Step | ((after: number) => Step)
  readonly good: Step | ((after: number) => Step)
  readonly lasting?: number
}

const driverless = { supported: false, type: 'nvidia', description: 'RTX 4090' }
function unsent(part: Readonly<Record<string, unknown>> = {}) {
  return running({ state: 'UPLOAD', wu_progress: 1, start_time: undefined, ...part })
}

const cases: readonly Case[] = [
  {
    kind: 'stopped',
    bad: { data: group({ failed: 'Paused due too many failed Work Units.' }) },
    good: { data: group({ failed: '', failed_wus: 0 }) },
  },
  { kind: 'failing', bad: { data: group({ failed_wus: 2 }) }, good: { data: group({ failed_wus: 1 }) } },
  {
    kind: 'gpu-gone',
    bad: {
      data: dataOf({ units: [running({ gpus: ['gpu:02:00:00'], start_time: undefined, pause_reason: 'Paused' })] }),
    },
    good: { data: config({ gpus: { [GPU]: { enabled: true }, 'gpu:02:00:00': { enabled: true } } }) },
    lasting: 6 * MINUTE,
  },
  {
    kind: 'gpu-driver',
    bad: after => ({
      data: dataOf({
        ...(after === 0 ? {} : { info: { id: 'm', cpus: 8, os: 'linux', gpus: { [GPU]: driverless } } }),
        groups: { '': { config: { ...folding, gpus: { [GPU]: { enabled: true } } } } },
      }),
    }),
    // It never folded here.
    good: {
      data: dataOf({
        info: { id: 'm', cpus: 8, os: 'linux', gpus: { 'gpu:09:00:00': driverless } },
        groups: { '': { config: { ...folding, gpus: { 'gpu:09:00:00': { enabled: true } } } } },
      }),
    },
    lasting: MINUTE,
  },
  {
    kind: 'stalled',
    bad: { data: dataOf({ units: [running()] }) },
    good: after => ({ data: dataOf({ units: [running({ wu_progress: 0.2 + after / (100 * HOUR) })] }) }),
    lasting: 2 * HOUR,
  },
  {
    kind: 'deadline',
    bad: { data: late('deadline', 3600) },
    good: { data: late('deadline', 86_400) },
    lasting: 11 * MINUTE,
  },
  {
    kind: 'timeout',
    bad: { data: late('timeout', 3600) },
    good: { data: late('timeout', 86_400) },
    lasting: 11 * MINUTE,
  },
  {
    kind: 'unreachable',
    bad: { data: dataOf(), isConnected: false, lostAt: START },
    good: { data: dataOf() },
    lasting: 11 * MINUTE,
  },
  {
    kind: 'excessive',
    bad: { data: dataOf(), isConnected: false, excess: 'groups' },
    good: { data: dataOf(), isConnected: true, excess: 'groups' },
  },
  {
    kind: 'silent',
    bad: { data: dataOf(), silentInputs: [{ schedule: 'Roof', input: 'solar', since: undefined }] },
    good: { data: dataOf(), silentInputs: [] },
    lasting: 6 * MINUTE,
  },
  {
    kind: 'waiting',
    bad: {
      data: dataOf({ units: [running({ state: 'ASSIGN', retries: 5, error: 'No work', start_time: undefined })] }),
    },
    good: { data: dataOf({ units: [running()] }) },
    lasting: 31 * MINUTE,
  },
  {
    kind: 'unsent',
    bad: { data: dataOf({ units: [unsent()] }) },
    good: { data: dataOf({ units: [running()] }) },
    lasting: 31 * MINUTE,
  },
  {
    kind: 'full',
    bad: { data: dataOf({ units: [1, 2, 3].map(number => unsent({ number, id: `u${number}` })) }) },
    good: { data: dataOf({ units: [1, 2].map(number => unsent({ number, id: `u${number}` })) }) },
    lasting: 6 * MINUTE,
  },
  {
    kind: 'starved',
    bad: {
      data: dataOf({
        groups: { '': { config: { ...folding, gpus: { [GPU]: { enabled: true } } } } },
        units: [running({ state: 'ASSIGN', retries: 5, error: 'No appropriate assignment', start_time: undefined })],
      }),
    },
    good: {
      data: dataOf({
        groups: { '': { config: { ...folding, gpus: { [GPU]: { enabled: true } } } } },
        units: [
          running({ state: 'ASSIGN', retries: 5, start_time: undefined }),
          running({ number: 2, id: 'unit-2', cpus: 1, gpus: [GPU] }),
        ],
      }),
    },
    lasting: 16 * MINUTE,
  },
  {
    kind: 'slow',
    bad: after => ({
      data: dataOf({ units: [running({ wu_progress: 0.2 + after / (200 * HOUR) })] }),
      earlierTpfs: () => [3600, 3600, 3700],
    }),
    good: after => ({
      data: dataOf({ units: [running({ wu_progress: 0.2 + after / (100 * HOUR) })] }),
      earlierTpfs: () => [3600, 3600, 3700],
    }),
    lasting: 8 * HOUR,
  },
  {
    kind: 'clock',
    bad: after => ({
      data: dataOf({
        units: [running({ start_time: after === 0 ? undefined : formatIso(START + 30_000 + 20 * MINUTE) })],
      }),
    }),
    good: after => ({
      data: dataOf({ units: [running({ start_time: after === 0 ? undefined : formatIso(START + 29_000) })] }),
    }),
    lasting: MINUTE,
  },
  {
    kind: 'too-old',
    bad: { data: dataOf({ info: { version: '8.1.18' } }) },
    good: { data: dataOf({ info: { version: '8.3.0' } }) },
  },
  {
    kind: 'outdated',
    bad: { data: dataOf(), latestVersion: '8.6.0' },
    good: { data: dataOf(), latestVersion: '8.5.7' },
  },
  {
    kind: 'nonsense',
    bad: { data: dataOf({ config: { passkey: 'abc' } }) },
    good: { data: dataOf({ config: { passkey: '0123456789abcdef0123456789abcdef', team: 0 } }) },
  },
  {
    kind: 'shared',
    bad: { data: dataOf({ groups: { '': { config: { ...folding, cpus: 6 } }, b: { config: folding } } }) },
    // A paused group uses nothing.
    good: {
      data: dataOf({
        groups: { '': { config: { ...folding, cpus: 6 } }, b: { config: { ...folding, paused: true } } },
      }),
    },
    lasting: 6 * MINUTE,
  },
  {
    kind: 'ineffective',
    bad: { data: dataOf({ groups: { '': { config: { ...folding, cpus: 0 } } } }) },
    good: { data: dataOf() },
    lasting: 6 * MINUTE,
  },
  {
    kind: 'forgotten',
    bad: { data: config({ paused: true }) },
    good: { data: config({ paused: true, cpus: 0 }) },
    lasting: 25 * HOUR,
  },
]

function stepOf(step: Step | ((after: number) => Step)) {
  return typeof step === 'function' ? step : () => step
}

describe('each kind of incident', () => {
  it('has a case here', () => {
    expect(cases.map(({ kind }) => kind).sort()).toEqual(incidentKinds.map(([kind]) => kind).sort())
  })

  it.each(cases)('$kind is found, with its cause in words', ({ kind, bad, lasting = 0 }) => {
    const evaluation = watch().until(0, lasting, stepOf(bad))
    expect(kindsOf(evaluation)).toContain(kind)
    const condition = evaluation.present.find(one => one.kind === kind)
    if (condition === undefined) throw new Error('nothing was found')
    expect(incidentText(condition, START + lasting)).not.toMatch(/undefined|NaN|\?\?\?|\[object/)
    expect(manyText(kind, 1)).not.toBe(manyText(kind, 2))
  })

  it.each(cases)('$kind is not found without its cause', ({ kind, good, lasting = 0 }) => {
    expect(kindsOf(watch().until(0, lasting, stepOf(good)))).not.toContain(kind)
  })

  // A clock is judged again when a core starts, and a speed after it was measured again.
  it.each(cases.filter(({ kind }) => kind !== 'clock' && kind !== 'slow'))(
    '$kind ends with its cause, once it has been away for a while',
    ({ kind, bad, good, lasting = 0 }) => {
      const client = watch()
      client.until(0, lasting, stepOf(bad))
      const over = lasting + 1000
      expect(client.at(over, stepOf(good)(over)).gone).toEqual([])
      const after = client.at(over + SETTLED, stepOf(good)(over + SETTLED))
      expect(after.gone.some(key => key.startsWith(`${kind} `))).toBe(true)
      expect(kindsOf(after)).not.toContain(kind)
    },
  )

  it('slow ends after the unit was as fast as usual for a while', () => {
    const earlierTpfs = () => [360, 360, 360]
    const share = (after: number) => (after < 2 * HOUR ? after / (20 * HOUR) : 0.1 + (after - 2 * HOUR) / (10 * HOUR))
    const step = (after: number): Step => ({
      data: dataOf({ units: [running({ wu_progress: share(after) })] }),
      earlierTpfs,
    })
    const client = watch()
    expect(kindsOf(client.until(0, 2 * HOUR, step))).toEqual(['slow'])
    expect(kindsOf(client.until(2 * HOUR, 4 * HOUR, step))).toEqual([])
  })

  it.each(cases)('$kind is not looked for when it is switched off, and ends', ({ kind, bad, lasting = 0 }) => {
    const client = watch()
    client.until(0, lasting, stepOf(bad))
    const settings = { thresholds: {}, disabled: [kind] }
    const after = client.at(lasting + 1000, { ...stepOf(bad)(lasting), settings })
    expect(kindsOf(after)).not.toContain(kind)
    expect(after.gone.some(key => key.startsWith(`${kind} `))).toBe(true)
  })
})

describe('a threshold', () => {
  it('is taken within its bounds, and ends what it no longer covers', () => {
    const settings = (count: number): IncidentSettings => ({ thresholds: { 'failing.count': count }, disabled: [] })
    expect(
      [settings(5), settings(-5), settings(Number.NaN), usual].map(one => thresholdOf(one, 'failing', 'count')),
    ).toEqual([5, 1, 2, 2])
    expect(thresholdOf(usual, 'clock', 'minutes')).toBe(0)
    const client = watch()
    const data = group({ failed_wus: 3 })
    expect(kindsOf(client.at(0, { data }))).toEqual(['failing'])
    const longer: IncidentSettings = { thresholds: { 'failing.minutes': 60 }, disabled: [] }
    expect(client.at(1000, { data, settings: longer }).gone).toEqual(['failing '])
  })

  it('has a default within its bounds, a reason and a label', () => {
    for (const [kind] of incidentKinds)
      for (const [name, { default: usual, least, most, reason, label }] of Object.entries(kindEntry(kind).thresholds)) {
        expect(usual >= least && usual <= most, `${kind} ${name}`).toBe(true)
        expect(reason.length + label.length).toBeGreaterThan(20)
      }
  })
})

describe('any client', () => {
  const text = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('RUN', 'ASSIGN', 'UPLOAD', '__proto__', ''))
  const anything = fc.oneof(text, fc.integer(), fc.constant(null), fc.boolean(), fc.double(), fc.constant([]))
  const units = fc.array(
    fc.record(
      {
        number: anything,
        state: text,
        gpus: anything,
        wu_progress: anything,
        eta: anything,
        assignment: anything,
        wait: anything,
        retries: anything,
      },
      { requiredKeys: [] },
    ),
    { maxLength: 4 },
  )

  it('is judged without an error, and by the same data in the same way', () => {
    fc.assert(
      fc.property(
        units,
        fc.dictionary(text, fc.record({ config: anything, failed_wus: anything, failed: anything })),
        fc.record({ passkey: anything, team: anything }),
        (someUnits, groups, ownConfig) => {
          const data = { info: {}, config: ownConfig, groups, units: someUnits } as unknown as ClientData
          const [one, other] = [watch(), watch()]
          for (const after of [0, MINUTE, 2 * HOUR]) expect(one.at(after, { data })).toEqual(other.at(after, { data }))
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('a client that reports impossible values', () => {
  const failed = { config: folding, failed: 'x'.repeat(5000) }
  it('has so many incidents at most', () => {
    const groups = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`group ${at}`, failed]))
    expect(watch().at(0, { data: dataOf({ groups }) }).present).toHaveLength(500)
  })
  it('is named as the person named its groups', () => {
    const data = group({ failed_wus: 2 })
    const info = { ...data.info, tags: [{ of: 'group:', tag: 'Cellar' }] } as ClientData['info']
    const [condition] = watch().at(0, { data: { ...data, info } }).present
    expect(condition === undefined ? '' : incidentText(condition, START)).toContain('“Cellar”')
  })

  it('has incidents with bounded keys and texts, also of groups with long names', () => {
    const names = ['x'.repeat(6000), `${'x'.repeat(6000)}y`]
    const groups = Object.fromEntries(names.map(name => [name, failed]))
    const { present, memory } = watch().at(0, { data: dataOf({ groups }) })
    expect(new Set(present.map(({ subject }) => subject)).size).toBe(2)
    for (const { subject, evidence } of present) {
      expect(subject).toHaveLength(200)
      expect(evidence.group).toHaveLength(1000)
    }
    for (const key of memory.held.keys()) expect(key.length).toBeLessThan(250)
  })
})
