import { describe, expect, it } from 'vitest'
import type { ClientData, ClientInfo } from '../../../protocol/client/client-data.ts'
import { clonesOf } from '../../../folding/client/client-key.ts'
import { dataOf, startFleet, unnamed } from '../../../../test/machines/fleet.ts'
import { selectToRemember } from './fleet.memory.ts'
import {
  selectClientRef,
  selectClientKeyOf,
  selectMemberId,
  selectOtherConnections,
  selectPutAwayCount,
  selectReport,
  selectTotals,
} from './fleet.selectors.ts'

const ATTIC = '@10.0.0.7:7396'
const CELLAR = '@10.0.0.8:7396'
function start() {
  return startFleet({ defaultAddress: '', addresses: ['10.0.0.7:7396', '10.0.0.8:7396', '10.0.0.9:7396'].map(unnamed) })
}
type Fleet = ReturnType<typeof start>

function onComputer(id: string, name: string, info: ClientInfo) {
  const data = dataOf(id, name)
  return { ...data, info: { ...data.info, ...info } }
}
const attic = onComputer('m', 'rig', { hostname: 'attic', pid: 500 })
const cellar = onComputer('m', 'rig', { hostname: 'cellar', pid: 700 })

function nameOf(fleet: Fleet, id: string) {
  return selectReport(id)(fleet.actor.getSnapshot())?.name
}
function keyOf(fleet: Fleet, id: string) {
  return selectClientKeyOf(id)(fleet.actor.getSnapshot())
}
function comparisonOf(fleet: Fleet, id: string) {
  return selectClientRef(id)(fleet.actor.getSnapshot())?.getSnapshot().context.comparison
}

