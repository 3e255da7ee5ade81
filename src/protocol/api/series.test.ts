import { describe, expect, it } from 'vitest'
import { decodeSeriesMessage, decodeStandings, subscribeMessage, unsubscribeMessage } from './series.ts'

describe('a subscription', () => {
  it('names the team or the user, and the last point that is known [10.13]', () => {
    expect(subscribeMessage('team-7', undefined)).toEqual({
      type: 'subscribe',
      timeseries: 'team.score',
      team: 7,
      $ref: 'team-7',
      max_count: 10_000,
    })
    expect(subscribeMessage('user-5-6', Date.parse('2026-11-20T18:00:00Z'))).toEqual({
      type: 'subscribe',
      timeseries: 'user.score',
      uid: 5,
      pid: 6,
      $ref: 'user-5-6',
      max_count: 10_000,
      since: '2026-11-20T18:00:00Z',
    })
    expect(unsubscribeMessage('team-7')).toEqual({
      type: 'unsubscribe',
      timeseries: 'team.score',
      team: 7,
      $ref: 'team-7',
    })
  })
})

describe('a message of the socket', () => {
  const at = Date.parse('2026-11-20T18:00:00Z')
  const point = { time: '2026-11-20T18:00:00Z', value: { score: 10, wus: 1 } }

  it('is a list of points, or a single one [10.14]', () => {
    const decoded = {
      ok: true,
      value: { kind: 'points', ref: 'team-7', points: [{ at, score: 10, wus: 1 }] },
      faults: [],
    }
    expect(decodeSeriesMessage({ $ref: 'team-7', data: [point] })).toEqual(decoded)
    expect(decodeSeriesMessage({ $ref: 'team-7', data: point })).toEqual(decoded)
  })

  it('drops invalid points', () => {
    const wrong = [
      { time: 'soon', value: { score: 1, wus: 1 } },
      { time: point.time },
      null,
      { time: point.time, value: { score: '1', wus: 1 } },
    ]
    expect(decodeSeriesMessage({ $ref: 'user-5-6', data: [...wrong, point] })).toMatchObject({
      ok: true,
      value: { points: [{ at }] },
    })
  })

  it('may be an error [10.14]', () => {
    expect(decodeSeriesMessage({ $ref: 'team-7', data: { message: 'Team not found' } })).toMatchObject({
      value: { kind: 'refused', ref: 'team-7', message: 'Team not found' },
    })
    expect(decodeSeriesMessage({ data: { message: 'What?' } })).toMatchObject({
      value: { kind: 'refused', ref: undefined },
    })
  })

  it('is a fault without a known series', () => {
    for (const json of [
      null,
      [],
      {},
      { $ref: 'team-7' },
      { $ref: 'constructor', data: [point] },
      { $ref: 'team-7-x', data: [] },
    ])
      expect(decodeSeriesMessage(json).ok).toBe(false)
  })
})

describe('points that the server of the page keeps', () => {
  it('are read; wrong records are left out, and anything else is no list of them', () => {
    const record = { at: '2027-01-04T12:00:00Z', kind: 'team', name: '42', points: 5, units: 2 }
    const point = { at: Date.parse(record.at), score: 5, wus: 2 }
    const content = { standings: [record, { ...record, points: 'x' }, { ...record, at: 'never' }, null] }
    expect(decodeStandings(content)).toMatchObject({ ok: true, value: [point] })
    expect(decodeStandings([])).toMatchObject({ ok: false })
    expect(decodeStandings({ standings: {} })).toMatchObject({ ok: false })
  })
})
