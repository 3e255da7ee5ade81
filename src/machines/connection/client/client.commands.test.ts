import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { START, direct, relayed, dataWith, startClient } from '../../../../test/machines/client.ts'
import type { ClientData } from '../../../protocol/client/client-data.ts'
import { selectAskedState, selectIgnored } from './client.selectors.ts'

describe('a command', () => {
  it('is asked until the client reports that it obeyed', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.setState', state: 'fold', group: '' })
    await settled()
    expect(client.sent()).toEqual([{ cmd: 'state', state: 'fold', group: '', second: 0 }])
    expect(selectAskedState('')(client.actor.getSnapshot())).toBe('fold')
    client.change(['groups', '', 'config', 'paused', false as never])
    expect(selectAskedState('')(client.actor.getSnapshot())).toBeUndefined()
    client.clock.increment(20_000)
    expect(selectIgnored(client.actor.getSnapshot())).toEqual([])
  })

  it('may be to start again', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.restart' })
    await settled()
    expect(client.sent()).toEqual([{ cmd: 'restart', second: 0 }])
  })

  it('may be to dump a unit, and is asked until the client reports the unit as dumped or gone', async () => {
    const client = startClient(direct)
    const unit = { id: 'u', number: 1, state: 'RUN', paused: true }
    client.open({ ...dataWith(), units: [unit] })
    client.actor.send({ type: 'client.dump', unit: 'u' })
    await settled()
    expect(client.sent()).toEqual([{ cmd: 'dump', unit: 'u', second: 0 }])
    client.change(['units', 0, null as never])
    client.clock.increment(20_000)
    expect(selectIgnored(client.actor.getSnapshot())).toEqual([])
  })

  it('is ignored, with a likely reason, when 10 s pass without an effect, until that is dismissed', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.setState', state: 'fold' })
    await settled()
    client.clock.increment(10_000)
    const [ignored] = selectIgnored(client.actor.getSnapshot())
    expect(ignored?.reason).toMatch(/clock/)
    client.actor.send({ type: 'client.dismiss', key: ignored?.key ?? '' })
    expect(selectIgnored(client.actor.getSnapshot())).toEqual([])
  })

  it('waits for the next second when its kind has used up this one, so that none is lost', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.setState', state: 'fold' })
    client.actor.send({ type: 'client.setState', state: 'pause' })
    client.actor.send({ type: 'client.setState', state: 'finish' })
    await settled()
    expect(client.sent()?.map(({ second }) => second)).toEqual([0])
    client.clock.increment(800)
    await settled()
    client.clock.increment(1000)
    await settled()
    expect(client.sent()).toEqual([
      { cmd: 'state', state: 'fold', second: 0 },
      { cmd: 'state', state: 'pause', second: 1 },
      { cmd: 'state', state: 'finish', second: 2 },
    ])
  })

  it('for a group that the client does not have is refused before it is sent', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.setState', state: 'pause', group: 'my_gpu' })
    await settled()
    expect(client.sent()).toEqual([])
    expect(selectIgnored(client.actor.getSnapshot()).map(({ reason }) => reason)).toEqual([
      'The machine has no resource group "my_gpu".',
    ])
  })

  it('cannot be given to a client that is not connected [8.11]', () => {
    const client = startClient(direct)
    expect(client.actor.getSnapshot().can({ type: 'client.setState', state: 'fold' })).toBe(false)
    client.open()
    expect(client.actor.getSnapshot().can({ type: 'client.setState', state: 'fold' })).toBe(true)
  })
})

