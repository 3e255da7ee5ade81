import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { START, direct, relayed, dataWith, startClient } from '../../../../test/machines/client.ts'
import { emptyStructure, withFrame, withTopology } from '../../../folding/molecule/structure.ts'
import type { ClientFact } from '../../../protocol/client/client-message.ts'
import { packLines } from '../../../protocol/client/packed-lines.ts'
import { selectIgnored } from './client.selectors.ts'

describe('watching a client', () => {
  it('is sent to its link and to every later link until it ends', () => {
    const client = startClient(direct)
    client.actor.send({ type: 'client.watch' })
    client.actor.send({ type: 'client.watch' })
    client.actor.send({ type: 'client.check' })
    expect(client.links.map(({ target, sent }) => [target.isWatched, sent.at(-1)])).toEqual([
      [false, { type: 'link.watch', isWatched: true }],
      [true, undefined],
    ])
    client.actor.send({ type: 'client.unwatch' })
    expect(client.links[1]?.sent.at(-1)).toEqual({ type: 'link.watch', isWatched: true })
    client.actor.send({ type: 'client.unwatch' })
    expect(client.links[1]?.sent.at(-1)).toEqual({ type: 'link.watch', isWatched: false })
  })

  it('that ends while the client is disconnected is not sent to the next link', () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.watch' })
    client.actor.send({ type: 'client.unwatch' })
    client.actor.send({ type: 'client.joined' })
    expect(client.links[0]?.target.isWatched).toBe(false)
  })
})

describe('a molecule', () => {
  const topology = {
    names: ['N', 'CA'],
    elements: new Uint8Array(2),
    charges: new Float32Array(2),
    radii: new Float32Array(2),
    masses: new Float32Array(2),
    bonds: new Uint32Array(),
  }
  const atoms = (unit: string) => ({ type: 'topology.received', unit, topology }) as const
  const frame = (unit: string, index: number) =>
    ({ type: 'frame.received', unit, index, positions: new Float32Array(6) }) as const
  const viz = (client: ReturnType<typeof startClient>) =>
    client.sent()?.map(({ cmd, unit, frame: from }: Record<string, unknown>) => [cmd, unit, from])
  const structures = (client: ReturnType<typeof startClient>) =>
    [...client.actor.getSnapshot().context.record.structures].map(([unit, { topology: loaded, trajectory }]) => [
      unit,
      loaded?.names.length,
      trajectory.count,
    ])
  const hear = (client: ReturnType<typeof startClient>, ...facts: readonly ClientFact[]) =>
    client.actor.send({ type: 'link.reported', at: START, facts })

  it('is requested from the start, and from the first missing frame after a reconnection', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.subscribeMolecule', unit: 'u' })
    await settled()
    expect(viz(client)).toEqual([['viz', 'u', 0]])
    hear(client, atoms('u'), frame('u', 0), frame('u', 1))
    client.close()
    client.clock.increment(1000)
    client.open()
    await settled()
    expect(viz(client)).toEqual([['viz', 'u', 2]])
    expect(structures(client)).toEqual([['u', 2, 2]])
  })

  it('is requested from the end of the stored part', async () => {
    const client = startClient(direct)
    client.open()
    const stored = withFrame(withTopology(emptyStructure, topology), 0, new Float32Array(6))
    client.actor.send({ type: 'client.subscribeMolecule', unit: 'u', kept: stored })
    await settled()
    expect(viz(client)).toEqual([['viz', 'u', 1]])
    expect(structures(client)).toEqual([['u', 2, 1]])
  })

  it('is requested when the client connects later', async () => {
    const client = startClient(direct)
    client.actor.send({ type: 'client.subscribeMolecule', unit: 'u' })
    client.open()
    await settled()
    expect(viz(client)).toEqual([['viz', 'u', 0]])
  })

  it('is not requested when viewing ended before the client connects', async () => {
    const client = startClient(direct)
    client.actor.send({ type: 'client.subscribeMolecule', unit: 'u' })
    client.actor.send({ type: 'client.unsubscribeMolecule', unit: 'u' })
    client.open()
    await settled()
    expect(viz(client)).toEqual([])
  })

  it('is requested again when its first frame is counted, since a client ignores earlier requests', async () => {
    const client = startClient(direct)
    client.open({ ...dataWith(), units: [{ id: 'u', state: 'DOWNLOAD' }] })
    client.actor.send({ type: 'client.subscribeMolecule', unit: 'u' })
    client.change(['units', 0, 'state', 'RUN' as never])
    client.change(['units', 0, 'frames', 1 as never])
    await settled()
    expect(viz(client)).toEqual([
      ['viz', 'u', 0],
      ['viz', 'u', 0],
    ])
    hear(client, atoms('u'), frame('u', 0))
    client.change(['units', 0, 'frames', 2 as never])
    await settled()
    expect(viz(client)).toHaveLength(2)
  })

  it('goes on when a reader leaves that another has replaced', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.subscribeMolecule', unit: 'u', reader: 'molecules' })
    client.actor.send({ type: 'client.subscribeMolecule', unit: 'u' })
    client.actor.send({ type: 'client.unsubscribeMolecule', unit: 'u', reader: 'molecules' })
    hear(client, atoms('u'), frame('u', 0))
    await settled()
    expect(viz(client)?.at(-1)).toEqual(['viz', 'u', 0])
    expect(structures(client)).toEqual([['u', 2, 1]])
  })

  it('ends before another begins, and is deleted afterwards', async () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.subscribeMolecule', unit: 'u' })
    hear(client, atoms('u'), frame('u', 0))
    client.actor.send({ type: 'client.unsubscribeMolecule', unit: 'u' })
    client.actor.send({ type: 'client.subscribeMolecule', unit: 'v' })
    client.actor.send({ type: 'client.unsubscribeMolecule', unit: 'u' })
    hear(client, frame('u', 1), frame('v', 0))
    await settled()
    expect(viz(client)).toEqual([
      ['viz', 'u', 0],
      ['viz', '', 0],
      ['viz', 'v', 0],
    ])
    expect(structures(client)).toEqual([['v', undefined, 1]])
    client.actor.send({ type: 'client.unsubscribeMolecule', unit: 'v' })
    expect(structures(client)).toEqual([])
  })
})

