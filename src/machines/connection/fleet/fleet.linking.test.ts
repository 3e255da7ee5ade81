import { describe, expect, it } from 'vitest'
import { LOCAL_URL, dataOf, startFleet } from '../../../../test/machines/fleet.ts'
import { settled } from '../../../../test/child.ts'
import { emptySummary } from '../../../folding/client/totals.ts'
import { isSimulationShown, selectTotals } from './fleet.selectors.ts'

describe('the client on this computer', () => {
  const startLocal = (account: string | undefined, address = '127.0.0.1:7396') => {
    const fleet = startFleet({ defaultAddress: address, addresses: [] })
    const data = dataOf('local', 'Local')
    return {
      ...fleet,
      appear: () =>
        fleet.says('__direct__', account === undefined ? data : { ...data, info: { ...data.info, account } }),
    }
  }

  it('is linked after a login when it has no account, as soon as it connects, once [4.11]', () => {
    const fleet = startLocal('')
    fleet.list()
    fleet.actor.send({ type: 'fleet.linkWhenConnected' })
    expect(fleet.received).toEqual([])
    fleet.appear()
    fleet.actor.send({ type: 'fleet.linkWhenConnected' })
    expect(fleet.received).toEqual([
      { type: 'fleet.unlinkedClientFound', id: '__direct__', name: 'Local' },
      { type: 'fleet.unlinkedClientFound', id: '__direct__', name: 'Local' },
    ])
    fleet.appear()
    expect(fleet.received).toHaveLength(2)
  })

  it.each([
    ['it is linked to this account already', 'me', '127.0.0.1:7396'],
    ['it does not say whose it is', undefined, '127.0.0.1:7396'],
    ['its address is another computer', '', '192.168.0.9:7396'],
  ])('stays as it is when %s', (_, account, address) => {
    const fleet = startLocal(account, address)
    fleet.list()
    fleet.appear()
    fleet.actor.send({ type: 'fleet.linkWhenConnected' })
    expect(fleet.received).toEqual([])
  })

  it.each([
    ['a simulated client and a real account', true, false, 0],
    ['a real client and the account of a demo', false, true, 0],
    ['a simulated client and the account of a demo', true, true, 1],
  ])('%s: linked after a login %s %s %i times [4.11]', (_, simulated, isDemo, times) => {
    const fleet = startFleet({ defaultAddress: '127.0.0.1:7396', addresses: [], isDemo })
    const data = dataOf('local', 'Local')
    fleet.says('__direct__', { ...data, info: { ...data.info, account: '', simulated } })
    fleet.list()
    fleet.actor.send({ type: 'fleet.linkWhenConnected' })
    expect(fleet.received).toHaveLength(times)
    expect(isSimulationShown(fleet.actor.getSnapshot())).toBe(simulated || isDemo)
  })

  it('tells whom it folds for, when that changes', () => {
    const fleet = startFleet()
    const say = (team: number) => fleet.says('__direct__', { ...dataOf('local', 'Local'), config: { team } })
    for (const team of [7, 7, 8]) say(team)
    const donor = { user: '', team: 7, secrets: { passkey: '' } }
    expect(fleet.received).toEqual([
      { type: 'fleet.localDonorChanged', donor },
      { type: 'fleet.localDonorChanged', donor: { ...donor, team: 8 } },
    ])
  })

  it('that belongs to another account is asked about', () => {
    const fleet = startLocal('somebody else')
    fleet.list()
    fleet.appear()
    fleet.actor.send({ type: 'fleet.linkWhenConnected' })
    expect(fleet.received).toEqual([{ type: 'fleet.foreignClientFound', id: '__direct__', name: 'Local' }])
  })

  it('is not linked to an account that was left meanwhile', () => {
    const fleet = startLocal('')
    fleet.list()
    fleet.actor.send({ type: 'fleet.linkWhenConnected' })
    fleet.actor.send({ type: 'fleet.accountSignedOut' })
    fleet.appear()
    fleet.list()
    expect(fleet.received).toEqual([])
  })

  it('gets the token, which is kept nowhere', () => {
    const fleet = startLocal('')
    fleet.appear()
    fleet.actor.send({ type: 'fleet.link', id: '__direct__', name: 'attic', secrets: { token: 'the token' } })
    expect(fleet.links.get(LOCAL_URL)?.commands).toEqual([
      { type: 'link.bind', name: 'attic', secrets: { token: 'the token' } },
    ])
    expect(JSON.stringify(fleet.member('__direct__').getPersistedSnapshot())).not.toContain('the token')
  })

  it('gets no name that would cost it its connection', () => {
    const fleet = startLocal('')
    fleet.appear()
    fleet.actor.send({ type: 'fleet.link', id: '__direct__', name: '<attic>', secrets: { token: 'the token' } })
    expect(fleet.links.get(LOCAL_URL)?.commands).toEqual([])
  })
})

