import { expect, it } from 'vitest'
import type { ClientLinkFact } from '../../machines/connection/client/client.events.ts'
import { linkListener } from './client-link.ts'
import type { LinkEntry } from '../wire/wire.ts'

function reportedOf(...facts: LinkEntry['facts']): readonly ClientLinkFact[] {
  const reported: ClientLinkFact[] = []
  linkListener(
    fact => reported.push(fact),
    () => 0,
  )({ at: 1, facts })
  return reported
}

it('corrects all times that are by this computer’s clock', () => {
  const reported: ClientLinkFact[] = []
  const listen = linkListener(
    fact => reported.push(fact),
    () => 900_000,
  )
  listen({
    at: 9000,
    facts: [
      { type: 'session.opened' },
      { type: 'session.dated', asOf: 7000 },
      { type: 'session.dated', asOf: undefined },
      { type: 'session.seen', until: 907_000 },
      { type: 'ping.received' },
    ],
  })
  listen({ at: 10_000, facts: [{ type: 'session.closed' }] })
  expect(reported).toEqual([
    { type: 'link.opened', at: 909_000 },
    { type: 'link.dated', at: 909_000, asOf: 907_000 },
    { type: 'link.dated', at: 909_000, asOf: undefined },
    { type: 'link.seen', until: 907_000 },
    { type: 'link.reported', at: 909_000, facts: [{ type: 'ping.received' }] },
    { type: 'link.closed', at: 910_000, trouble: 'closed' },
  ])
})

it('reports what was said before what is known of its age, and until when all is known', () => {
  expect(
    reportedOf(
      { type: 'session.entered', state: 'busy' },
      { type: 'session.opened' },
      { type: 'ping.received' },
      { type: 'session.dated', asOf: 0 },
      { type: 'ping.received' },
      { type: 'session.seen', until: 5 },
    ),
  ).toEqual([
    { type: 'link.entered', state: 'busy' },
    { type: 'link.opened', at: 1 },
    { type: 'link.reported', at: 1, facts: [{ type: 'ping.received' }] },
    { type: 'link.dated', at: 1, asOf: 0 },
    { type: 'link.reported', at: 1, facts: [{ type: 'ping.received' }] },
    { type: 'link.seen', until: 5 },
  ])
})

it('tells a client that does not answer from one that has left, and from one that was never reached', () => {
  expect(reportedOf({ type: 'session.opened' }, { type: 'session.closed', isSilent: true }).at(-1)).toEqual({
    type: 'link.closed',
    at: 1,
    trouble: 'silent',
  })
  expect(reportedOf({ type: 'session.opened' }, { type: 'session.closed' }).at(-1)).toEqual({
    type: 'link.closed',
    at: 1,
    trouble: 'closed',
  })
  expect(reportedOf({ type: 'session.closed' }).at(-1)).toEqual({ type: 'link.closed', at: 1, trouble: 'unreachable' })
})
