import { describe, expect, it } from 'vitest'
import { fromCallback } from 'xstate'
import { startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { SeriesPoint } from '../../../protocol/api/series.ts'
import type { SeriesFact, SeriesCacheCommand, SeriesSocketCommand } from './series.events.ts'
import { seriesMachine } from './series.machine.ts'
import { isSeriesLoading, isSeriesOffline, selectPoints, selectRefusal } from './series.selectors.ts'

const TEAM = 'team-7'
const USER = 'user-5-6'
function pointAt(hour: number): SeriesPoint {
  return { at: hour * 3_600_000, score: hour * 100, wus: hour }
}

function startSeries() {
  const said: SeriesSocketCommand[] = []
  const shelved: SeriesCacheCommand[] = []
  let sockets = 0
  let emit: (fact: SeriesFact) => void = () => undefined
  const machine = seriesMachine.provide({
    actors: {
      seriesSocket: fromCallback<SeriesSocketCommand, undefined>(({ sendBack, receive }) => {
        sockets += 1
        emit = sendBack
        receive(command => said.push(command))
      }),
      seriesCache: fromCallback<SeriesCacheCommand, undefined>(({ receive }) => {
        receive(command => shelved.push(command))
      }),
    },
  })
  const { actor, clock } = startChild(machine)
  return {
    actor,
    clock,
    shelved,
    sockets: () => sockets,
    emit: (fact: SeriesFact) => emit(fact),
    /** What was said since this was last asked. */
    said: () => said.splice(0),
    snapshot: () => actor.getSnapshot(),
  }
}

function startOpen() {
  const stage = startSeries()
  stage.actor.send({ type: 'series.want', ref: TEAM })
  stage.emit({ type: 'seriesSocket.opened' })
  stage.actor.send({ type: 'series.restored', ref: TEAM, points: [] })
  stage.said()
  return stage
}

describe('points over time', () => {
  it('open no socket without readers', () => {
    expect(startSeries().sockets()).toBe(0)
  })

  it('are asked for from the last that this browser kept, when both are known: the connection and the last', () => {
    const { actor, emit, said, shelved, snapshot } = startSeries()
    actor.send({ type: 'series.want', ref: TEAM })
    emit({ type: 'seriesSocket.opened' })
    expect(said()).toEqual([])
    expect(isSeriesLoading(TEAM)(snapshot())).toBe(true)
    actor.send({ type: 'series.restored', ref: TEAM, points: [pointAt(1), pointAt(2)] })
    expect(said()).toEqual([{ type: 'seriesSocket.subscribe', ref: TEAM, since: pointAt(2).at }])
    emit({ type: 'series.received', ref: TEAM, points: [pointAt(4), pointAt(3)] })
    expect(selectPoints(TEAM)(snapshot())).toEqual([1, 2, 3, 4].map(pointAt))
    expect(shelved.at(-1)).toEqual({ type: 'seriesCache.save', ref: TEAM, points: [1, 2, 3, 4].map(pointAt) })
    expect(isSeriesLoading(TEAM)(snapshot())).toBe(false)
  })

  it('are subscribed once for all readers, and unsubscribed without readers [10.13]', () => {
    const { actor, clock, said, snapshot } = startOpen()
    actor.send({ type: 'series.want', ref: TEAM })
    actor.send({ type: 'series.release', ref: TEAM })
    expect(said()).toEqual([])
    actor.send({ type: 'series.release', ref: TEAM })
    expect(said()).toEqual([{ type: 'seriesSocket.unsubscribe', ref: TEAM }])
    clock.increment(5000)
    expect(snapshot().matches('idle')).toBe(true)
  })

  it('are resumed on the same connection for a reader that returns within a moment', () => {
    const { actor, clock, emit, said, sockets, snapshot } = startOpen()
    emit({ type: 'series.received', ref: TEAM, points: [pointAt(1)] })
    actor.send({ type: 'series.release', ref: TEAM })
    clock.increment(4999)
    actor.send({ type: 'series.want', ref: TEAM })
    clock.increment(5000)
    expect(said().at(-1)).toEqual({ type: 'seriesSocket.subscribe', ref: TEAM, since: pointAt(1).at })
    expect(sockets()).toBe(1)
    expect(selectPoints(TEAM)(snapshot())).toEqual([pointAt(1)])
  })

  it('are resumed after a connection was lost, later after each failure, at once when the network is back', () => {
    const { actor, clock, emit, said, sockets, snapshot } = startOpen()
    emit({ type: 'series.received', ref: TEAM, points: [pointAt(1)] })
    emit({ type: 'seriesSocket.closed' })
    expect(isSeriesOffline(snapshot())).toBe(true)
    clock.increment(1000)
    emit({ type: 'seriesSocket.closed' })
    clock.increment(1999)
    expect(sockets()).toBe(2)
    clock.increment(1)
    expect(sockets()).toBe(3)
    emit({ type: 'seriesSocket.closed' })
    actor.send({ type: 'series.check' })
    expect(sockets()).toBe(4)
    expect(isSeriesOffline(snapshot())).toBe(true)
    emit({ type: 'seriesSocket.opened' })
    expect(said()).toEqual([{ type: 'seriesSocket.subscribe', ref: TEAM, since: pointAt(1).at }])
    expect(isSeriesOffline(snapshot())).toBe(false)
    expect(selectPoints(TEAM)(snapshot())).toEqual([pointAt(1)])
  })

  it('wait twenty seconds for a connection, and stop without readers', () => {
    const { actor, clock, snapshot, sockets } = startSeries()
    actor.send({ type: 'series.want', ref: TEAM })
    clock.increment(20_000)
    expect(isSeriesOffline(snapshot())).toBe(true)
    actor.send({ type: 'series.release', ref: TEAM })
    clock.increment(120_000)
    expect({ idle: snapshot().matches('idle'), sockets: sockets() }).toEqual({ idle: true, sockets: 1 })
  })

  it('that the server refuses say why', () => {
    const { emit, snapshot } = startOpen()
    emit({ type: 'series.refused', ref: TEAM, message: 'Team not found' })
    expect(selectRefusal(TEAM)(snapshot())).toBe('Team not found')
    expect(isSeriesLoading(TEAM)(snapshot())).toBe(false)
  })

  it('of a user who signed out are deleted, and late points are ignored', () => {
    const { actor, emit, said, shelved, snapshot } = startOpen()
    actor.send({ type: 'series.want', ref: USER })
    actor.send({ type: 'series.restored', ref: USER, points: [pointAt(1)] })
    said()
    actor.send({ type: 'series.clearPersonal' })
    expect(said().map(({ type }) => type)).toEqual(['seriesSocket.unsubscribe', 'seriesSocket.unsubscribe'])
    const savedCount = shelved.length
    emit({ type: 'series.received', ref: USER, points: [pointAt(2)] })
    actor.send({ type: 'series.restored', ref: USER, points: [pointAt(1)] })
    expect(selectPoints(USER)(snapshot())).toEqual([])
    expect(shelved.length).toEqual(savedCount)
    actor.send({ type: 'series.release', ref: USER })
    actor.send({ type: 'series.release', ref: TEAM })
    actor.send({ type: 'series.want', ref: TEAM })
    expect(said()).toContainEqual({ type: 'seriesSocket.subscribe', ref: TEAM, since: undefined })
  })

  it('reach all their states, and are asked for only on an open connection', () => {
    const { ends, unreached } = walkShortestPaths(seriesMachine, {
      events: [
        { type: 'series.want', ref: TEAM },
        { type: 'series.release', ref: TEAM },
        { type: 'series.check' },
        { type: 'series.clearPersonal' },
        { type: 'seriesSocket.opened' },
        { type: 'seriesSocket.closed' },
        { type: 'series.restored', ref: TEAM, points: [] },
        { type: 'series.received', ref: TEAM, points: [pointAt(1)] },
        { type: 'series.refused', ref: TEAM, message: 'no' },
      ],
      context: ({ series, attempts }) =>
        [...series.values()].map(({ readers, isSubscribed, isAnswered }) => [
          Math.min(readers, 2),
          isSubscribed,
          isAnswered,
          attempts > 0,
        ]),
    })
    expect(unreached).toEqual([])
    for (const { snapshot, path } of ends)
      for (const { isSubscribed } of snapshot.context.series.values())
        if (isSubscribed) expect(snapshot.matches({ connection: 'open' }), path).toBe(true)
  })
})
