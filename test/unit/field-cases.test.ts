import { describe, expect, test } from 'vitest'
import type { ClientData } from '../../src/protocol/client/client-data.ts'
import { badgeText, clientBadges, problemLevel } from '../../src/folding/client/badges.ts'
import { resourceChange, resourceChangeText } from '../../src/folding/client/resource-changes.ts'
import { clientForm } from '../../src/folding/client/client-form.ts'
import { etaText, finishText, unitNotice } from '../../src/folding/unit/unit-cells.ts'
import { UNIT_COLUMNS } from '../../src/folding/unit/unit-columns.ts'
import type { ColumnName } from '../../src/folding/unit/unit-column.ts'
import { lastEnds } from '../../src/folding/incidents/earlier-speeds.ts'
import { archivedClient } from '../../src/folding/unit/archived-client.ts'
import { emptyHistory, newInReport, withExcerpt } from '../../src/folding/unit/history.ts'
import { expectedPoints } from '../../src/folding/unit/unit-earnings.ts'
import { areCasesHere, loadCases, receivedData, receivedHistory, viewOf } from '../cases/cases.ts'
import { incidentText, kindsOf, MINUTE, START, watch } from '../folding/incidents.ts'

const NAMES = [
  'old83',
  'movedGpu',
  'bonusless',
  'accountWins',
  'noConnection',
  'untickedGpu',
  'idleOnly',
  'expiredPile',
  'hipOn84',
  'twoGroups',
  'cpusToZero',
  'serverEstimate',
  'firstPercent',
  'donorName',
  'states',
]

/** When all of these clients say what they say. */
const NOW = START
const load: ReturnType<typeof loadCases> = areCasesHere ? loadCases(NAMES, NOW) : () => ({})

function dataOf(name: string): ClientData {
  const make = load(name)[name] as () => unknown
  return receivedData(make())
}

function shown(data: ClientData, unit: number, ...names: readonly ColumnName[]): readonly string[] {
  const context = { machine: 'm', data, now: NOW, locale: 'en-US', timeZone: 'UTC' }
  return names.map(name => {
    const column = UNIT_COLUMNS.find(each => each.name === name)
    const one = data.units[unit]
    if (column === undefined || one === undefined) throw new Error(`There is no ${name} of unit ${unit}.`)
    return `${column.text(one, context)}${column.isStale?.(one, context) === true ? ' (marked)' : ''}`
  })
}

function notices(data: ClientData): readonly string[] {
  return data.units.map(unit => unitNotice(unit, { data, now: NOW }) ?? '')
}

function noWork(data: ClientData) {
  return badgeText('no-work', viewOf(data), { now: NOW })
}

