import { describe, expect, it } from 'vitest'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { formatIso } from '../text/times.ts'
import { RECONNECTING, SETTLED } from './evaluate.ts'
import { adviceOf } from './incident-kinds.ts'
import { measuredTpf } from './client-memory.ts'
import {
  START,
  MINUTE,
  HOUR,
  GPU,
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

describe('a GPU', () => {
  it('that is gone is reported by its name, also after the client was disconnected', () => {
    const client = watch()
    client.at(0, { data: dataOf() })
    const without = dataOf({ info: { id: 'm', version: '8.5.7', cpus: 8, gpus: {} } })
    // Detection takes a while after the client was started.
    const connectedAt = START + 3 * HOUR
    expect(kindsOf(client.at(3 * HOUR + MINUTE, { data: without, connectedAt }))).toEqual([])
    const found = client.until(3 * HOUR + 90_000, 3 * HOUR + 6 * MINUTE, () => ({
      data: without,
      connectedAt,
    })).present
    expect(found).toMatchObject([{ kind: 'gpu-gone', since: START, evidence: { gpu: GPU, name: 'RTX 4090' } }])
  })

  it('that is gone stays reported when the client connects again', () => {
    const client = watch()
    client.at(0, { data: dataOf() })
    const without = dataOf({ info: { id: 'm', version: '8.5.7', cpus: 8, gpus: {} } })
    expect(kindsOf(client.until(1000, 6 * MINUTE, () => ({ data: without, connectedAt: START })))).toEqual(['gpu-gone'])
    for (const after of [6 * MINUTE + 1000, 6 * MINUTE + SETTLED, 7 * MINUTE]) {
      const { present, gone } = client.at(after, { data: without, connectedAt: START + 6 * MINUTE })
      expect({ present: present.map(({ kind }) => kind), gone }).toEqual({ present: ['gpu-gone'], gone: [] })
    }
  })

  it('that is not supported is not reported when it is gone', () => {
    const client = watch()
    client.at(0, { data: dataOf({ info: { gpus: { [GPU]: { supported: false } } } }) })
    expect(kindsOf(client.until(1000, HOUR, () => ({ data: dataOf({ info: { gpus: {} } }) })))).toEqual([])
  })

  it('is forgotten after a month', () => {
    const client = watch()
    client.at(0, { data: dataOf() })
    client.at(31 * 24 * HOUR, { data: dataOf({ info: { gpus: {} } }) })
    expect(client.memory().gpus.size).toBe(0)
  })
})

describe('a unit without progress', () => {
  it('is given several of its own frames', () => {
    // 20 % in 20 h: an hour per frame, so that three hours are normal.
    const slow = running({ run_time: 20 * 3600, start_time: formatIso(START) })
    const client = watch()
    expect(kindsOf(client.until(0, 2.9 * HOUR, () => ({ data: dataOf({ units: [slow] }) })))).toEqual([])
    expect(kindsOf(client.until(2.9 * HOUR, 3.3 * HOUR, () => ({ data: dataOf({ units: [slow] }) })))).toEqual([
      'stalled',
    ])
  })

  it('is not counted for the time in which it was not watched, nor while it is paused', () => {
    const client = watch()
    client.at(0, { data: dataOf({ units: [running()] }) })
    expect(kindsOf(client.at(5 * HOUR, { data: dataOf({ units: [running()] }) }))).toEqual([])
    const paused = running({ pause_reason: 'Paused' })
    expect(kindsOf(client.until(5 * HOUR, 9 * HOUR, () => ({ data: dataOf({ units: [paused] }) })))).toEqual([])
  })
})

describe('a unit that is reported to make no progress', () => {
  const units = [running()]
  const still = { data: dataOf({ units }) }
  const watchStalled = () => {
    const client = watch()
    client.until(0, HOUR, () => still)
    return client
  }

  it('stays reported while a hidden page looks at it every two minutes', () => {
    const client = watchStalled()
    for (const after of [HOUR + 2 * MINUTE, HOUR + 4 * MINUTE]) {
      const { present, gone } = client.at(after, still)
      expect({ present: present.map(({ kind }) => kind), gone }).toEqual({ present: ['stalled'], gone: [] })
    }
  })

  it('stays reported after its client was away, until it moves', () => {
    const client = watchStalled()
    client.at(HOUR + MINUTE, { ...still, isConnected: false })
    const { present, gone } = client.at(5 * HOUR, still)
    expect({ present, gone }).toMatchObject({ present: [{ kind: 'stalled', since: START }], gone: ['unreachable '] })
    const moved = { data: dataOf({ units: [running({ wu_progress: 0.3 })] }) }
    expect(client.at(5 * HOUR + MINUTE, moved)).toMatchObject({ present: [], gone: ['stalled unit-1'] })
  })

  it('is begun anew when its core was started again', () => {
    const client = watchStalled()
    const again = { data: dataOf({ units: [running({ start_time: formatIso(START + 2 * HOUR) })] }) }
    client.at(2 * HOUR, again)
    expect(kindsOf(client.at(2 * HOUR + MINUTE, again))).toEqual([])
  })
})

describe('a unit whose work is done', () => {
  it('and that stands there is reported too, sooner than one within its frames', () => {
    const done = running({ wu_progress: 1, run_time: 100 * 3600, start_time: formatIso(START) })
    const client = watch()
    expect(kindsOf(client.until(0, 0.9 * HOUR, () => ({ data: dataOf({ units: [done] }) })))).toEqual([])
    expect(kindsOf(client.until(0.9 * HOUR, 1.2 * HOUR, () => ({ data: dataOf({ units: [done] }) })))).toEqual([
      'stalled',
    ])
  })
})

describe('a download without an error', () => {
  const transfer = (part: Readonly<Record<string, unknown>> = {}) => ({
    data: dataOf({
      units: [running({ state: 'DOWNLOAD', start_time: undefined, assignment: undefined, progress: 0.4, ...part })],
    }),
  })

  it.each([
    ['DOWNLOAD', 'The download of WU1 has stood still for 20m 0s, and no error was reported.'],
    ['CORE', 'The download of the core for WU1 has stood still for 20m 0s, and no error was reported.'],
  ])('that stands still is reported: %s', (state, cause) => {
    const client = watch()
    expect(kindsOf(client.until(0, 14 * MINUTE, () => transfer({ state })))).toEqual([])
    const { present } = client.until(14 * MINUTE, 20 * MINUTE, () => transfer({ state }))
    expect(present).toMatchObject([{ kind: 'stalled', since: START, evidence: { reason: state } }])
    expect(present.map(one => incidentText(one, START + 20 * MINUTE))).toEqual([cause])
    expect(present.map(adviceOf)).toEqual([expect.stringMatching(/^Restart the folding client/)])
  })

  it('is none while it goes on, however slowly, nor while it is held or was tried again', () => {
    for (const part of [
      (after: number) => ({ progress: 0.4 + Math.floor(after / (10 * MINUTE)) / 1000 }),
      () => ({ pause_reason: 'Paused' }),
    ])
      expect(kindsOf(watch().until(0, 2 * HOUR, after => transfer(part(after))))).toEqual([])
    // Then it is a long wait.
    expect(kindsOf(watch().until(0, 2 * HOUR, () => transfer({ retries: 3 })))).toEqual(['waiting'])
  })

  it('does not count for the core that is started after it', () => {
    const client = watch()
    client.until(0, 14 * MINUTE, () => transfer({ progress: 0 }))
    const starting = transfer({ state: 'RUN', wu_progress: 0 })
    expect(kindsOf(client.until(14.5 * MINUTE, 20 * MINUTE, () => starting))).toEqual([])
    expect(kindsOf(client.until(20 * MINUTE, 31 * MINUTE, () => starting))).toEqual(['stalled'])
  })
})

describe('units that get lost', () => {
  const withLost = (lost_wus: number, units: readonly Unit[], more = {}) =>
    dataOf({ groups: { '': { config: folding, lost_wus, ...more } }, units })
  const paused = (number: number) =>
    running({ number, id: `u${number}`, start_time: undefined, pause_reason: 'Paused' })
  const STOPPED = { failed: 'Paused due too many failed Work Units.' }

  it('are an incident from the second crash on, before the client stops the group', () => {
    const client = watch()
    const kinds = [0, 1, 2, 3].map(lost => {
      const data = withLost(lost, [running({ number: lost + 1, id: `u${lost}` })])
      return kindsOf(client.at(lost * 15_000, { data }))
    })
    expect(kinds).toEqual([[], [], ['failing'], ['failing']])
    const { present } = client.at(60_000, { data: withLost(3, []) })
    expect(present.map(one => incidentText(one, START))).toEqual([
      '3 work units of group “Default” got lost: its core crashed without results. The client stops the group after the fifth.',
    ])
  })

  it('because a person dumped them are none, and the stop that follows does not blame the hardware', () => {
    const client = watch()
    for (const lost of [0, 1, 2, 3, 4]) {
      const units = [1, 2, 3, 4, 5].filter(number => number > lost).map(paused)
      expect(kindsOf(client.at(lost * 10_000, { data: withLost(lost, units) }))).toEqual([])
    }
    const [stopped] = client.at(60_000, { data: withLost(5, [], STOPPED) }).present
    if (stopped === undefined) throw new Error('nothing was found')
    expect(incidentText(stopped, START)).toBe(
      'The client paused group “Default”: it counts 5 dumped work units as failed.',
    )
    expect(adviceOf(stopped)).not.toMatch(/GPU|driver|hot/)
  })

  it('before the page was open may be dumps or crashes', () => {
    const [stopped] = watch().at(0, { data: withLost(5, [], STOPPED) }).present
    if (stopped === undefined) throw new Error('nothing was found')
    expect(incidentText(stopped, START)).toContain('expired or were dumped')
    expect(adviceOf(stopped)).toContain('if you dumped them yourself')
  })
})

describe('a GPU that lost its driver', () => {
  const used = { '': { config: { ...folding, gpus: { [GPU]: { enabled: true } } } } }
  const info = {
    id: 'm',
    cpus: 8,
    os: 'win32',
    gpus: { [GPU]: { supported: false, type: 'nvidia', description: 'RTX 4090' } },
  }

  it('is reported at once as grave, with the time until which it folded and what to do, and not as a setting without effect', () => {
    const client = watch()
    client.at(0, { data: dataOf({ groups: used }) })
    const { present } = client.until(HOUR, HOUR + 6 * MINUTE, () => ({ data: dataOf({ info, groups: used }) }))
    expect(present).toMatchObject([
      { kind: 'gpu-driver', gravity: 'grave', since: START, evidence: { name: 'RTX 4090' } },
    ])
    expect(present.map(adviceOf)[0]).toContain('NVIDIA’s website')
    expect(kindsOf(client.at(2 * HOUR, { data: dataOf({ info, groups: used }) }))).toEqual(['gpu-driver'])
  })

  it('is known from its unit when it was not seen before', () => {
    const units = [
      running({ gpus: [GPU], start_time: undefined, state: 'CORE', pause_reason: 'Waiting for GPU detection' }),
    ]
    const { present } = watch().at(0, { data: dataOf({ info, groups: used, units }) })
    expect(present.map(one => [one.kind, incidentText(one, START)])).toEqual([
      ['gpu-driver', expect.stringContaining('has a work unit that it began')],
    ])
  })

  it('is not reported when no group uses it', () => {
    const client = watch()
    client.at(0, { data: dataOf() })
    expect(kindsOf(client.until(HOUR, HOUR + 6 * MINUTE, () => ({ data: dataOf({ info }) })))).toEqual([])
  })
})

describe('results that are not sent', () => {
  const unsent = (part: Readonly<Record<string, unknown>>, timeout = 86_400) =>
    running({
      state: 'UPLOAD',
      wu_progress: 1,
      start_time: undefined,
      assignment: { project: 1, time: formatIso(START), timeout },
      ...part,
    })

  it('are reported after half an hour, also on a slow line, with what is at stake', () => {
    const client = watch()
    const slow = () => ({ data: dataOf({ units: [unsent({ progress: 0.1 })] }) })
    expect(kindsOf(client.until(0, 29 * MINUTE, slow))).toEqual([])
    const { present } = client.until(29 * MINUTE, 31 * MINUTE, slow)
    expect(present.map(({ kind }) => kind)).toEqual(['unsent'])
    expect(present.map(one => incidentText(one, START))[0]).toMatch(
      /sending them does not succeed\. Less is earned from .*in 24 h/,
    )
  })

  it('are said to be finished, once, with what holds them back', () => {
    const { present } = watch().at(0, { data: dataOf({ units: [unsent({ pause_reason: 'Paused' }, 3600)] }) })
    expect(present.map(one => incidentText(one, START))[0]).toMatch(
      /^WU1 \(project 1\): Finished, but results are not sent while their group is paused\. Press Fold to send them\. Less is earned/,
    )
  })

  it('are reported at once when they are held back or refused and little time is left', () => {
    const kinds = [
      unsent({ pause_reason: 'Paused' }, 3600),
      unsent({ retries: 3, error: 'HTTP 503' }, 3600),
      unsent({}, 3600),
      unsent({ pause_reason: 'Paused' }),
    ].map(unit => kindsOf(watch().at(0, { data: dataOf({ units: [unit] }) })))
    expect(kinds).toEqual([['unsent'], ['unsent'], [], []])
  })
})

it('a start in the future proves the client’s clock ahead, at first sight', () => {
  const { present } = watch().at(0, { data: dataOf({ units: [running({ start_time: formatIso(START + 2 * HOUR) })] }) })
  expect(present.map(one => [one.kind, incidentText(one, START)])).toEqual([
    ['clock', 'The machine’s clock is at least 2h 0m ahead: what it did last lies in the future.'],
  ])
})

it('a core that started between two requests of the full state tells nothing about the clock', () => {
  const client = watch()
  const asked = (after: number): number => START + Math.floor(after / (5 * MINUTE)) * 5 * MINUTE
  const of = (start: number) => dataOf({ units: [running({ start_time: formatIso(start) })] })
  client.until(0, 5 * MINUTE - 1, after => ({ data: of(START - HOUR), asOf: asked(after) }))
  const soonAfter = (after: number): Step => ({ data: of(START + 1000), asOf: asked(after) })
  expect(kindsOf(client.until(6 * MINUTE, 9 * MINUTE, soonAfter))).toEqual([])
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
    const client = watch()
    const early = client.until(0, 29 * MINUTE, () => ({ data: dataOf({ units: [asking(1)] }) }))
    expect(kindsOf(early)).toEqual([])
    expect(early.waits.map(({ kind }) => kind)).toEqual(['waiting'])
    const long = client.until(29 * MINUTE, 31 * MINUTE, () => ({ data: dataOf({ units: [asking(1)] }) }))
    expect({ kinds: kindsOf(long), waits: long.waits }).toEqual({ kinds: ['waiting'], waits: [] })
  })

  it('goes on between attempts, and keeps the last answer after its unit is gone', () => {
    const client = watch()
    client.until(0, 20 * MINUTE, after => ({ data: dataOf({ units: [asking(after, 'No work for you')] }) }))
    const { present } = client.until(20 * MINUTE, 31 * MINUTE, () => ({ data: dataOf({ units: [] }) }))
    expect(present).toMatchObject([{ kind: 'waiting', since: START, evidence: { answer: 'No work for you' } }])
  })

  it('is over when the group is paused, or the unit runs', () => {
    for (const data of [config({ paused: true }), dataOf({ units: [running()] })]) {
      const client = watch()
      client.until(0, 31 * MINUTE, () => ({ data: dataOf({ units: [asking(1)] }) }))
      expect(kindsOf(client.at(31 * MINUTE + SETTLED, { data }))).not.toContain('waiting')
    }
  })
})