describe('a command through a relay', () => {
  const CLOCK = /did not respond within 10 seconds/
  const LOST = 'The connection was lost before the machine could respond.'
  const asked = async () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined' })
    client.open()
    client.actor.send({ type: 'client.setState', state: 'fold', group: '' })
    await settled()
    const reasons = () => selectIgnored(client.actor.getSnapshot()).map(({ reason }) => reason)
    const state = () => selectAskedState('')(client.actor.getSnapshot())
    const checks = () => client.links.at(-1)?.sent.filter(({ type }) => type === 'link.check').length
    const seen = (seconds: number) => client.actor.send({ type: 'link.seen', until: START + seconds * 1000 })
    return { ...client, reasons, state, checks, seen }
  }
  const obey = (client: ReturnType<typeof startClient>) =>
    client.change(['groups', '', 'config', 'paused', false as never])

  it('is not called ignored while what is known of the client is older, and is when it is not', async () => {
    const { clock, reasons, state, checks, seen } = await asked()
    clock.increment(9999)
    expect(checks()).toBe(0)
    clock.increment(1)
    expect({ checks: checks(), reasons: reasons(), state: state() }).toEqual({ checks: 1, reasons: [], state: 'fold' })
    seen(0.4)
    clock.increment(60_000)
    expect({ reasons: reasons(), state: state() }).toEqual({ reasons: [], state: 'fold' })
    seen(10)
    expect(reasons()).toEqual([expect.stringMatching(CLOCK)])
    expect(state()).toBeUndefined()
  })

  it('is called ignored after ten seconds where the client is known to have said nothing of it', async () => {
    const { clock, reasons, checks, seen } = await asked()
    seen(1)
    clock.increment(10_000)
    expect({ reasons: reasons(), checks: checks() }).toEqual({ reasons: [expect.stringMatching(CLOCK)], checks: 0 })
  })

  it('of which nothing is known after two minutes is said to be unknown, until its effect is seen', async () => {
    const client = await asked()
    client.clock.increment(10_000)
    client.clock.increment(109_999)
    expect({ reasons: client.reasons(), state: client.state() }).toEqual({ reasons: [], state: 'fold' })
    client.clock.increment(1)
    expect(client.reasons()).toEqual([expect.stringMatching(/within two minutes.*may have obeyed/)])
    expect(selectIgnored(client.actor.getSnapshot())).toMatchObject([{ isUnknown: true }])
    obey(client)
    expect(client.reasons()).toEqual([])
  })

  it('that is obeyed late is confirmed, and no notice comes afterwards', async () => {
    const client = await asked()
    client.clock.increment(78_000)
    obey(client)
    client.seen(78)
    client.clock.increment(120_000)
    expect({ reasons: client.reasons(), state: client.state() }).toEqual({ reasons: [], state: undefined })
  })

  it('is lost with its connection where the next one does not show its effect', async () => {
    const { actor, clock, open, close, reasons, state } = await asked()
    close()
    actor.send({ type: 'client.joined' })
    open()
    clock.increment(1999)
    expect(state()).toBe('fold')
    clock.increment(1)
    expect({ reasons: reasons(), state: state() }).toEqual({ reasons: [LOST], state: undefined })
  })

  it('is lost when no connection follows', async () => {
    const { actor, clock, reasons } = await asked()
    actor.send({ type: 'client.left', at: START })
    clock.increment(10_000)
    expect(reasons()).toEqual([LOST])
  })
})

describe('a command through a server', () => {
  const asked = async () => {
    const client = startClient(direct)
    const date = (seconds: number) => client.actor.send({ type: 'link.dated', at: START, asOf: START + seconds * 1000 })
    client.open()
    date(0)
    client.actor.send({ type: 'client.setState', state: 'fold', group: '' })
    await settled()
    return { ...client, date, ignored: () => selectIgnored(client.actor.getSnapshot()).length }
  }

  it('is not called ignored while what the server knows is older', async () => {
    const { actor, clock, ignored } = await asked()
    clock.increment(10_000)
    expect(ignored()).toBe(0)
    actor.send({ type: 'link.seen', until: START + 10_000 })
    expect(ignored()).toBe(1)
  })

  it('is not lost with the connection, since the server may not know yet what became of it', async () => {
    const { clock, close, open, date, ignored } = await asked()
    close()
    clock.increment(1000)
    open()
    date(0)
    clock.increment(2000)
    expect(ignored()).toBe(0)
  })
})

describe('a restart', () => {
  it('that cannot be sent is kept, and sent once when the client connects', async () => {
    const client = startClient(relayed)
    const owes = () => client.actor.getSnapshot().context.isRestartPending
    client.actor.send({ type: 'client.restart' })
    expect(owes()).toBe(true)
    client.actor.send({ type: 'client.joined' })
    client.open()
    await settled()
    expect({ sent: client.sent(), owes: owes() }).toEqual({ sent: [{ cmd: 'restart', second: 0 }], owes: true })
    client.clock.increment(1500)
    expect(owes()).toBe(false)
    client.close()
    client.clock.increment(1000)
    client.open()
    await settled()
    expect(client.sent()).toEqual([])
  })

  it('that waited when the connection was lost is sent on the next one, and not reported as ignored', async () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined' })
    client.open()
    client.actor.send({ type: 'client.restart' })
    client.close()
    await settled()
    client.clock.increment(1000)
    client.open()
    await settled()
    expect(client.sent()).toEqual([{ cmd: 'restart', second: 1 }])
    expect(selectIgnored(client.actor.getSnapshot())).toEqual([])
  })

  it('that is not needed any more is not sent', async () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.restart' })
    client.actor.send({ type: 'client.cancelRestart' })
    client.actor.send({ type: 'client.joined' })
    client.open()
    await settled()
    expect(client.sent()).toEqual([])
  })
})

