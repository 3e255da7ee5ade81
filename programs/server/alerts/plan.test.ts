import { expect, test } from 'vitest'
import type { IncidentEvent } from '../../../src/machines/incidents/incident/incident.events.ts'
import type { StoredIncident } from '../../../src/folding/incidents/incident-schema.ts'
import { advance, newIncident } from '../../../src/machines/incidents/incident/incident.machine.ts'
import type { AlertRule } from '../config/alert-settings.ts'
import { concerns, isAlertStillUseful, partsOfOccurrence, planAlerts, type TrackedIncident } from './plan.ts'
import { quietRemaining } from './quiet-hours.ts'

const MINUTE = 60_000
const NOW = Date.parse('2027-01-01T12:00:00Z')
function rule(change: Partial<AlertRule> = {}): AlertRule {
  return {
    name: 'ana',
    channels: ['phone', 'mail'],
    together: false,
    'escalate-minutes': 30,
    least: 'warning',
    'digest-minutes': 0,
    recovery: true,
    ...change,
  }
}
const condition = { kind: 'stalled', gravity: 'grave', subject: 'u', since: NOW, evidence: {} } as const
const found = newIncident({ machine: 'm', name: 'attic', owner: undefined, condition })
function after(incident: StoredIncident, ...events: readonly IncidentEvent[]) {
  return events.reduce(advance, incident)
}
function tracked(incident: StoredIncident, occurrence: string): TrackedIncident {
  return { incident, occurrence }
}
function planned(before: TrackedIncident | undefined, incident: StoredIncident, rules = [rule()], at = NOW) {
  return planAlerts([{ before, after: incident }], rules, at)
}
function summary(plan: ReturnType<typeof planned>, at = NOW) {
  return plan.alerts.map(({ channel, phase, due }) => [channel, phase, (due - at) / MINUTE])
}

test('a new incident is sent by the first channel at once, and by the next one later', () => {
  expect(summary(planned(undefined, found))).toEqual([
    ['phone', 'found', 0],
    ['mail', 'found', 30],
  ])
  expect(summary(planned(undefined, found, [rule({ together: true, 'digest-minutes': 5 })]))).toEqual([
    ['phone', 'found', 5],
    ['mail', 'found', 5],
  ])
})

test('the same change has the same keys, and an incident that only continues has no alert', () => {
  const first = planned(undefined, found)
  expect(planned(undefined, found).alerts.map(({ key }) => key)).toEqual(first.alerts.map(({ key }) => key))
  expect(new Set(first.alerts.map(({ key }) => key)).size).toBe(2)
  const existing = tracked(found, first.tracked[0]?.occurrence ?? '')
  const lasting = after(found, {
    type: 'incident.found',
    at: NOW + 1,
    condition: { ...condition, since: NOW - 5 },
    name: 'x',
  })
  const again = planned(existing, lasting)
  expect(again.alerts).toEqual([])
  expect(again.tracked[0]?.occurrence).toEqual(existing.occurrence)
})

test('the person who acknowledges or reopens an incident is not notified of that; the end of a snooze is notified', () => {
  const existing = tracked(found, 'first')
  const snoozed = after(found, { type: 'incident.snooze', until: NOW + MINUTE })
  expect(planned(existing, after(found, { type: 'incident.acknowledge' })).alerts).toEqual([])
  expect(planned(existing, snoozed).alerts).toEqual([])
  expect(planned(tracked(snoozed, 'first'), after(snoozed, { type: 'incident.reopen' })).alerts).toEqual([])
  const woken = after(snoozed, { type: 'incident.timePassed', at: NOW + MINUTE })
  const plan = planned(tracked(snoozed, 'first'), woken, [rule()], NOW + MINUTE)
  expect(plan.alerts).toHaveLength(2)
  expect(plan.tracked[0]?.occurrence).not.toBe('first')
})

