import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClientData, Unit } from '../../protocol/client-data.ts'
import type { ClientView } from '../machine/client.ts'
import { formatIso } from '../shared/times.ts'
import { evaluate, RECONNECTING, SETTLED, type Evaluation } from './evaluate.ts'
import { incidentKinds, kindEntry, manyText, thresholdOf, type IncidentSettings } from './incident-kinds.ts'
import type { Condition, IncidentKind } from './incident.ts'
import { emptyMemory, measuredTpf, type MachineMemory } from './machine-memory.ts'
import type { MachineMoment } from './rules.ts'

const incidentText = (condition: Condition, now: number): string => kindEntry(condition.kind).cause(condition, now)

const START = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const GPU = 'gpu:01:00:00'
const rtx = { supported: true, description: 'RTX 4090', cuda: { platform: 0 } }
const usual: IncidentSettings = { thresholds: {}, disabled: [] }

const folding = { paused: false, finish: false, cpus: 4 }

const dataOf = (part: Partial<ClientData> = {}): ClientData => ({
  info: { id: 'm', version: '8.5.7', cpus: 8, gpus: { [GPU]: rtx } },
  config: {},
  groups: { '': { config: folding } },
  units: [],
  ...part,
})

/** A running unit; fields that are undefined in `part` are missing. */
const running = (part: Readonly<Record<string, unknown>> = {}): Unit => {
  const unit: Readonly<Record<string, unknown>> = {
    id: 'unit-1',
    number: 1,
    group: '',
    state: 'RUN',
    cpus: 4,
    gpus: [],
    wu_progress: 0.2,
    run_time: 0,
    start_time: formatIso(START),
    assignment: { project: 18_420, time: formatIso(START) },
    ...part,
  }
  return Object.fromEntries(Object.entries(unit).filter(([, value]) => value !== undefined))
}

type Step = Partial<Omit<MachineMoment, 'view' | 'memory' | 'now'>> & {
  readonly data?: ClientData
  readonly isConnected?: boolean
  readonly settings?: IncidentSettings
}

/** A machine over time: each step is evaluated with what was remembered of the steps before. */
const watch = (first: MachineMemory = emptyMemory(START)) => {
  let memory = first
  let now = START
  const at = (after: number, step: Step): Evaluation => {
    now = START + after
    const { data, isConnected = true, settings = usual, ...rest } = step
    const view: ClientView = { id: 'm', isDirect: false, isConnected, data, lastConnected: START }
    const evaluation = evaluate(
      {
        machine: 'm',
        connectedAt: START,
        lostAt: undefined,
        watchedSince: START - RECONNECTING,
        isNetworkUp: true,
        latestVersion: undefined,
        account: undefined,
        earlierTpfs: () => [],
        ...rest,
        view,
        memory,
        now,
      },
      settings,
    )
    ;({ memory } = evaluation)
    return evaluation
  }
  return {
    at,
    /** The same step every 30 s from one time to another, as long evaluations are apart. */
    until: (from: number, to: number, step: (after: number) => Step): Evaluation => {
      let last = at(from, step(from))
      for (let after = from + 30_000; after <= to; after += 30_000) last = at(after, step(after))
      return last
    },
    memory: () => memory,
  }
}

const kindsOf = ({ present }: Evaluation): readonly IncidentKind[] => present.map(({ kind }) => kind)

type Case = {
  readonly kind: IncidentKind
  /** A machine that has it, and one that does not; both for `lasting` milliseconds. */
  readonly bad: Step | ((after: number) => Step)
  readonly good: Step | ((after: number) => Step)
  readonly lasting?: number
}

const group = (part: Readonly<Record<string, unknown>>) => dataOf({ groups: { '': { config: folding, ...part } } })
const config = (part: Readonly<Record<string, unknown>>) =>
  dataOf({ groups: { '': { config: { ...folding, ...part } } } })
const late = (limit: 'deadline' | 'timeout', seconds: number, eta = '2h 0m') =>
  dataOf({ units: [running({ eta, assignment: { project: 1, time: formatIso(START), [limit]: seconds } })] })