describe('a client out of reach', () => {
  const away: Step = { data: dataOf(), isConnected: false, lostAt: START }

  it('is not reported while this page is offline, nor just after it woke up', () => {
    expect(kindsOf(watch().at(HOUR, { ...away, isNetworkUp: false }))).toEqual([])
    expect(kindsOf(watch().at(HOUR, { ...away, watchedSince: START + HOUR - MINUTE }))).toEqual([])
    expect(kindsOf(watch().at(HOUR, { ...away, watchedSince: START + HOUR - RECONNECTING }))).toEqual(['unreachable'])
  })

  it('stays so while the page is offline, and its other incidents neither begin nor end', () => {
    const client = watch()
    client.at(0, { data: group({ failed_wus: 3 }) })
    expect(kindsOf(client.at(HOUR, away))).toEqual(['unreachable'])
    const offline = client.at(2 * HOUR, { ...away, isNetworkUp: false })
    expect(offline.gone).toEqual([])
    expect(client.at(2 * HOUR + 1000, { data: dataOf() }).gone).toEqual(['unreachable ', 'failing '].sort().reverse())
  })

  it('is reported and over in time after the clock was set back by hours', () => {
    const client = watch()
    client.at(3 * HOUR, { data: dataOf() })
    const lost: Step = { ...away, lostAt: START + 3 * HOUR + MINUTE }
    expect(kindsOf(client.at(HOUR, lost))).toEqual([])
    expect(kindsOf(client.at(HOUR + 10 * MINUTE, lost))).toEqual(['unreachable'])
    client.at(4 * HOUR, lost)
    expect(client.at(2 * HOUR, { data: dataOf(), connectedAt: START + 4 * HOUR }).gone).toEqual([])
    expect(client.at(2 * HOUR + SETTLED, { data: dataOf() }).gone).toEqual(['unreachable '])
  })

  it.each<readonly [string, Step]>([
    ['is there under another id', { ...away, comparison: { isLeftOver: true } }],
    ['a person put away', { ...away, isPutAway: true }],
  ])('that %s is none, also when it was reported before', (_, writtenOff) => {
    expect(kindsOf(watch().at(HOUR, writtenOff))).toEqual([])
    const client = watch()
    expect(kindsOf(client.at(HOUR, away))).toEqual(['unreachable'])
    client.at(HOUR + 1000, writtenOff)
    expect(client.at(HOUR + 1000 + SETTLED, writtenOff).gone).toEqual(['unreachable '])
  })

  it('that never answered is only reported when it belongs to an account', () => {
    const client = { isConnected: false, lostAt: undefined }
    expect(kindsOf(watch().at(HOUR, client))).toEqual(['unreachable'])
  })
})