test('the end of an incident is sent to those who chose that, and its return like a new incident', () => {
  const over = after(found, { type: 'incident.ended', at: NOW })
  expect(summary(planned(tracked(found, 'first'), over))).toEqual([
    ['phone', 'ended', 0],
    ['mail', 'ended', 0],
  ])
  expect(planned(tracked(found, 'first'), over, [rule({ recovery: false })]).alerts).toEqual([])
  const back = after(over, { type: 'incident.found', at: NOW + MINUTE, condition, name: 'attic' })
  expect(planned(undefined, back).alerts.map(({ key }) => key)).not.toEqual(
    planned(undefined, found).alerts.map(({ key }) => key),
  )
  const existing = after(found, { type: 'incident.acknowledge' }, { type: 'incident.ended', at: NOW })
  const returned = after(existing, { type: 'incident.found', at: NOW + MINUTE, condition, name: 'attic' })
  expect(planned(undefined, returned).alerts).toEqual([])
})

test('a person is notified of what the rule names', () => {
  expect(concerns(rule({ least: 'grave' }), found)).toBe(true)
  expect(concerns(rule({ least: 'grave' }), { ...found, gravity: 'warning' })).toBe(false)
  expect(concerns(rule(), { ...found, gravity: 'notice' })).toBe(false)
  expect(concerns(rule({ kinds: ['unreachable'] }), found)).toBe(false)
  expect(concerns(rule({ machines: ['attic'] }), found)).toBe(true)
  expect(concerns(rule({ machines: ['cellar'] }), found)).toBe(false)
})

test('an alert that is due is sent while its incident is open, and its end only to those who were sent the beginning', () => {
  const alert = { phase: 'found', occurrence: 'first' } as const
  const ended = { phase: 'ended', occurrence: 'first' } as const
  const open = tracked(found, 'first')
  const acknowledged = tracked(after(found, { type: 'incident.acknowledge' }), 'first')
  expect(isAlertStillUseful(alert, { now: open, wasSent: false })).toBe(true)
  expect(isAlertStillUseful(alert, { now: acknowledged, wasSent: false })).toBe(false)
  expect(isAlertStillUseful(alert, { now: tracked(found, 'second'), wasSent: false })).toBe(false)
  expect(isAlertStillUseful(alert, { now: undefined, wasSent: false })).toBe(false)
  expect(isAlertStillUseful(ended, { now: undefined, wasSent: true })).toBe(true)
  expect(isAlertStillUseful(ended, { now: undefined, wasSent: false })).toBe(false)
  expect(isAlertStillUseful(ended, { now: open, wasSent: true })).toBe(false)
})

test.each<[string, string, string, string, string, number]>([
  ['before them', '22:00', '07:00', 'UTC', '2027-01-01T21:59:59Z', 0],
  ['at their beginning', '22:00', '07:00', 'UTC', '2027-01-01T22:00:00Z', 540],
  ['after midnight', '22:00', '07:00', 'UTC', '2027-01-02T06:30:00Z', 30],
  ['at their end', '22:00', '07:00', 'UTC', '2027-01-02T07:00:00Z', 0],
  ['within a day', '12:00', '14:00', 'UTC', '2027-01-02T13:00:00Z', 60],
  ['in a time zone', '22:00', '07:00', 'Europe/Berlin', '2027-01-01T21:30:00Z', 510],
  ['equal times are none', '07:00', '07:00', 'UTC', '2027-01-01T07:00:00Z', 0],
  // Clocks in Berlin go from 02:00 to 03:00 on 2027-03-28, and from 03:00 back to 02:00 on 2027-10-31.
  ['a night that is an hour shorter', '22:00', '07:00', 'Europe/Berlin', '2027-03-27T21:00:00Z', 480],
  ['a night that is an hour longer', '22:00', '07:00', 'Europe/Berlin', '2027-10-30T20:00:00Z', 600],
])('quiet hours: %s', (_, from, until, zone, at, minutes) => {
  expect(quietRemaining({ from, until, zone }, Date.parse(at)) / MINUTE).toBe(minutes)
})

test('an occurrence says which incident it is of, since when, how often that came, and whether a snooze has ended', () => {
  const begin = 'm failing gpu 1 1767484865044'
  expect(partsOfOccurrence(`${begin} 2`)).toEqual({ begin, times: 2, isWoken: false })
  expect(partsOfOccurrence(`${begin} 2 1767484999000`)).toEqual({ begin, times: 2, isWoken: true })
})