describe('computers that have one id', () => {
  it('are clients of their own, counted, marked and explained [4.14]', () => {
    const fleet = start()
    fleet.says(ATTIC, attic)
    fleet.says(CELLAR, cellar)
    const { clients, cpus } = selectTotals(fleet.actor.getSnapshot())
    expect({ shown: fleet.shown().slice(0, 2), clients, cpus }).toEqual({ shown: [ATTIC, CELLAR], clients: 3, cpus: 8 })
    expect(nameOf(fleet, ATTIC)).toBe('rig (attic)')
    expect(nameOf(fleet, CELLAR)).toBe('rig (cellar)')
    expect(comparisonOf(fleet, ATTIC)?.sameId).toEqual(['cellar, 10.0.0.8:7396'])
    expect(keyOf(fleet, ATTIC)).not.toBe(keyOf(fleet, CELLAR))
    expect(fleet.received.filter(({ type }) => type === 'fleet.machinesGone')).toEqual([])
  })

  it('stay two when one is off, and a second connection to one of them makes no third', () => {
    const fleet = start()
    fleet.says(ATTIC, attic)
    fleet.says(CELLAR, cellar)
    fleet.list('m')
    expect(fleet.shown()).not.toContain('m')
    fleet.says('m', attic)
    fleet.says('@10.0.0.9:7396', cellar)
    fleet.member(CELLAR).send({ type: 'link.closed', at: 20, trouble: 'closed' })
    fleet.member('@10.0.0.9:7396').send({ type: 'link.closed', at: 20, trouble: 'closed' })
    expect(fleet.shown()).toEqual([ATTIC, CELLAR])
    expect(selectOtherConnections(CELLAR)(fleet.actor.getSnapshot()).map(({ id }) => id)).toEqual(['@10.0.0.9:7396'])
    expect(selectOtherConnections(ATTIC)(fleet.actor.getSnapshot()).map(({ id }) => id)).toEqual(['m'])
    expect(selectMemberId(keyOf(fleet, CELLAR) ?? '')(fleet.actor.getSnapshot())).toBe(CELLAR)
  })

  it('have their own histories', () => {
    const fleet = start()
    fleet.says(ATTIC, attic)
    fleet.says(CELLAR, cellar)
    for (const id of [ATTIC, CELLAR])
      fleet.actor.send({
        type: 'client.unitsEnded',
        id,
        machine: { id: 'm', name: 'rig', info: {} },
        units: [],
      })
    const clients = fleet.received.flatMap(event => (event.type === 'fleet.unitsEnded' ? [event['machine']] : []))
    expect(clients).toMatchObject([{ id: keyOf(fleet, ATTIC) }, { id: keyOf(fleet, CELLAR) }])
  })

  it('are known to be two on the next visit before the second one connects, by the same keys', () => {
    const before = start()
    before.says(ATTIC, attic)
    before.says(CELLAR, cellar)
    const remembered = selectToRemember(before.actor.getSnapshot())
    const fleet = start()
    fleet.actor.send({ type: 'fleet.restored', machines: remembered })
    fleet.says(CELLAR, cellar)
    expect(keyOf(fleet, ATTIC)).toEqual(keyOf(before, ATTIC))
    expect(keyOf(fleet, CELLAR)).toEqual(keyOf(before, CELLAR))
    expect(fleet.shown()).toEqual([CELLAR, ATTIC, '@10.0.0.9:7396'].sort())
  })

  it('are known to be two from the stored history, whichever of them connects', () => {
    const before = start()
    before.says(ATTIC, attic)
    before.says(CELLAR, cellar)
    const fleet = start()
    fleet.says(CELLAR, cellar)
    expect(keyOf(fleet, CELLAR)).toBe('m')
    fleet.actor.send({ type: 'fleet.clonesKnown', clones: clonesOf([keyOf(before, ATTIC) ?? '']) })
    expect(keyOf(fleet, CELLAR)).toBe(keyOf(before, CELLAR))
    expect(comparisonOf(fleet, CELLAR)).toEqual({ key: keyOf(before, CELLAR) })
    fleet.actor.send({ type: 'fleet.clonesKnown', clones: { m: 'connection' } })
    expect(keyOf(fleet, CELLAR)).toBe(keyOf(before, CELLAR))
  })

  it('are two again as clients of the account that is listed on the next visit', () => {
    const fleet = start()
    fleet.actor.send({
      type: 'fleet.restored',
      machines: [
        { id: 'm', kind: 'relay', name: 'rig', at: 1, data: attic, clone: 'computer' },
        { id: 'n', kind: 'relay', name: 'nas', at: 1, data: attic },
      ],
    })
    fleet.says(CELLAR, cellar)
    expect(fleet.shown()).toEqual(expect.arrayContaining(['m', CELLAR]))
  })

  it('are known to be two when one connection leads to them in turn, as through a relay', () => {
    const fleet = start()
    fleet.list('m')
    const reach = (data: ClientData, at: number) => {
      fleet.actor.send({ type: 'relay.clientConnected', id: 'm', at })
      fleet.says('m', data)
    }
    reach(attic, 10)
    reach(cellar, 20)
    expect({ comparison: comparisonOf(fleet, 'm'), key: keyOf(fleet, 'm') }).toEqual({ comparison: {}, key: 'm' })
    reach(attic, 30)
    const key = keyOf(fleet, 'm')
    expect(comparisonOf(fleet, 'm')).toEqual({ key, sameId: ['cellar'] })
    reach(cellar, 40)
    expect(comparisonOf(fleet, 'm')?.sameId).toEqual(['attic'])
    expect(keyOf(fleet, 'm')).not.toBe(key)
  })

  it('that say the same of themselves are told apart by their processes, when both stay connected', () => {
    const fleet = start()
    const twin = onComputer('m', 'rig', { hostname: 'attic', pid: 700 })
    fleet.says(ATTIC, attic)
    fleet.says(CELLAR, twin)
    const shownOf = () => fleet.shown().filter(id => id !== '@10.0.0.9:7396')
    expect(shownOf()).toEqual([ATTIC])
    for (let second = 0; second < 60; second += 20) {
      fleet.says(ATTIC, attic)
      fleet.says(CELLAR, twin)
      fleet.clock.increment(20_000)
    }
    expect(shownOf()).toEqual([ATTIC, CELLAR])
    expect(nameOf(fleet, ATTIC)).toBe('rig (10.0.0.7:7396)')
    expect(nameOf(fleet, CELLAR)).toBe('rig (10.0.0.8:7396)')
    const { suspects, clones } = fleet.actor.getSnapshot().context
    expect({ suspects, clones }).toEqual({ suspects: {}, clones: { m: 'connection' } })
  })

  it('are not told apart while a client is started again, whose lost connection is not noticed yet', () => {
    const fleet = start()
    fleet.says(ATTIC, attic)
    fleet.says(CELLAR, attic)
    const restarted = onComputer('m', 'rig', { hostname: 'attic', pid: 700 })
    const again = onComputer('m', 'rig', { hostname: 'attic', pid: 800 })
    const pass = (atAttic: ClientData, atCellar: ClientData) => {
      fleet.says(ATTIC, atAttic)
      fleet.says(CELLAR, atCellar)
      fleet.clock.increment(20_000)
    }
    pass(restarted, attic)
    pass(restarted, restarted)
    pass(again, restarted)
    expect(Object.keys(fleet.actor.getSnapshot().context.suspects)).toEqual(['m'])
    for (let step = 0; step < 3; step++) pass(again, again)
    const { suspects, clones } = fleet.actor.getSnapshot().context
    expect(fleet.shown().filter(id => id !== '@10.0.0.9:7396')).toEqual([ATTIC])
    expect(suspects).toEqual({})
    expect(clones).toEqual({})
  })
})