describe('a speed', () => {
  it('is learned from units that end, and measured over half an hour', () => {
    const client = watch()
    const share = (after: number) => 0.5 + after / (10 * HOUR)
    client.until(0, HOUR, after => ({ data: dataOf({ units: [running({ wu_progress: share(after) })] }) }))
    const remembered = client.memory().units.get(1)
    expect(remembered === undefined ? undefined : measuredTpf(remembered)).toBeCloseTo(360, 0)
    const done = running({ state: 'UPLOAD', wu_progress: 1, run_time: 36_000, start_time: undefined })
    client.at(HOUR + 1000, { data: dataOf({ units: [done] }) })
    expect([...client.memory().speeds.values()]).toEqual([[360]])
  })

  it('that is too low stays reported when the client was not watched for a while', () => {
    const client = watch()
    const at = (after: number): Step => ({
      data: dataOf({ units: [running({ wu_progress: 0.1 + after / (20 * HOUR) })] }),
      earlierTpfs: () => Array.from({ length: 8 }, () => 360),
    })
    expect(kindsOf(client.until(0, 3 * HOUR, at))).toEqual(['slow'])
    const gap = 3 * HOUR + 10 * MINUTE
    for (const after of [gap, gap + MINUTE, gap + 2 * MINUTE]) {
      const { present, gone } = client.at(after, at(after))
      expect({ present: present.map(({ kind }) => kind), gone }).toEqual({ present: ['slow'], gone: [] })
    }
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
    ['more CPUs together', { groups: { '': { config: { ...folding, cpus: 6 } }, b: { config: folding } } }, ['cpus']],
    [
      'a GPU in two groups',
      {
        groups: {
          '': { config: { ...folding, gpus: { [GPU]: { enabled: true } } } },
          b: { config: { ...folding, gpus: { [GPU]: { enabled: true } } } },
        },
      },
      ['gpu'],
    ],
    [
      'GPUs that cannot be used',
      {
        info: {
          cpus: 8,
          gpus: { a: { supported: false }, b: { supported: false, cuda: { platform: 0 } }, c: { supported: true } },
        },
        groups: {
          '': {
            config: {
              ...folding,
              gpus: { a: { enabled: true }, b: { enabled: true }, c: { enabled: true }, d: { enabled: true } },
            },
          },
        },
      },
      ['gpu-driver', 'gpu-unsupported', 'gpu-absent'],
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
    const account = { id: 'own', user: 'ada', team: 7 }
    const config = { user: 'bob', team: 5 }
    const ofDirect = (id: string) => reasons({ config, info: { id: 'm', account: id } }, { account, isDirect: true })
    expect(reasons({ config }, { account })).toEqual(['account-user', 'account-team'])
    expect(ofDirect('own')).toEqual(['account-user', 'account-team'])
    expect(ofDirect('other')).toEqual([])
    expect(reasons({ config: { user: 'ada', team: 7 } }, { account })).toEqual([])
  })
})
