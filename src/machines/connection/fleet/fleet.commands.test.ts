import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { LOCAL_URL, dataOf, startFleet } from '../../../../test/machines/fleet.ts'
import type { ClientData } from '../../../protocol/client/client-data.ts'
import { selectAskedState, selectIgnored } from '../client/client.selectors.ts'
import { whyNotControllable, whyNothingToFinish } from './fleet.selectors.ts'

describe('a command to all clients', () => {
  it.each([
    ['tells all connected machines one by one when no broadcast can be sent', 'refused'],
    ['tells its machines by one broadcast, and takes note of it with each', 'sent'],
  ] as const)('%s', async (_, outcome) => {
    const fleet = startFleet()
    fleet.says('__direct__', dataOf('local', 'Local'))
    fleet.list('a', 'b', 'away')
    for (const id of ['a', 'b']) {
      fleet.actor.send({ type: 'relay.clientConnected', id, at: 1 })
      fleet.says(id, dataOf(id, id))
    }
    fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
    await settled()
    expect(fleet.received.at(-1)).toEqual({ type: 'fleet.broadcastWanted', state: 'pause' })
    expect(fleet.sent()).toEqual({ [LOCAL_URL]: ['pause'], a: [], b: [] })
    fleet.actor.send(
      outcome === 'sent'
        ? { type: 'fleet.broadcastSent', state: 'pause', at: 1000 }
        : { type: 'fleet.broadcastRefused', state: 'pause' },
    )
    await settled()
    expect(fleet.sent()).toEqual({
      [LOCAL_URL]: ['pause'],
      a: outcome === 'sent' ? [] : ['pause'],
      b: outcome === 'sent' ? [] : ['pause'],
    })
    expect(['a', 'b'].map(id => selectAskedState('')(fleet.member(id).getSnapshot()))).toEqual(['pause', 'pause'])
  })

  it.each(['sent', 'refused'] as const)(
    'reports a missed broadcast to each client that was there, when that was %s',
    outcome => {
      const fleet = startFleet()
      fleet.list('a', 'b', 'away')
      for (const id of ['a', 'b']) {
        fleet.actor.send({ type: 'relay.clientConnected', id, at: 1 })
        fleet.says(id, dataOf(id, id))
      }
      fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
      fleet.actor.send({ type: 'relay.clientDisconnected', id: 'b', at: 2 })
      fleet.actor.send(
        outcome === 'sent'
          ? { type: 'fleet.broadcastSent', state: 'pause', at: 1000 }
          : { type: 'fleet.broadcastRefused', state: 'pause' },
      )
      const ignored = (id: string) => selectIgnored(fleet.member(id).getSnapshot()).map(({ command }) => command)
      expect(ignored('a')).toEqual([])
      expect(ignored('b')).toEqual([{ cmd: 'state', state: 'pause' }])
      expect(ignored('away')).toEqual([])
      expect(fleet.actor.getSnapshot().context.pendingBroadcasts).toEqual([])
    },
  )

  it('sends nothing to clients that are too old, and no broadcast when there is one', async () => {
    const fleet = startFleet()
    fleet.says('__direct__', dataOf('local', 'Local', '8.2.4'))
    expect(whyNotControllable(fleet.actor.getSnapshot())).toBe(
      'All connected machines run clients that are too old to be controlled from here.',
    )
    fleet.list('a', 'b', 'old')
    for (const id of ['a', 'b', 'old']) {
      fleet.actor.send({ type: 'relay.clientConnected', id, at: 1 })
      fleet.says(id, dataOf(id, id, id === 'old' ? '8.2.4' : '8.3.0'))
    }
    expect(whyNotControllable(fleet.actor.getSnapshot())).toBeUndefined()
    fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
    fleet.actor.send({ type: 'fleet.setState', state: 'finish', ids: ['old'] })
    await settled()
    expect(fleet.sent()).toEqual({ [LOCAL_URL]: [], a: ['pause'], b: ['pause'], old: [] })
    expect(fleet.received).toEqual([])
  })

  it('commands a chosen few, or a single one, without a broadcast', async () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('a', 'b')
    for (const id of ['a', 'b']) {
      fleet.actor.send({ type: 'relay.clientConnected', id, at: 1 })
      fleet.says(id, dataOf(id, id))
    }
    fleet.actor.send({ type: 'fleet.setState', state: 'finish', ids: ['a'] })
    await settled()
    expect({ sent: fleet.sent(), received: fleet.received }).toEqual({ sent: { a: ['finish'], b: [] }, received: [] })
  })
})