describe.skipIf(!areCasesHere)('reports from the field (skipped when ../shared/cases is absent)', () => {
  test('old83: a client of 8.3 runs, with its figures as facts, and nothing says that it stands still', () => {
    const data = dataOf('old83')
    expect(shown(data, 0, 'Progress', 'Status', 'ETA', 'PPD', 'TPF', 'Run Time')).toEqual([
      '61.2%',
      'Running',
      '2h 3m',
      '41,200',
      '3m 10s',
      '???',
    ])
    expect(shown(data, 1, 'Progress', 'Status', 'ETA', 'PPD', 'TPF')).toEqual([
      '25.0%',
      'Running',
      '5h 40m',
      '812,000',
      '4m 32s',
    ])
    expect(notices(data)).toEqual(['', ''])
    const at = (after: number): ClientData => ({
      ...data,
      units: data.units.map(unit => ({
        ...unit,
        progress: (unit.progress ?? 0) + Math.floor(after / (3 * MINUTE)) * 0.001,
      })),
    })
    expect(kindsOf(watch().until(0, 60 * MINUTE, after => ({ data: at(after) })))).toEqual([])
  })

  test('movedGpu: says which GPU the group waits for, that an unused one is there, and what to do', () => {
    const data = dataOf('movedGpu')
    const [, gpu, cpu] = notices(data)
    for (const notice of [gpu, cpu]) {
      expect(notice).toMatch(/waits for gpu:23:00:00\. The computer has no GPU at that place.*gfx1036 \(gpu:24:00:00\)/)
      expect(notice).toMatch(/whole group waits, also its CPU work units/)
      expect(notice).toMatch(/settings, untick the missing GPU.*tick the one that is there/)
      expect(notice).not.toMatch(/internet/)
    }
  })

  test('bonusless: without a passkey no bonus is promised', () => {
    const data = dataOf('bonusless')
    const [unit = {}] = data.units
    expect(expectedPoints(unit, data, NOW)).toBe(12_000)
    const ppd = UNIT_COLUMNS.find(({ name }) => name === 'PPD')
    expect(ppd?.detail?.(unit, { machine: 'm', data, now: NOW })).toMatch(/bonus that is not earned without a passkey/)
    expect(shown(data, 0, 'PPD', 'ETA', 'TPF')).toEqual(['240,000', '3h 0m', '3m 0s'])
  })

  test('noConnection: no server was reached, and an earlier answer is said to be that', () => {
    const [first, second] = notices(dataOf('noConnection'))
    expect(first).toMatch(/^No server could be reached\. Check the machine’s network.*firewall.*proxy/)
    expect(second).toMatch(/No server could be reached.*The last answer that came: Please wait/)
    expect(`${first} ${second}`).not.toMatch(/no work/i)
  })

  test('untickedGpu: its GPU is disabled in its group; how to go on, until when, and that others do', () => {
    const [held, ...others] = notices(dataOf('untickedGpu'))
    expect(held).toMatch(
      /RTX 4070\] is paused, or disabled in the settings of its group\. Other work units go on\. Press Fold.*or dump/,
    )
    expect(held).toMatch(/timeout is in 4h 0m/)
    expect(others).toEqual(['', ''])
  })

  test('idleOnly: each group says why it has no work, and the machine is no problem', () => {
    const data = dataOf('idleOnly')
    const { reason, remedy } = noWork(data)
    expect(reason).toMatch(
      /Default: .*only while the computer is idle.*night: .*only while the computer is idle.*Finishing.*mains: .*battery/,
    )
    expect(remedy).not.toMatch(/log/)
    expect(problemLevel(viewOf(data), { now: NOW })).toBe(0)
    expect(kindsOf(watch().until(0, 60 * MINUTE, () => ({ data })))).toEqual([])
  })

  test('expiredPile: five units expired while it was off; nothing is wrong with the hardware', () => {
    const data = dataOf('expiredPile')
    const report = receivedHistory(load('expiredPile')['historyExpired'])
    const client = { ...archivedClient('m', 'Attic', data), owner: undefined }
    const history = withExcerpt(emptyHistory, newInReport(emptyHistory, client, report))
    const { present } = watch().at(0, { data, endsOf: group => lastEnds(history, client.id, group) })
    expect(present.map(one => incidentText(one, NOW))).toEqual([
      'Group “Default”: Expired work units: 5. The machine was off for long, or too slow for them.',
    ])
    const blind = watch().at(0, { data })
    expect(blind.present.map(one => incidentText(one, NOW))[0]).toMatch(/expired/)
    expect(badgeText('failed', viewOf(data), { now: NOW }).remedy).toMatch(/expired.*press Fold/i)
  })

  test('old83: a setting that the client does not have is not offered', () => {
    const old = clientForm({ data: dataOf('old83'), linked: undefined, isSignedIn: false })
    expect(old.groups?.['']).not.toHaveProperty('cuda')
  })

  test('cpusToZero: before saving, which unit is held back and which starts again', () => {
    const data = dataOf('cpusToZero')
    const form = clientForm({ data, linked: undefined, isSignedIn: false })
    const [group] = Object.values(form.groups ?? {})
    if (group === undefined) throw new Error('The case has no group.')
    const textOf = (change: Partial<typeof group>) =>
      resourceChangeText(resourceChange(data, { ...form, groups: { '': { ...group, ...change } } }, NOW))
    expect(textOf({ cpus: 0 })).toMatch(
      /^When you save, WU21 will be held back.*WU20 will start again from the last checkpoint/,
    )
    expect(textOf({ gpus: { 'gpu:01:00:00': false } })).toMatch(/WU20 will be held back.*WU21 will start again/)
    expect(textOf({ beta: true })).toBeUndefined()
  })

  test('serverEstimate: run time and time per frame are measured; the time left follows, as not certain', () => {
    const data = dataOf('serverEstimate')
    expect(shown(data, 0, 'Run Time', 'TPF', 'ETA')).toEqual(['1h 30m', '1m 48s', '1h 30m (marked)'])
  })

  test('firstPercent: the expected end is in 8 h 10 m, not now', () => {
    const data = dataOf('firstPercent')
    const [unit = {}] = data.units
    const context = { machine: 'm', data, now: NOW }
    expect(etaText(unit, context)).toBe('ETA 8h 10m')
    expect(finishText(unit, context)).toMatch(/^Ready: /)
    expect(shown(data, 0, 'ETA')).toEqual(['8h 10m (marked)'])
  })

  test('all: a healthy client has no badge and no problem', () => {
    for (const name of [
      'old83',
      'bonusless',
      'twoGroups',
      'cpusToZero',
      'hipOn84',
      'donorName',
      'firstPercent',
      'accountWins',
    ]) {
      expect(clientBadges(viewOf(dataOf(name)), { now: NOW }), name).toEqual([])
      expect(problemLevel(viewOf(dataOf(name)), { now: NOW }), name).toBe(0)
    }
  })
})

describe.skipIf(!areCasesHere)('the first reports (skipped when ../shared/cases is absent)', () => {
  const state = (name: string, phase = 0): ClientData =>
    receivedData((load('states')[name] as (phase: number) => unknown)(phase))

  test('driverLost: the driver is no longer found, and what to do', () => {
    for (const phase of [1, 2])
      expect(notices(state('driverLost', phase))).toEqual([
        expect.stringMatching(/finds no driver for its GPU.*nvidia-smi/),
      ])
  })

  test('slept: time per frame and run time without the sleep', () => {
    expect(shown(state('slept'), 0, 'TPF', 'Run Time', 'ETA')).toEqual(['2m 24s', '2h 0m', '2h 0m'])
  })

  test('oddGpus: twins are told apart, and a GPU of a known vendor has a name', () => {
    const data = state('oddGpus')
    const names = data.units.slice(0, 3).map((_, unit) => shown(data, unit, 'GPUs Text')[0])
    expect(names).toEqual(['gfx1030 (03)', 'gfx1030 (04)', 'Intel GPU'])
  })

  test('oddEstimates: no nonsense', () => {
    const data = state('oddEstimates')
    expect(data.units.map((_, unit) => shown(data, unit, 'ETA')[0]?.replace(' (marked)', ''))).toEqual([
      '385d 0h',
      '???',
      '0s',
      '???',
      '1h 0m',
      '???',
      '2h 3m',
    ])
  })
})
