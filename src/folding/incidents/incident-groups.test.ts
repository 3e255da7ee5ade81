import { describe, expect, it } from 'vitest'
import { groupIncidents, clientsOf } from './incident-groups.ts'
import { byGravityAndAge, incidentKey, type Incident } from './incident.ts'

const MINUTE = 60_000

function incident(client: string, since: number, part: Partial<Incident> = {}): Incident {
  const condition = { kind: 'unreachable', subject: '', gravity: 'grave', since, evidence: {} } as const
  return {
    ...condition,
    key: incidentKey(client, { ...condition, ...part }),
    machine: client,
    name: client,
    owner: undefined,
    state: 'open',
    times: 1,
    snoozedUntil: undefined,
    resolvedAt: undefined,
    ...part,
  }
}

describe('incidents', () => {
  it('of one kind that began together are a group, with the tags that all its clients have', () => {
    const incidents = [
      incident('a', 0),
      incident('b', 8 * MINUTE),
      incident('c', 16 * MINUTE),
      incident('d', 60 * MINUTE),
      incident('e', 0, { kind: 'stalled' }),
      incident('f', 0, { state: 'acknowledged' }),
    ]
    const tags: Record<string, readonly string[]> = { a: ['attic', 'old'], b: ['attic'], c: ['attic', 'new'] }
    const groups = groupIncidents(incidents, client => tags[client] ?? [])
    expect(groups.map(group => [clientsOf(group).join(), group.since, group.tags])).toEqual([
      ['a,b,c', 0, ['attic']],
      ['d', 60 * MINUTE, []],
      ['e', 0, []],
      ['f', 0, []],
    ])
  })

  it('that are notices are one group, whenever they began', () => {
    const notices = [0, 1000].map(hours =>
      incident(`m${hours}`, hours * 60 * MINUTE, { kind: 'outdated', gravity: 'notice' }),
    )
    expect(groupIncidents(notices)).toHaveLength(1)
  })

  it('are sorted by gravity, then age', () => {
    const sorted = [
      incident('old', 1, { gravity: 'warning' }),
      incident('new', 5),
      incident('older', 2),
      incident('note', 0, { gravity: 'notice' }),
    ].sort(byGravityAndAge)
    expect(sorted.map(({ machine: client }) => client)).toEqual(['older', 'new', 'old', 'note'])
  })
})