/** What was subscribed to and unsubscribed from, on each connection. */
function streams(client: ReturnType<typeof startClient>) {
  return client.links.map(({ sent }) =>
    sent.flatMap(said =>
      said.type === 'link.send' && 'enable' in said.command ? [`${said.command.cmd} ${said.command.enable}`] : [],
    ),
  )
}

describe('the history', () => {
  const ask = async (client: ReturnType<typeof startClient>) => {
    client.actor.send({ type: 'client.reportHistory' })
    await settled()
  }

  it('is requested once on every connection, since a client sends all of it again', async () => {
    const client = startClient(direct)
    await ask(client)
    expect(streams(client)).toEqual([[]])
    client.open()
    await ask(client)
    await ask(client)
    expect(streams(client)).toEqual([['wus true']])
    client.close()
    client.clock.increment(1000)
    client.open()
    await ask(client)
    expect(streams(client)).toEqual([['wus true'], ['wus true']])
  })

  it('is said to be asked for, and answered also when it has no units; a list that is appended to without units says nothing', async () => {
    const client = startClient(direct)
    const said = () => client.received.flatMap(({ type, units }) => (/asked|ended/i.test(type) ? [[type, units]] : []))
    const answer = (replace: boolean, ...units: { id: string }[]) =>
      client.actor.send({ type: 'link.reported', at: START, facts: [{ type: 'history.received', replace, units }] })
    await ask(client)
    expect(said()).toEqual([])
    client.open()
    expect(said()).toEqual([['client.historyAsked', undefined]])
    answer(true)
    answer(false)
    answer(false, { id: 'u' })
    expect(said().slice(1)).toEqual([
      ['client.unitsEnded', []],
      ['client.unitsEnded', [{ id: 'u' }]],
    ])
  })

  it('of a client of the account is requested again after a reconnection only when it is asked for', async () => {
    const client = startClient({ ...direct, kind: 'relay' })
    client.actor.send({ type: 'client.joined' })
    client.open()
    await ask(client)
    client.close()
    client.clock.increment(1000)
    client.open()
    await settled()
    expect(streams(client)).toEqual([['wus true'], []])
    await ask(client)
    expect(streams(client)).toEqual([['wus true'], ['wus true']])
  })
})