describe('clients of one name', () => {
  const clientOf = (fleet: Fleet, id: string) => fleet.member(id).getSnapshot().context
  const listRigs = (fleet: Fleet, ...ids: string[]) =>
    fleet.actor.send({ type: 'fleet.machinesListed', account: 'me', machines: ids.map(id => ({ id, name: 'rig' })) })

  it('are marked while several are shown, also one that is not shown by its best connection', () => {
    const fleet = start()
    fleet.says(ATTIC, onComputer('a', 'rig', { hostname: 'attic' }))
    expect(nameOf(fleet, ATTIC)).toBe('rig')
    fleet.says(CELLAR, onComputer('b', 'rig', { hostname: 'cellar' }))
    fleet.says('@10.0.0.9:7396', onComputer('b', 'rig', { hostname: 'cellar' }))
    expect([ATTIC, CELLAR, '@10.0.0.9:7396'].map(id => nameOf(fleet, id))).toEqual([
      'rig (attic)',
      'rig (cellar)',
      'rig (cellar)',
    ])
    fleet.actor.send({ type: 'fleet.disconnect', id: ATTIC })
    expect([CELLAR, '@10.0.0.9:7396'].map(id => nameOf(fleet, id))).toEqual(['rig', 'rig'])
  })

  it('are told apart by their ids alone when there are too many to compare', () => {
    const fleet = start()
    const ids = Array.from({ length: 120 }, (_, at) => `${at}-machine`)
    listRigs(fleet, ...ids)
    fleet.clock.increment(1)
    fleet.actor.send({ type: 'relay.clientConnected', id: '7-machine', at: 1 })
    fleet.says('7-machine', onComputer('7-machine', 'rig', { hostname: 'attic' }))
    expect(nameOf(fleet, '7-machine')).toBe('rig (ID 7-machin)')
    expect(nameOf(fleet, '119-machine')).toBe('rig (ID 119-mach)')
    expect(clientOf(fleet, '8-machine').comparison.isLeftOver).toBeUndefined()
    expect(new Set(fleet.shown().map(id => nameOf(fleet, id))).size).toBe(123)
  })

  it('keep their marks when one is started again after an error', () => {
    const fleet = start()
    fleet.says(ATTIC, onComputer('a', 'rig', { hostname: 'attic' }))
    fleet.says(CELLAR, onComputer('b', 'rig', { hostname: 'cellar' }))
    fleet.actor.send({ type: 'xstate.error.actor.x', error: new Error('broken'), actorId: ATTIC })
    expect(clientOf(fleet, ATTIC).comparison).toEqual({ mark: 'attic' })
  })

  it('lose their marks when the account is left', () => {
    const fleet = start()
    listRigs(fleet, 'abcd1', 'efgh1')
    expect(nameOf(fleet, 'abcd1')).toBe('rig (ID abcd)')
    expect(nameOf(fleet, 'efgh1')).toBe('rig (ID efgh)')
    fleet.says(ATTIC, onComputer('z', 'rig', {}))
    listRigs(fleet)
    expect(nameOf(fleet, ATTIC)).toBe('rig')
  })

  it('that never connected since one of its name is there is left over', () => {
    const fleet = start()
    listRigs(fleet, 'old', 'new')
    const isLeftOver = () => clientOf(fleet, 'old').comparison.isLeftOver === true
    expect(isLeftOver()).toBe(false)
    fleet.actor.send({ type: 'relay.clientConnected', id: 'new', at: 1 })
    fleet.says('new', onComputer('new', 'rig', { hostname: 'attic' }))
    expect(isLeftOver()).toBe(true)
    expect(clientOf(fleet, 'new').comparison.isLeftOver).toBeUndefined()
    fleet.actor.send({ type: 'relay.clientDisconnected', id: 'new', at: 20 })
    expect(isLeftOver()).toBe(false)
    fleet.actor.send({ type: 'relay.clientConnected', id: 'old', at: 30 })
    fleet.says('old', onComputer('old', 'rig', { hostname: 'attic' }))
    expect(isLeftOver()).toBe(false)
  })

  it('that is put away is neither listed nor counted until it connects, while its page stays', () => {
    const fleet = start()
    listRigs(fleet, 'old', 'new')
    const prefer = (putAway: Readonly<Record<string, number>>) =>
      fleet.actor.send({ type: 'fleet.chosen', choices: { putAway } })
    const seen = () => {
      const snapshot = fleet.actor.getSnapshot()
      const isShown = fleet.shown().includes('old')
      return [isShown, selectTotals(snapshot).clients, selectPutAwayCount(snapshot)]
    }
    const [, before] = seen()
    prefer({ old: 0 })
    expect(seen()).toEqual([false, Number(before) - 1, 1])
    expect(selectMemberId('old')(fleet.actor.getSnapshot())).toBe('old')
    prefer({})
    expect(seen()).toEqual([true, before, 0])
    prefer({ old: 0 })
    fleet.actor.send({ type: 'relay.clientConnected', id: 'old', at: 30 })
    fleet.says('old', onComputer('old', 'rig', { hostname: 'attic' }))
    expect(seen()).toEqual([true, before, 0])
    fleet.actor.send({ type: 'relay.clientDisconnected', id: 'old', at: 40 })
    expect(seen()).toEqual([true, before, 0])
  })

  it.each<readonly [string, ClientInfo, number, boolean]>([
    ['heard before, on the same computer', { hostname: 'attic' }, 5, true],
    ['heard before, on another computer', { hostname: 'cellar' }, 5, false],
    ['heard since the other one connected', { hostname: 'attic' }, 15, false],
  ])('%s: left over or not [4.16]', (_, info, heardAt, isLeftOver) => {
    const fleet = start()
    listRigs(fleet, 'new')
    fleet.actor.send({
      type: 'fleet.restored',
      machines: [{ id: 'old', kind: 'relay', name: 'rig', at: heardAt, data: onComputer('old', 'rig', info) }],
    })
    expect(fleet.actor.getSnapshot().context.members['old']).toBeUndefined()
    const again = start()
    again.actor.send({
      type: 'fleet.restored',
      machines: [{ id: 'old', kind: 'relay', name: 'rig', at: heardAt, data: onComputer('old', 'rig', info) }],
    })
    listRigs(again, 'old', 'new')
    again.actor.send({ type: 'relay.clientConnected', id: 'new', at: 10 })
    again.says('new', onComputer('new', 'rig', { hostname: 'attic' }))
    expect(clientOf(again, 'old').comparison.isLeftOver === true).toBe(isLeftOver)
  })
})
