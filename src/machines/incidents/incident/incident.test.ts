import { describe, expect, it } from 'vitest'
import { createActor } from 'xstate'
import type { Condition } from '../../../folding/incidents/incident.ts'
import type { IncidentEvent } from './incident.events.ts'
import { advance, incidentMachine, newIncident } from './incident.machine.ts'
import { durationOf } from './incident.selectors.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'

const condition: Condition = { kind: 'stalled', gravity: 'grave', subject: 'u', since: 1000, evidence: { unit: 1 } }
const input = { machine: 'm', name: 'atlas', owner: undefined, condition }
function found(at: number, since = 1000): IncidentEvent {
  return {
    type: 'incident.found',
    at,
    condition: { ...condition, since },
    name: 'atlas',
  }
}
const ended: IncidentEvent = { type: 'incident.ended', at: 5000 }
const acknowledge: IncidentEvent = { type: 'incident.acknowledge' }
function snooze(until: number): IncidentEvent {
  return { type: 'incident.snooze', until }
}
const reopen: IncidentEvent = { type: 'incident.reopen' }
function passed(at: number): IncidentEvent {
  return { type: 'incident.timePassed', at }
}

function after(...events: readonly IncidentEvent[]) {
  return events.reduce(advance, newIncident(input))
}

/** The same as an actor, so that its states and transitions count as reached. */
function asActor(...events: readonly IncidentEvent[]) {
  const actor = createActor(incidentMachine, { input }).start()
  for (const event of events) actor.send(event)
  const { value, context } = actor.getSnapshot()
  return { ...context, state: value }
}

describe('an incident', () => {
  it.each<[string, readonly IncidentEvent[], string]>([
    ['asks for attention', [], 'open'],
    ['stays open while it lasts', [found(2000)], 'open'],
    ['is acknowledged', [acknowledge], 'acknowledged'],
    ['stays acknowledged while it lasts', [acknowledge, found(2000)], 'acknowledged'],
    ['is opened again by a person', [acknowledge, reopen], 'open'],
    ['is snoozed', [snooze(9000)], 'snoozed'],
    ['is snoozed after it was acknowledged', [acknowledge, snooze(9000)], 'snoozed'],
    ['stays snoozed while it lasts, and longer on demand', [snooze(9000), found(2000), snooze(9999)], 'snoozed'],
    ['is acknowledged while it is snoozed', [snooze(9000), acknowledge], 'acknowledged'],
    ['is opened while it is snoozed', [snooze(9000), reopen], 'open'],
    ['stays snoozed until then', [snooze(9000), passed(8999)], 'snoozed'],
    ['asks again after a snooze', [snooze(9000), passed(9000)], 'open'],
    ['ends', [ended], 'resolved'],
    ['ends while it is acknowledged', [acknowledge, ended], 'resolved'],
    ['ends while it is snoozed', [snooze(9000), ended], 'resolved'],
    ['returns', [ended, found(6000)], 'open'],
    ['returns acknowledged, when it was', [acknowledge, ended, found(6000)], 'acknowledged'],
  ])('%s', (_, events, state) => {
    expect(after(...events).state).toBe(state)
    expect(asActor(...events)).toEqual(after(...events))
  })

  it('that returns lasts since it first began, and counts how often', () => {
    expect(after(ended, found(6000, 5500), ended, found(7000, 6500))).toMatchObject({
      since: 1000,
      times: 3,
      resolvedAt: undefined,
    })
  })

  it('is the same object when nothing changed', () => {
    const incident = after(snooze(9000))
    expect(advance(incident, passed(1))).toBe(incident)
    expect(advance(incident, { type: 'incident.timePassed', at: 9000 })).not.toBe(incident)
  })

  it('lasts until it is over', () => {
    expect(durationOf(after(), 3000)).toBe(2)
    expect(durationOf(after(ended), 99_000)).toBe(4)
    expect(durationOf(after(), 0)).toBe(0)
  })

  it('reaches all its states', () => {
    const events = [found(1), ended, acknowledge, snooze(5), reopen, passed(9)]
    const walk = walkShortestPaths(incidentMachine, {
      input,
      events,
      context: ({ wasAcknowledged }) => wasAcknowledged,
    })
    expect(walk.unreached).toEqual([])
    for (const { snapshot, path } of walk.ends)
      expect(snapshot.context.resolvedAt !== undefined, path).toBe(snapshot.matches('resolved'))
  })
})