describe('a client that was unlinked', () => {
  const SESSION_TIME = 1500
  const restarts = (fleet: ReturnType<typeof startFleet>, link: string): number =>
    fleet.links.get(link)?.commands.filter(said => said.type === 'link.send' && said.command.cmd === 'restart')
      .length ?? 0
  const joined = (id: string) => ({ type: 'relay.clientConnected', id, at: 1 }) as const
  const unlink = (fleet: ReturnType<typeof startFleet>): void => {
    fleet.member('b').send({ type: 'client.restart' })
    fleet.list()
  }

  it('before its session was open stays until the restart is sent, neither shown nor counted', async () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('b')
    fleet.actor.send(joined('b'))
    unlink(fleet)
    expect(fleet.shown()).toEqual([])
    expect(selectTotals(fleet.actor.getSnapshot()).clients).toBe(0)
    fleet.says('b', dataOf('b', 'b'))
    await settled()
    expect({ restarts: restarts(fleet, 'b'), shown: fleet.shown() }).toEqual({ restarts: 1, shown: [] })
    fleet.clock.increment(SESSION_TIME)
    expect(Object.keys(fleet.actor.getSnapshot().context.members)).toEqual([])
    expect([...fleet.links]).toEqual([])
    expect(fleet.actor.getSnapshot().context.totals).toEqual(emptySummary)
  })

  it('while it was connected gets a restart before it is removed', async () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('b')
    fleet.actor.send(joined('b'))
    fleet.says('b', dataOf('b', 'b'))
    unlink(fleet)
    await settled()
    expect({ restarts: restarts(fleet, 'b'), shown: fleet.shown() }).toEqual({ restarts: 1, shown: [] })
    fleet.clock.increment(SESSION_TIME)
    expect(fleet.actor.getSnapshot().context.members).toEqual({})
  })

  it('gets the restart directly when the relay does not have it', async () => {
    const fleet = startFleet()
    fleet.list('b')
    unlink(fleet)
    expect(Object.keys(fleet.actor.getSnapshot().context.members)).toEqual(['__direct__', 'b'])
    fleet.says('__direct__', dataOf('b', 'b'))
    await settled()
    expect(restarts(fleet, LOCAL_URL)).toBe(1)
    expect(Object.keys(fleet.actor.getSnapshot().context.members)).toEqual(['__direct__'])
  })

  it('needs no restart when it left the relay, since it fetches its account when it reconnects', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('b')
    fleet.actor.send(joined('b'))
    unlink(fleet)
    fleet.actor.send({ type: 'relay.clientDisconnected', id: 'b', at: 2 })
    expect(fleet.actor.getSnapshot().context.members).toEqual({})
  })

  it('and linked again is a client like any other', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('b')
    unlink(fleet)
    fleet.list('b')
    expect(fleet.shown()).toEqual(['b'])
    expect(selectTotals(fleet.actor.getSnapshot()).clients).toBe(1)
    expect(fleet.actor.getSnapshot().context.restartsOwed).toEqual([])
  })

  it('is forgotten when the account is left', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('b')
    unlink(fleet)
    fleet.actor.send({ type: 'fleet.accountSignedOut' })
    expect(fleet.actor.getSnapshot().context).toMatchObject({ members: {}, restartsOwed: [], leaving: [] })
  })
})