const cases: readonly Case[] = [
  {
    kind: 'stopped',
    bad: { data: group({ failed: 'Paused due too many failed Work Units.' }) },
    good: { data: group({ failed: '', failed_wus: 0 }) },
  },
  { kind: 'failing', bad: { data: group({ failed_wus: 2 }) }, good: { data: group({ failed_wus: 1 }) } },
  {
    kind: 'gpu-gone',
    bad: { data: dataOf({ groups: { '': { config: { ...folding, gpus: { 'gpu:02:00:00': { enabled: true } } } } } }) },
    good: { data: config({ gpus: { [GPU]: { enabled: true }, 'gpu:02:00:00': { enabled: false } } }) },
    lasting: 6 * MINUTE,
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
    kind: 'waiting',
    bad: {
      data: dataOf({ units: [running({ state: 'ASSIGN', retries: 5, error: 'No work', start_time: undefined })] }),
    },
    good: { data: dataOf({ units: [running()] }) },
    lasting: 31 * MINUTE,
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

const stepOf = (step: Step | ((after: number) => Step)) => (typeof step === 'function' ? step : () => step)

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
      const machine = watch()
      machine.until(0, lasting, stepOf(bad))
      const over = lasting + 1000
      expect(machine.at(over, stepOf(good)(over)).gone).toEqual([])
      const after = machine.at(over + SETTLED, stepOf(good)(over + SETTLED))
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
    const machine = watch()
    expect(kindsOf(machine.until(0, 2 * HOUR, step))).toEqual(['slow'])
    expect(kindsOf(machine.until(2 * HOUR, 4 * HOUR, step))).toEqual([])
  })

  it.each(cases)('$kind is not looked for when it is switched off, and ends', ({ kind, bad, lasting = 0 }) => {
    const machine = watch()
    machine.until(0, lasting, stepOf(bad))
    const settings = { thresholds: {}, disabled: [kind] }
    const after = machine.at(lasting + 1000, { ...stepOf(bad)(lasting), settings })
    expect(kindsOf(after)).not.toContain(kind)
    expect(after.gone.some(key => key.startsWith(`${kind} `))).toBe(true)
  })
})

describe('a GPU', () => {
  it('that was there and is gone is missed by its name, also after the machine was away', () => {
    const machine = watch()
    machine.at(0, { data: dataOf() })
    const without = dataOf({ info: { id: 'm', version: '8.5.7', cpus: 8, gpus: {} } })
    // Detection takes a while after the client was started.
    const connectedAt = START + 3 * HOUR
    expect(kindsOf(machine.at(3 * HOUR + MINUTE, { data: without, connectedAt }))).toEqual([])
    const found = machine.until(3 * HOUR + 90_000, 3 * HOUR + 6 * MINUTE, () => ({
      data: without,
      connectedAt,
    })).present
    expect(found).toMatchObject([{ kind: 'gpu-gone', since: START, evidence: { gpu: GPU, name: 'RTX 4090' } }])
  })

  it('that is not supported is not missed', () => {
    const machine = watch()
    machine.at(0, { data: dataOf({ info: { gpus: { [GPU]: { supported: false } } } }) })
    expect(kindsOf(machine.until(1000, HOUR, () => ({ data: dataOf({ info: { gpus: {} } }) })))).toEqual([])
  })

  it('is forgotten after a month', () => {
    const machine = watch()
    machine.at(0, { data: dataOf() })
    machine.at(31 * 24 * HOUR, { data: dataOf({ info: { gpus: {} } }) })
    expect(machine.memory().gpus.size).toBe(0)
  })
})

describe('a unit without progress', () => {
  it('is given several of its own frames', () => {
    // 20 % in 20 h: an hour per frame, so that three hours are normal.
    const slow = running({ run_time: 20 * 3600, start_time: formatIso(START) })
    const machine = watch()
    expect(kindsOf(machine.until(0, 2.9 * HOUR, () => ({ data: dataOf({ units: [slow] }) })))).toEqual([])
    expect(kindsOf(machine.until(2.9 * HOUR, 3.3 * HOUR, () => ({ data: dataOf({ units: [slow] }) })))).toEqual([
      'stalled',
    ])
  })

  it('is not blamed for the time in which nobody looked, nor while it is paused', () => {
    const machine = watch()
    machine.at(0, { data: dataOf({ units: [running()] }) })
    expect(kindsOf(machine.at(5 * HOUR, { data: dataOf({ units: [running()] }) }))).toEqual([])
    const paused = running({ pause_reason: 'Paused' })
    expect(kindsOf(machine.until(5 * HOUR, 9 * HOUR, () => ({ data: dataOf({ units: [paused] }) })))).toEqual([])
  })
})

