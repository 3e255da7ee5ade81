import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate'
import { expect, test } from 'vitest'
import { relayMachine } from '../../../../src/machines/connection/relay/relay.machine.ts'
import type {
  RelaySocketCommand,
  RelaySocketFact,
  RelayTarget,
} from '../../../../src/machines/connection/relay/relay.events.ts'
import type { AccountKeys } from '../../../../src/protocol/crypto/keys.ts'
import type { SocketUrl } from '../../../../src/protocol/url.ts'
import type { AccountList, AccountNews } from './account.events.ts'
import { accountMachine } from './account.machine.ts'
import { isThroughRelay } from './account.selectors.ts'

const keys = { publicKey: 'p', id: 'account' } as AccountKeys
const LIST: AccountList = { machines: [{ id: 'm', name: 'attic' }], node: 'wss://node/ws/account' as SocketUrl }
const PERIOD = 600_000

function start(
  options: { readonly staysConnected?: boolean; readonly list?: AccountList; readonly fails?: boolean } = {},
) {
  const clock = new SimulatedClock()
  const events: AccountNews[] = []
  const sockets: { report: (fact: RelaySocketFact) => void }[] = []
  let open = 0
  let fails = options.fails ?? false
  let breaks = false
  const actor = createActor(
    accountMachine.provide({
      actors: {
        relay: relayMachine.provide({
          actors: {
            relaySocket: fromCallback<RelaySocketCommand, RelayTarget>(({ sendBack }) => {
              sockets.push({ report: sendBack })
              open++
              return () => open--
            }),
            pingNode: fromPromise(() => Promise.resolve(undefined)),
          },
          actions: {
            assignInvalidNode: () => {
              if (breaks) throw new Error('broken')
            },
          },
        }),
        readList: fromPromise<AccountList, undefined>(() =>
          fails ? Promise.reject(new Error('down')) : Promise.resolve(options.list ?? LIST),
        ),
      },
      actions: { tellFleet: (_, event) => events.push(event) },
    }),
    { clock, input: { keys, samplePeriod: PERIOD, staysConnected: options.staysConnected ?? false } },
  )
  actor.subscribe({ error: () => undefined })
  actor.start()
  const pass = async (milliseconds = 0) => {
    clock.increment(milliseconds)
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  const report = (fact: RelaySocketFact) => sockets.at(-1)?.report(fact)
  return {
    actor,
    events,
    pass,
    report,
    open: () => open,
    fail: (now: boolean) => (fails = now),
    break: (now: boolean) => (breaks = now),
    value: () => actor.getSnapshot().value,
  }
}

test('a sample connects for a minute, and tells the fleet which clients there are', async () => {
  const { actor, events, pass, report, open, value } = start()
  await pass()
  expect(value()).toEqual({ running: 'sampling' })
  expect(open()).toBe(1)
  expect(isThroughRelay(actor.getSnapshot())).toBe(true)
  report({ type: 'relay.opened', at: 1 })
  report({ type: 'relay.clientConnected', id: 'm', at: 2 })
  report({ type: 'relay.clientDisconnected', id: 'm', at: 3 })
  await pass(60_000)
  expect(value()).toEqual({ running: 'resting' })
  expect(open()).toBe(0)
  expect(isThroughRelay(actor.getSnapshot())).toBe(false)
  expect(events.map(({ type }) => type)).toEqual([
    'fleet.machinesListed',
    'relay.clientConnected',
    'relay.clientDisconnected',
    'relay.lost',
  ])
  await pass(PERIOD)
  expect({ value: value(), open: open() }).toEqual({ value: { running: 'sampling' }, open: 1 })
})

test('it stays connected while a page reads, and for as long as the settings want it', async () => {
  const { actor, pass, open, value } = start()
  await pass()
  actor.send({ type: 'account.read', isRead: true })
  await pass(60_000)
  expect({ value: value(), open: open() }).toEqual({ value: { running: 'connected' }, open: 1 })
  await pass(PERIOD)
  await pass(60_000)
  expect({ value: value(), open: open() }).toEqual({ value: { running: 'connected' }, open: 1 })
  actor.send({ type: 'account.read', isRead: true })
  actor.send({ type: 'account.read', isRead: false })
  expect({ value: value(), open: open() }).toEqual({ value: { running: 'resting' }, open: 0 })
  actor.send({ type: 'account.read', isRead: false })
  actor.send({ type: 'account.read', isRead: true })
  await pass()
  expect({ value: value(), open: open() }).toEqual({ value: { running: 'sampling' }, open: 1 })

  const staying = start({ staysConnected: true })
  await staying.pass()
  await staying.pass(60_000)
  staying.actor.send({ type: 'account.read', isRead: false })
  expect(staying.value()).toEqual({ running: 'connected' })
})

test('an API that does not answer is asked again; the last list is good until then', async () => {
  const { fail, pass, open, value } = start({ fails: true })
  await pass()
  expect({ value: value(), open: open() }).toEqual({ value: { running: 'unlisted' }, open: 0 })
  fail(false)
  await pass(3000)
  await pass(60_000)
  fail(true)
  await pass(PERIOD)
  expect({ value: value(), open: open() }).toEqual({ value: { running: 'sampling' }, open: 1 })
})

test('an account without a usable node has no connection, and a relay that fails by a mistake is started again', async () => {
  const none = start({ list: { ...LIST, node: undefined } })
  await none.pass()
  expect({ value: none.value(), open: none.open() }).toEqual({ value: { running: 'sampling' }, open: 0 })
  none.break(true)
  await none.pass(60_000)
  expect(none.value()).toBe('restarting')
  none.break(false)
  await none.pass(5000)
  expect(none.value()).toEqual({ running: 'sampling' })
})