describe('a log', () => {
  it('is streamed while there are readers, and requested again on every connection', async () => {
    const client = startClient(direct)
    client.open()
    for (let who = 0; who < 2; who++) client.actor.send({ type: 'client.subscribeLog' })
    await settled()
    client.close()
    client.clock.increment(1000)
    client.open()
    client.actor.send({ type: 'client.unsubscribeLog' })
    await settled()
    expect(streams(client)).toEqual([['log true'], ['log true']])
    client.actor.send({ type: 'client.unsubscribeLog' })
    await settled()
    expect(streams(client)).toEqual([['log true'], ['log true', 'log false']])
    client.actor.send({ type: 'client.unsubscribeLog' })
    await settled()
    expect(streams(client)[1]).toEqual(['log true', 'log false'])
  })

  it('that is read before there is a connection is asked for when there is one', async () => {
    const client = startClient(direct)
    client.actor.send({ type: 'client.subscribeLog' })
    await settled()
    expect(streams(client)).toEqual([[]])
    client.open()
    await settled()
    expect(streams(client)).toEqual([['log true']])
    expect(selectIgnored(client.actor.getSnapshot())).toEqual([])
  })

  it('is not requested without readers', async () => {
    const client = startClient(direct)
    for (const type of ['client.subscribeLog', 'client.unsubscribeLog'] as const) client.actor.send({ type })
    client.open()
    await settled()
    expect(streams(client)).toEqual([[]])
  })

  it('of which the end came first keeps the numbers of its lines when all of it is there', () => {
    const client = startClient(direct)
    client.open()
    const record = () => client.actor.getSnapshot().context.record
    const receive = (fact: ClientFact) => client.actor.send({ type: 'link.reported', at: START, facts: [fact] })
    const tail = (...lines: string[]) => receive({ type: 'log.tailReceived', lines: packLines(lines), before: 9 })
    tail('c', 'd')
    expect(record().log.toJSON()).toEqual({ first: 9, lines: ['c', 'd'] })
    expect(client.actor.getSnapshot().context.record.isLogWhole).toBe(false)
    receive({ type: 'log.received', replace: true, lines: packLines(['a', 'b', 'c', 'd']) })
    expect(record().log.toJSON()).toEqual({ first: 7, lines: ['a', 'b', 'c', 'd'] })
    expect(client.actor.getSnapshot().context.record.isLogWhole).toBe(true)
    const { log } = record()
    tail('d', 'e')
    expect(record().log).toEqual(log)
    expect(client.actor.getSnapshot().context.record.isLogWhole).toBe(true)
  })

  it('without lines is whole once the client has sent it', () => {
    const client = startClient(direct)
    client.open()
    expect(client.actor.getSnapshot().context.record.isLogWhole).toBe(false)
    const facts: ClientFact[] = [{ type: 'log.received', replace: true, lines: packLines([]) }]
    client.actor.send({ type: 'link.reported', at: START, facts })
    expect(client.actor.getSnapshot().context.record.isLogWhole).toBe(true)
  })

  it('goes on without a gap or a repetition when it is replayed', () => {
    const client = startClient(direct)
    const say = (replace: boolean, ...lines: string[]) =>
      client.actor.send({
        type: 'link.reported',
        at: START,
        facts: [{ type: 'log.received', replace, lines: packLines(lines) }],
      })
    client.open()
    say(true, 'a', 'b')
    say(false, 'c')
    client.close()
    client.clock.increment(1000)
    client.open()
    say(true, 'a', 'b', 'c', 'd')
    expect(client.actor.getSnapshot().context.record.log.toJSON()).toEqual({ first: 0, lines: ['a', 'b', 'c', 'd'] })
  })
})