describe('a deadline', () => {
  it('that has passed is worded as past, one ahead as ahead', () => {
    const [ahead] = watch().until(0, 11 * MINUTE, () => ({ data: late('timeout', 3600) })).present
    const [past] = watch().until(0, 11 * MINUTE, () => ({ data: late('timeout', -60 + 61) })).present
    if (ahead === undefined || past === undefined) throw new Error('nothing was found')
    expect(incidentText(ahead, START)).toContain('will miss its timeout')
    expect(incidentText(past, START)).toContain('missed its timeout')
  })

  it('of a unit that misses it is not a timeout as well', () => {
    const assignment = { project: 1, time: formatIso(START), timeout: 1800, deadline: 3600 }
    const data = dataOf({ units: [running({ eta: '2h 0m', assignment })] })
    expect(kindsOf(watch().until(0, 11 * MINUTE, () => ({ data })))).toEqual(['deadline'])
  })
})

describe('a wait for work', () => {
  const asking = (number: number, error?: string): Unit =>
    running({
      number,
      id: `try-${number}`,
      state: 'ASSIGN',
      start_time: undefined,
      ...(error === undefined ? {} : { error }),
    })

  it('is normal for now, until it is long', () => {
    const machine = watch()
    const early = machine.until(0, 29 * MINUTE, () => ({ data: dataOf({ units: [asking(1)] }) }))
    expect([kindsOf(early), early.waits.map(({ kind }) => kind)]).toEqual([[], ['waiting']])
    const long = machine.until(29 * MINUTE, 31 * MINUTE, () => ({ data: dataOf({ units: [asking(1)] }) }))
    expect([kindsOf(long), long.waits]).toEqual([['waiting'], []])
  })

  it('goes on between attempts, and keeps the last answer after its unit is gone', () => {
    const machine = watch()
    machine.until(0, 20 * MINUTE, after => ({ data: dataOf({ units: [asking(after, 'No work for you')] }) }))
    const { present } = machine.until(20 * MINUTE, 31 * MINUTE, () => ({ data: dataOf({ units: [] }) }))
    expect(present).toMatchObject([{ kind: 'waiting', since: START, evidence: { answer: 'No work for you' } }])
  })

  it('is over when the group is paused, or the unit runs', () => {
    for (const data of [config({ paused: true }), dataOf({ units: [running()] })]) {
      const machine = watch()
      machine.until(0, 31 * MINUTE, () => ({ data: dataOf({ units: [asking(1)] }) }))
      expect(kindsOf(machine.at(31 * MINUTE + SETTLED, { data }))).not.toContain('waiting')
    }
  })
})

describe('a machine out of reach', () => {
  const away: Step = { data: dataOf(), isConnected: false, lostAt: START }

  it('is not reported while this page is offline, nor just after it woke up', () => {
    expect(kindsOf(watch().at(HOUR, { ...away, isNetworkUp: false }))).toEqual([])
    expect(kindsOf(watch().at(HOUR, { ...away, watchedSince: START + HOUR - MINUTE }))).toEqual([])
    expect(kindsOf(watch().at(HOUR, { ...away, watchedSince: START + HOUR - RECONNECTING }))).toEqual(['unreachable'])
  })

  it('stays so while the page is offline, and its other incidents neither begin nor end', () => {
    const machine = watch()
    machine.at(0, { data: group({ failed_wus: 3 }) })
    expect(kindsOf(machine.at(HOUR, away))).toEqual(['unreachable'])
    const offline = machine.at(2 * HOUR, { ...away, isNetworkUp: false })
    expect(offline.gone).toEqual([])
    expect(machine.at(2 * HOUR + 1000, { data: dataOf() }).gone).toEqual(['unreachable ', 'failing '].sort().reverse())
  })

  it('that never answered is only reported when it belongs to an account', () => {
    const machine = { isConnected: false, lostAt: undefined }
    expect(kindsOf(watch().at(HOUR, machine))).toEqual(['unreachable'])
  })
})

describe('a speed', () => {
  it('is learned from units that end, and measured over half an hour', () => {
    const machine = watch()
    const share = (after: number) => 0.5 + after / (10 * HOUR)
    machine.until(0, HOUR, after => ({ data: dataOf({ units: [running({ wu_progress: share(after) })] }) }))
    const remembered = machine.memory().units.get(1)
    expect(remembered === undefined ? undefined : measuredTpf(remembered)).toBeCloseTo(360, 0)
    const done = running({ state: 'UPLOAD', wu_progress: 1, run_time: 36_000, start_time: undefined })
    machine.at(HOUR + 1000, { data: dataOf({ units: [done] }) })
    expect([...machine.memory().speeds.values()]).toEqual([[360]])
  })
})