describe('to finish', () => {
  const resting = (...groups: string[]): ClientData => ({
    ...dataWith(),
    groups: Object.fromEntries(groups.map(name => [name, { config: { paused: true } }])),
    units: groups.map(group => ({ id: `of ${group}`, group, state: 'RUN', pause_reason: 'Paused' })),
  })
  const next = async (client: ReturnType<typeof startClient>) => {
    client.clock.increment(1000)
    await settled()
  }

  it('what is paused folds first, and finishes a second later, as the client reports it [4.1]', async () => {
    const client = startClient(direct)
    client.open(resting(''))
    client.actor.send({ type: 'client.setState', state: 'finish' })
    await settled()
    expect(client.sent()).toEqual([{ cmd: 'state', state: 'fold', second: 0 }])
    expect(selectAskedState('')(client.actor.getSnapshot())).toBe('finish')
    client.change(['groups', '', 'config', 'paused', false as never])
    await next(client)
    expect(client.sent()?.slice(1)).toEqual([{ cmd: 'state', state: 'finish', second: 1 }])
    expect(selectAskedState('')(client.actor.getSnapshot())).toBe('finish')
    client.change(['groups', '', 'config', 'finish', true as never])
    expect(selectAskedState('')(client.actor.getSnapshot())).toBeUndefined()
  })

  it('only the groups fold that hold units', async () => {
    const client = startClient(direct)
    const data = resting('', 'gpu', 'night')
    client.open({ ...data, units: data.units.filter(({ group }) => group !== 'night') })
    client.actor.send({ type: 'client.setState', state: 'finish' })
    await settled()
    await next(client)
    await next(client)
    expect(client.sent()).toEqual([
      { cmd: 'state', state: 'fold', group: '', second: 0 },
      { cmd: 'state', state: 'fold', group: 'gpu', second: 1 },
      { cmd: 'state', state: 'finish', second: 2 },
    ])
  })

  it('a paused group that keeps its units is not obeyed, whatever it takes note of', async () => {
    const client = startClient(direct)
    client.open({ ...resting(''), groups: { '': { config: { paused: false } } } })
    client.actor.send({ type: 'client.setState', state: 'finish' })
    await settled()
    client.change(['groups', '', 'config', 'paused', true as never], ['groups', '', 'config', 'finish', true as never])
    client.clock.increment(10_000)
    expect(selectIgnored(client.actor.getSnapshot())).toHaveLength(1)
  })

  it('what is paused folds and finishes after a broadcast, too', async () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined' })
    client.open(resting(''))
    client.actor.send({ type: 'client.broadcastApplied', state: 'finish', at: START })
    await settled()
    expect(client.sent()).toEqual([])
    await next(client)
    await next(client)
    expect(client.sent()).toEqual([
      { cmd: 'state', state: 'fold', second: 1 },
      { cmd: 'state', state: 'finish', second: 2 },
    ])
  })
})

describe('a broadcast', () => {
  it('counts as sent to a connected client', () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined' })
    client.open()
    client.actor.send({ type: 'client.broadcastApplied', state: 'fold', at: START })
    expect(selectAskedState('')(client.actor.getSnapshot())).toBe('fold')
    expect(client.sent()).toEqual([])
    client.clock.increment(10_000)
    client.actor.send({ type: 'link.seen', until: START + 9000 })
    expect(selectIgnored(client.actor.getSnapshot())).toHaveLength(1)
  })

  it('is repeated in the next second for a client that got another state in the same one', async () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined' })
    client.open()
    client.actor.send({ type: 'client.setState', state: 'fold' })
    await settled()
    client.actor.send({ type: 'client.broadcastApplied', state: 'pause', at: START + 100 })
    await settled()
    client.clock.increment(800)
    await settled()
    expect(client.sent()).toEqual([
      { cmd: 'state', state: 'fold', second: 0 },
      { cmd: 'state', state: 'pause', second: 1 },
    ])
  })
})