describe('a client that is connected directly and through the relay', () => {
  const startBoth = (...relayed: string[]) => {
    const fleet = startFleet()
    fleet.list('b', 'c', 'd')
    for (const id of relayed) {
      fleet.actor.send({ type: 'relay.clientConnected', id, at: 1 })
      fleet.says(id, dataOf(id, id))
    }
    fleet.says('__direct__', dataOf('b', 'b'))
    return fleet
  }
  const asked = (fleet: ReturnType<typeof startFleet>) =>
    ['__direct__', 'b', 'c', 'd'].map(id => selectAskedState()(fleet.member(id).getSnapshot()))
  const broadcasts = ({ received }: ReturnType<typeof startFleet>) =>
    received.filter(({ type }) => type === 'fleet.broadcastWanted').length

  it('is sent directly, and alone where only one other client is there', async () => {
    const fleet = startBoth('b', 'c')
    fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
    await settled()
    expect(broadcasts(fleet)).toBe(0)
    expect(fleet.sent()).toEqual({ [LOCAL_URL]: ['pause'], c: ['pause'] })
  })

  it('hears a broadcast to several others once, and shows it as asked where it is shown [4.13]', async () => {
    const fleet = startBoth('b', 'c', 'd')
    fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
    await settled()
    expect(broadcasts(fleet)).toBe(1)
    expect(fleet.sent()).toEqual({ [LOCAL_URL]: [], c: [], d: [] })
    fleet.actor.send({ type: 'fleet.broadcastSent', state: 'pause', at: 5000 })
    await settled()
    expect(asked(fleet)).toEqual(['pause', undefined, 'pause', 'pause'])
    expect(fleet.sent()).toEqual({ [LOCAL_URL]: [], c: [], d: [] })
  })

  it('is sent directly when it left the relay before the broadcast, or when that is not sent at all', async () => {
    const fleet = startBoth('b', 'c', 'd')
    fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
    fleet.actor.send({ type: 'relay.clientDisconnected', id: 'b', at: 2 })
    fleet.actor.send({ type: 'fleet.broadcastSent', state: 'pause', at: 5000 })
    await settled()
    expect(fleet.sent()).toEqual({ [LOCAL_URL]: ['pause'], c: [], d: [] })
    expect(selectIgnored(fleet.member('b').getSnapshot())).toEqual([])

    const refused = startBoth('b', 'c', 'd')
    refused.actor.send({ type: 'fleet.setState', state: 'pause' })
    refused.actor.send({ type: 'fleet.broadcastRefused', state: 'pause' })
    await settled()
    expect(refused.sent()).toEqual({ [LOCAL_URL]: ['pause'], c: ['pause'], d: ['pause'] })
  })

  it('is sent directly at once when the broadcast cannot reach it', async () => {
    const fleet = startBoth('c', 'd')
    fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
    await settled()
    expect(broadcasts(fleet)).toBe(1)
    expect(fleet.sent()).toEqual({ [LOCAL_URL]: ['pause'], c: [], d: [] })
  })
})

describe('telling all to finish', () => {
  const resting = (id: string, units: number): ClientData => ({
    ...dataOf(id, id),
    groups: { '': { config: { paused: true } } },
    units: Array.from({ length: units }, (_, at) => ({ id: `${id}-${at}`, pause_reason: 'Paused' })),
  })

  it('is possible while one of them holds units or folds, and leaves those alone that have nothing to finish', async () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('a', 'b')
    for (const id of ['a', 'b']) fleet.actor.send({ type: 'relay.clientConnected', id, at: 1 })
    fleet.says('a', resting('a', 0))
    expect(whyNothingToFinish()(fleet.actor.getSnapshot())).toMatch(/^Nothing to finish/)
    fleet.says('b', resting('b', 1))
    expect(
      [undefined, ['a'], ['b']].map(ids => whyNothingToFinish(ids)(fleet.actor.getSnapshot()) === undefined),
    ).toEqual([true, false, true])
    fleet.actor.send({ type: 'fleet.setState', state: 'finish', ids: ['a', 'b'] })
    await settled()
    expect(fleet.sent()).toEqual({ a: [], b: ['fold'] })
  })
})