describe('stored settings', () => {
  const reasons = (part: Partial<ClientData>, step: Partial<Step> = {}): readonly (string | undefined)[] =>
    watch()
      .until(0, 6 * MINUTE, () => ({ ...step, data: dataOf(part) }))
      .present.map(({ evidence }) => evidence.reason)

  it.each<[string, Partial<ClientData>, readonly string[]]>([
    ['a short passkey', { config: { passkey: '0123' } }, ['passkey-length']],
    ['a passkey with other letters', { config: { passkey: 'x'.repeat(32) } }, ['passkey-letters']],
    ['a negative team', { config: { team: -1 } }, ['team']],
    ['a team that is too large', { config: { team: 5_000_000_000 } }, ['team']],
    [
      'negative CPUs',
      { groups: { '': { config: { ...folding, cpus: -1 } }, b: { config: folding } } },
      ['cpus-negative'],
    ],
    ['more CPUs than there are', { groups: { '': { config: { ...folding, cpus: 9999 } } } }, ['cpus-many']],
    ['half a CPU', { groups: { '': { config: { ...folding, cpus: 1.5 } } } }, ['cpus-part']],
    [
      'more CPUs together',
      { groups: { '': { config: { ...folding, cpus: 6 } }, b: { config: folding } } },
      ['cpus-sum'],
    ],
    [
      'a GPU in two groups',
      {
        groups: {
          '': { config: { ...folding, gpus: { [GPU]: { enabled: true } } } },
          b: { config: { ...folding, gpus: { [GPU]: { enabled: true } } } },
        },
      },
      ['gpu-twice'],
    ],
    [
      'GPUs that cannot be used',
      {
        info: { cpus: 8, gpus: { a: { supported: false }, b: { supported: true } } },
        groups: { '': { config: { ...folding, gpus: { a: { enabled: true }, b: { enabled: true } } } } },
      },
      ['gpu-unsupported', 'gpu-driver'],
    ],
    [
      'names of groups like inherited properties',
      { groups: { __proto__: { config: folding }, constructor: { config: folding } } },
      [],
    ],
  ])('with %s', (_, part, expected) => {
    expect(reasons(part)).toEqual(expected)
  })

  it('say what the client uses instead, and never a passkey', () => {
    const { present } = watch().at(0, { data: dataOf({ config: { team: 5_000_000_000, passkey: 'secret-passkey' } }) })
    const texts = present.map(condition => incidentText(condition, START)).join('\n')
    expect(texts).toContain('the client folds for team 705032704')
    expect(JSON.stringify(present) + texts).not.toContain('secret')
  })

  it('that the account replaces have no effect', () => {
    const account = { user: 'ada', team: 7 }
    expect(reasons({ config: { user: 'bob', team: 5 } }, { account })).toEqual(['account-user', 'account-team'])
    expect(reasons({ config: { user: 'ada', team: 7 } }, { account })).toEqual([])
  })
})

describe('a threshold', () => {
  it('is taken within its bounds, and ends what it no longer covers', () => {
    const settings = (count: number): IncidentSettings => ({ thresholds: { 'failing.count': count }, disabled: [] })
    expect(
      [settings(5), settings(-5), settings(Number.NaN), usual].map(one => thresholdOf(one, 'failing', 'count')),
    ).toEqual([5, 1, 2, 2])
    expect(thresholdOf(usual, 'clock', 'minutes')).toBe(0)
    const machine = watch()
    const data = group({ failed_wus: 3 })
    expect(kindsOf(machine.at(0, { data }))).toEqual(['failing'])
    const longer: IncidentSettings = { thresholds: { 'failing.minutes': 60 }, disabled: [] }
    expect(machine.at(1000, { data, settings: longer }).gone).toEqual(['failing '])
  })

  it('has a default within its bounds, a reason and a label', () => {
    for (const [kind] of incidentKinds)
      for (const [name, { default: usual, least, most, reason, label }] of Object.entries(kindEntry(kind).thresholds)) {
        expect([kind, name, usual >= least && usual <= most]).toEqual([kind, name, true])
        expect(reason.length + label.length).toBeGreaterThan(20)
      }
  })
})

describe('any machine', () => {
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
